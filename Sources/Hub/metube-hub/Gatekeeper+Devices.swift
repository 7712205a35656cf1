import Core
import HubCore
import HubLimits
import HubStore

/// Devices: who may write which log, and how a new one gets its token.
extension Gatekeeper {
  /// Lets a visitor write a log: that of the token's device, which is the first that it writes, or one that no token
  /// writes, whose lines it only carries: of a device known from a synchronised folder, or one that was lost, or of the
  /// hub itself before it was restored from a backup. Returns what may be done with the lines. Throws a `HubProblem` if
  /// nothing may.
  func bind(_ visitor: Visitor, toLog log: String, _ location: HubLocation) async throws -> LineRight {
    let token: Int64
    let user: String
    switch visitor {
    case .owner: return .writing
    case .known(.token(let id, let name, _)): (token, user) = (id, name)
    case .known: throw HubProblem(403, "only the token of a device may send lines; see metube-hub pair")
    }
    guard let device = DeviceID(log.prefix(DeviceID.length)) else { throw HubProblem(404, "no such log") }
    return try await accounts.run(on: HubThreads.accounts, of: user) { accounts in
      // What devices have of the catalogue came from it; no device may write it.
      if try location.isOfCatalogue(device, notOf: user, accounts) { return .returning }
      guard try !location.isOfAnother(device, than: user, accounts) else {
        throw HubProblem(403, "the log of another user's device")
      }
      let mayTake = try log == device.description && !location.isOwn(device, of: user, accounts)
      let writer = try accounts.writer(of: device.description, asking: token, mayTake: mayTake)
      if case .another = writer { return .mending }
      return .writing
    }
  }

  // MARK: Pairing

  /// Makes a code for the user of a session; a token gets none, because revoking it must suffice.
  func addPairing(_ visitor: Visitor) async throws -> String {
    guard case .known(.session(_, let user)) = visitor else {
      throw HubProblem(visitor.isOwner ? 409 : 403, "log in to pair a device")
    }
    return try await accounts.run(on: HubThreads.accounts, of: user) {
      try $0.addPairing(of: user, now: Gatekeeper.now)
    }
  }

  /// Throws a `HubProblem` without users.
  func checkMayPair(_ visitor: Visitor) throws {
    if visitor.isOwner { throw HubProblem(409, "this hub has no users; on its own machine no token is needed") }
  }

  /// The token of a new device that has a valid code, and the user that it belongs to.
  func pair(
    _ visitor: Visitor, _ device: DeviceID, name: String, code text: String, _ location: HubLocation,
    from address: String
  ) async throws -> (id: Int64, secret: String, user: String) {
    if let wait = try await byCode.wait(AddressBlock.containing(address), maximum: 20) {
      throw HubProblem(429, "too many attempts", retryAfter: wait)
    }
    let code = text.uppercased().filter { $0 != "-" && $0 != " " }
    let name = String(name.prefix(100))
    let made = try await accounts.run(on: HubThreads.accounts, of: IdentityTurns.turn(from: address)) { accounts in
      try Gatekeeper.limitingTokens {
        try accounts.pair(
          code: code, device: device.description, name: name.isEmpty ? device.description : name, now: Gatekeeper.now
        ) { user in
          guard try !location.isOwn(device, of: user, accounts), try !location.isOfAnother(device, than: user, accounts)
          else {
            throw HubProblem(403, "device \(device) is the hub's or another user's; its folder was copied from there")
          }
        }
      }
    }
    guard let made else { throw HubProblem(403, "the code is wrong or expired; make a new one") }
    return (made.id, made.secret, made.user)
  }
}
