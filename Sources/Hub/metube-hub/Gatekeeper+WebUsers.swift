import HubCore
import HubLimits
import HubStore
import JSON
import WebSearchDialect

/// Users as clients of the WebSearch guide see them.
extension Gatekeeper {
  func webUser(_ visitor: Visitor) async throws -> RouteResponse { try await WebUser(account(visitor)).response }

  /// All users for an administrator, and for everybody once an administrator opened the list; else the visitor alone.
  func webUsers(_ visitor: Visitor) async throws -> RouteResponse {
    guard let own = try await account(visitor) else { return WebUser.list([WebUser(nil)]) }
    let (all, isOpen) = try await accounts.run(on: HubThreads.accounts, of: own.name) {
      (try $0.allUsers(), try $0.isUserListOpen())
    }
    if own.isAdministrator { return WebUser.list(all.map { WebUser($0) }) }
    let others = isOpen ? all.filter { $0.disabled == nil && $0.name != own.name } : []
    let shown = others.map { WebUser($0, isOther: true) } + [WebUser(own)]
    return WebUser.list(shown.sorted { $0.name < $1.name })
  }

  /// `{"open":true}`: whether users see each other in the list. For administrators.
  func openWebUsers(_ visitor: Visitor, _ body: [UInt8]) async throws -> RouteResponse {
    guard let own = try await account(visitor) else { throw HubProblem(409, "this hub has no users") }
    guard own.isAdministrator else { throw HubProblem(403, "only an administrator may open the list of users") }
    guard case .boolean(let isOpen)? = JSONValue(body)?["open"] else {
      throw HubProblem(400, "open: takes true or false")
    }
    try await accounts.run(on: HubThreads.accounts, of: own.name) { try $0.setUserList(open: isOpen) }
    return RouteResponse(200, "application/json", (["open": .boolean(isOpen)] as JSONValue).bytes)
  }

  /// The user of a visitor; nil without users. Throws a `HubProblem` if the user was removed since.
  private func account(_ visitor: Visitor) async throws -> Accounts.User? {
    if visitor.isOwner { return nil }
    return try await account(named: visitor.user ?? "")
  }

  /// The user of a name. Throws a `HubProblem` if the user was removed.
  func account(named name: String) async throws -> Accounts.User {
    let user = try await accounts.run(on: HubThreads.accounts, of: name) { try $0.user(name) }
    guard let user else { throw HubProblem(401, "log in, or send a token") }
    return user
  }
}

extension WebUser {
  /// A user of the hub, or the person at this machine if nil. `isOther` leaves out what concerns the user and
  /// administrators alone.
  init(_ user: Accounts.User?, isOther: Bool = false) {
    guard let user else {
      self = .owner(avatarColor: AvatarColor.indigo.hex)
      return
    }
    self.init(
      number: user.number, name: user.name, displayName: user.shownName, avatarColor: user.shownColor.hex,
      isActive: user.disabled == nil, isAdministrator: user.isAdministrator, created: isOther ? nil : user.created,
      lastLogin: isOther ? nil : user.lastLogin)
  }
}
