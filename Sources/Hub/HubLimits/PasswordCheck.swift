import HubCore
import HubStore
import Synchronization

/// Verifies passwords, which can be guessed, for every door of the hub.
///
/// Each attempt is reserved before anything looks at the password, by the name and the address, or, where this user has
/// logged in before, by both together: a stranger's guesses lock no user out at home. Memory of an address counts as
/// long as the password stays the same.
package final class PasswordCheck: Sendable {
  private let accounts: ConnectionPool<Accounts>
  /// Whether all processes of a hub count together.
  private let isShared: Bool
  private let now: @Sendable () -> Attempts.Instant
  private let verify: @Sendable (_ password: String, _ hash: String) async throws -> Bool
  private let state = Mutex(State())

  private struct State {
    var attempts = Attempts()
    /// For each user, the digest of the last right guess: readers send the password with every request.
    var right = BoundedTable<String, [UInt8]>(maximum: 20_000)
    /// The hash of the password with which a name logged in at an address.
    var proven = BoundedTable<Attempts.Key, String>(maximum: 20_000)
    /// Guesses that are being verified, or were wrong in the last minute, by their digests. Repeating one reveals
    /// nothing, so it is not counted: a reader with an old password leaves attempts to its user.
    var pending = BoundedTable<[UInt8], Pending>(maximum: 20_000)
  }

  private struct Pending {
    var began: Attempts.Instant
    var isRight: Task<Bool, any Error>
  }

  /// A password for a name, from an address.
  private struct Guess: Sendable {
    var name: String
    var address: String
    var password: String
    /// The hash of the user's password; nil if the user is unknown.
    var hash: String?
    var digest: [UInt8]

    var pair: Attempts.Key { .pair(name, address) }
  }

  private enum Verdict {
    case refused(Duration)
    case right
    case pending(Task<Bool, any Error>)
  }

  package init(
    _ accounts: ConnectionPool<Accounts>, isShared: Bool, now: @escaping @Sendable () -> Attempts.Instant,
    verify: @escaping @Sendable (_ password: String, _ hash: String) async throws -> Bool
  ) {
    (self.accounts, self.isShared, self.now, self.verify) = (accounts, isShared, now, verify)
  }

  /// The longest password, bytes.
  private static let longest = 512

  /// Whether a password has a hash: 20 ms of a core.
  package static func hasHash(_ password: String, _ hash: String) async throws -> Bool {
    try await HubThreads.hashing.run { password.utf8.count <= longest && Secrets.isRight(password, hash: hash) }
  }

  /// Whether a password is a user's. Takes the same time for unknown names. Throws a `HubProblem` after too many attempts,
  /// whether the password is right or wrong.
  package func isRight(_ password: String, of name: String, from client: String) async throws -> Bool {
    let guess = try await guess(password, name, AddressBlock.containing(client))
    return try await isRight(guess, in: nil)
  }

  /// Whether a password is that of the user of a session, whose attempts count by the session: no guess without it keeps
  /// the user from changing the password.
  package func isRight(_ password: String, of name: String, inSession session: String, from client: String) async throws
    -> Bool
  {
    let key = Attempts.Key.session(session, of: name)
    let guess = try await guess(password, name, AddressBlock.containing(client), key)
    return try await isRight(guess, in: key)
  }

  /// Notes that a user set a password at an address: it is one at which that user logged in.
  package func note(password hash: String, of name: String, from client: String) {
    state.withLock { $0.proven[.pair(name, AddressBlock.containing(client))] = hash }
  }

  private func isRight(_ guess: Guess, in session: Attempts.Key?) async throws -> Bool {
    switch state.withLock({ decide(guess, in: session, &$0) }) {
    case .refused(let wait): throw PasswordCheck.refusal(wait)
    case .right: return true
    case .pending(let task):
      guard try await task.value else { return false }
      state.withLock { $0.proven[guess.pair] = guess.hash }
      return true
    }
  }

  private static func refusal(_ wait: Duration) -> HubProblem {
    HubProblem(429, "too many attempts", retryAfter: max(1, Int(wait.components.seconds) + 1))
  }

  /// Looks up the hash of a name, and what other processes counted.
  private func guess(
    _ password: String, _ name: String, _ address: String, _ session: Attempts.Key? = nil
  ) async throws -> Guess {
    let isValid = HubFiles.isValid(user: name)
    let keys: [Attempts.Key] =
      session.map { [$0] } ?? [.address(address)] + (isValid ? [.name(name), .pair(name, address)] : [])
    let (hash, counts) = try await accounts.run(
      on: HubThreads.accounts, of: turn(of: name, from: address)
    ) { [isShared] accounts in
      (try isValid ? accounts.hash(of: name) : nil, try isShared ? accounts.attempts(keys.map(\.shared)) : [:])
    }
    if !counts.isEmpty {
      let now = now()
      state.withLock { state in
        for key in keys {
          guard let known = counts[key.shared] else { continue }
          state.attempts.learn(key, count: known.count, until: now + .seconds(known.seconds), at: now)
        }
      }
    }
    // A longer one is wrong, whatever follows.
    let password = String(decoding: password.utf8.prefix(PasswordCheck.longest + 1), as: UTF8.self)
    // With the name: which names are known shows in nothing.
    let digest = Secrets.digest("\(name)\u{0}\(hash ?? "")\u{0}\(password)")
    return Guess(name: name, address: address, password: password, hash: hash, digest: digest)
  }

  /// What a guess counts for: in one step, because of many at once only as many may be looked at as are left.
  private func decide(_ guess: Guess, in session: Attempts.Key?, _ state: inout State) -> Verdict {
    let isValid = HubFiles.isValid(user: guess.name)
    let isProven = guess.hash != nil && state.proven[guess.pair] == guess.hash
    let keys: [Attempts.Key] =
      if let session { [session] } else if isProven { [guess.pair] } else {
        [.address(guess.address)] + (isValid ? [.name(guess.name)] : [])
      }
    let now = now()
    if let wait = state.attempts.wait(keys, at: now) { return .refused(wait) }
    if guess.hash != nil, let right = state.right[guess.name], Secrets.areEqual(right, guess.digest) {
      state.proven[guess.pair] = guess.hash
      return .right
    }
    if let pending = state.pending[guess.digest], now - pending.began < Attempts.length {
      return .pending(pending.isRight)
    }
    state.attempts.reserve(keys, at: now)
    let task = Task { try await self.look(at: guess, isValid: isValid, keys, reserved: now) }
    state.pending[guess.digest] = Pending(began: now, isRight: task)
    return .pending(task)
  }

  /// Looks at a guess for which an attempt is reserved in this process.
  private func look(
    at guess: Guess, isValid: Bool, _ keys: [Attempts.Key], reserved: Attempts.Instant
  ) async throws -> Bool {
    do {
      try await reserveInAll(keys, turn(of: guess.name, from: guess.address))
      let isRight = isValid ? try await verify(guess.password, guess.hash ?? Secrets.noPassword) : false
      guard isRight, guess.hash != nil else { return false }
      if isShared {
        try await accounts.run(on: HubThreads.accounts, of: turn(of: guess.name, from: guess.address)) {
          try $0.takeBack(attempts: keys.map(\.shared))
        }
      }
      let now = now()
      state.withLock { state in
        state.attempts.release(keys, reserved: reserved, at: now)
        state.right[guess.name] = guess.digest
        state.pending[guess.digest] = nil
      }
      return true
    } catch {
      state.withLock { $0.pending[guess.digest] = nil }
      throw error
    }
  }

  /// Whose turn a guess takes: a user's where this one has logged in before, else that of the address.
  private func turn(of name: String, from address: String) -> String {
    let isProven = state.withLock { $0.proven[.pair(name, address)] != nil }
    return isProven ? name : IdentityTurns.turn(from: address)
  }

  /// Counts an attempt for all processes. Throws a `HubProblem` if they had too many.
  private func reserveInAll(_ keys: [Attempts.Key], _ turn: String) async throws {
    guard isShared else { return }
    let wait = try await accounts.run(on: HubThreads.accounts, of: turn) { accounts in
      try keys.compactMap { try accounts.count($0.shared, times: 1, maximum: $0.maximum) }.max()
    }
    if let wait { throw PasswordCheck.refusal(.seconds(wait - 1)) }
  }
}
