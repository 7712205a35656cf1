import Core
import HubCore
import JSON

/// A user as clients of the WebSearch guide get it.
package struct WebUser: Sendable {
  /// Never another user's.
  package var number: Int
  package var name: String
  package var displayName: String
  /// `#4355b9`
  package var avatarColor: String
  package var isActive = true
  package var isAdministrator: Bool
  package var created: Int64?
  package var lastLogin: Int64?

  package init(
    number: Int, name: String, displayName: String, avatarColor: String, isActive: Bool, isAdministrator: Bool,
    created: Int64?, lastLogin: Int64?
  ) {
    (self.number, self.name, self.displayName, self.avatarColor) = (number, name, displayName, avatarColor)
    (self.isActive, self.isAdministrator) = (isActive, isAdministrator)
    (self.created, self.lastLogin) = (created, lastLogin)
  }

  /// The person who uses this machine, on a hub without users.
  package static func owner(avatarColor: String) -> WebUser {
    WebUser(
      number: 1, name: "owner", displayName: "owner", avatarColor: avatarColor, isActive: true, isAdministrator: true,
      created: nil, lastLogin: nil)
  }

  /// In snake case as the server has it, and in camel case as the guide has it.
  package var json: JSONValue {
    func time(_ seconds: Int64?) -> JSONValue {
      seconds.map { .string(Timestamp(seconds: $0).rfc3339) } ?? .null
    }
    let members: JSONValue = [
      "id": .integer(number), "username": .string(name), "display_name": .string(displayName),
      "avatar_color": .string(avatarColor), "is_active": .boolean(isActive), "is_admin": .boolean(isAdministrator),
      "created_at": time(created), "last_login_at": time(lastLogin),
    ]
    return members.inBothSpellings
  }

  /// The response about one user.
  package var response: RouteResponse { RouteResponse(200, "application/json", json.bytes) }

  /// `{"items":[…],"total":1}`.
  package static func list(_ users: [WebUser]) -> RouteResponse {
    let value: JSONValue = ["items": .array(users.map(\.json)), "total": .integer(users.count)]
    return RouteResponse(200, "application/json", value.bytes)
  }
}
