import HubStore
import Synchronization

/// Whose turn it is to be identified: few threads read the accounts, and every request needs one of them before it is
/// known whose it is. So the credentials that were right are remembered, for turns only: what they are worth is looked up
/// for each request. All others take the turn of their address.
package final class IdentityTurns: Sendable {
  /// The users of credentials, by their digests.
  private let users = Mutex(BoundedTable<[UInt8], String>(maximum: 20_000))

  package init() {}

  /// Whose turn a request takes that came with a credential.
  package func turn(of credential: String, from address: String) -> String {
    users.withLock { $0[Secrets.digest(credential)] } ?? IdentityTurns.turn(from: address)
  }

  /// The turn of requests whose user is unknown; no user has such a name.
  package static func turn(from address: String) -> String { "from \(AddressBlock.containing(address))" }

  /// Remembers whose a credential is.
  package func note(_ credential: String, of user: String) {
    let digest = Secrets.digest(credential)
    users.withLock { if $0[digest] != user { $0[digest] = user } }
  }
}
