import HubCore
import JSON

/// What of Miniflux's API the hub does not have. A request for it fails: a client that reads 201 believes that it worked.
package enum MinifluxLimits {
  /// Parts of the paths of calls that are not there.
  package static let unsupportedCalls: Set<String> = ["users", "api-keys", "icon", "icons", "enclosures", "import"]

  /// Members of a feed that no request changes, in Miniflux either; they may have changed since the client read them.
  static let unchangeable: Set<String> = [
    "id", "user_id", "checked_at", "next_check_at", "etag_header", "last_modified_header", "parsing_error_count",
    "parsing_error_message", "category", "icon",
  ]

  /// Throws a `HubProblem` that names the first member of a request that would change something the hub does not have.
  /// Clients send whole objects back, so what a member has already, as `current` says, is accepted, as are null and empty
  /// values.
  static func check(_ body: JSONValue, supported: Set<String>, current: JSONValue = [:]) throws {
    guard case .object(let members) = body else { return }
    for member in members where !supported.contains(member.name) && member.value != current[member.name] {
      guard current[member.name] == nil && isEmpty(member.value) || member.value == .null else {
        throw HubProblem(400, "\(member.name): metube-hub does not support this setting of Miniflux")
      }
    }
  }

  /// The text of a supported member; nil if it is absent, null or empty. Throws a `HubProblem` if it has another type.
  static func text(_ name: String, of body: JSONValue) throws -> String? {
    switch body[name] {
    case nil, .null: return nil
    case .string(let text): return text.isEmpty ? nil : text
    default: throw HubProblem(400, "\(name): takes a text")
    }
  }

  /// The whole number of a supported member; nil if it is absent or null. Throws a `HubProblem` if it has another type.
  static func number(_ name: String, of body: JSONValue) throws -> Int? {
    switch body[name] {
    case nil, .null: return nil
    case .number(let number):
      guard let whole = Int(exactly: number) else { fallthrough }
      return whole
    default: throw HubProblem(400, "\(name): takes a whole number")
    }
  }

  /// The truth value of a supported member; nil if it is absent or null. Throws a `HubProblem` if it has another type.
  static func boolean(_ name: String, of body: JSONValue) throws -> Bool? {
    switch body[name] {
    case nil, .null: return nil
    case .boolean(let boolean): return boolean
    default: throw HubProblem(400, "\(name): takes true or false")
    }
  }

  /// Whether a value is what a member has that was never set: null, false, zero, or nothing in it.
  private static func isEmpty(_ value: JSONValue) -> Bool {
    switch value {
    case .null, .boolean(false): true
    case .number(let number): number == 0
    case .string(let text): text.isEmpty
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    case .boolean: false
    }
  }
}
