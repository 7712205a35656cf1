import HubCore
import HubStore
import Synchronization
import TestSupport
import Testing

@testable import HubLimits
@testable import metube_hub

/// Passwords are guessed by counts and a clock of the test, and a look at one is counted instead of hashed.
@Suite("Passwords")
struct PasswordCheckTests {
  private let accounts: Accounts
  private let world: World
  private let home = "192.0.2.1"
  private let elsewhere = "198.51.100.1"

  private enum Outcome: Sendable { case right, wrong, refused }

  /// What the passwords are verified in.
  private final class World: Sendable {
    let folder = TemporaryFolder()
    private let now = Mutex(ContinuousClock.now)
    /// The passwords that were looked at.
    private let looks = Mutex<[String]>([])
    private let passwords = Mutex<PasswordCheck?>(nil)

    var count: Int { looks.withLock { $0.count } }

    func open() {
      let path = folder.path
      let check = PasswordCheck(
        ConnectionPool { try Accounts(folder: path) }, isShared: false,
        now: { [unowned self] in self.now.withLock { $0 } },
        verify: { [unowned self] password, hash in
          self.looks.withLock { $0.append(password) }
          return hash == "hash of \(password)"
        })
      passwords.withLock { $0 = check }
    }

    func pass(seconds: Int) { now.withLock { $0 += .seconds(seconds) } }

    func note(password hash: String, of name: String, from address: String) {
      passwords.withLock { $0?.note(password: hash, of: name, from: address) }
    }

    func attempt(
      _ password: String, _ name: String, from address: String, inSession session: String? = nil
    ) async throws -> Outcome {
      let check = try #require(passwords.withLock { $0 })
      do {
        guard let session else {
          return try await check.isRight(password, of: name, from: address) ? .right : .wrong
        }
        return try await check.isRight(password, of: name, inSession: session, from: address) ? .right : .wrong
      } catch let problem as HubProblem where problem.status == 429 {
        return .refused
      }
    }

    /// The responses to guesses that all arrive at once.
    func attempt(atOnce guesses: [String], from address: String) async throws -> [Outcome] {
      try await withThrowingTaskGroup(of: Outcome.self) { group in
        for guess in guesses { group.addTask { try await self.attempt(guess, "ann", from: address) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
    }
  }

  init() throws {
    world = World()
    world.open()
    accounts = try Accounts(folder: world.folder.path)
    for name in ["ann", "bob"] { #expect(try accounts.addUser(name, hash: "hash of right", now: 0)) }
  }

  private func attempt(_ password: String, _ name: String = "ann", from address: String) async throws -> Outcome {
    try await world.attempt(password, name, from: address)
  }

  /// Guesses wrong so often that the limit is reached.
  private func exhaust(_ name: String = "ann", from address: String, _ count: Int = 5) async throws {
    for number in 0..<count { #expect(try await attempt("guess \(number)", name, from: address) == .wrong) }
    #expect(try await attempt("one more", name, from: address) == .refused)
  }

  @Test("At the limit no password is verified, right or wrong, known or not")
  func noOracle() async throws {
    #expect(try await attempt("right", from: home) == .right)
    try await exhaust(from: elsewhere)
    #expect(world.count == 6)
    for number in 0..<100 { #expect(try await attempt("\(number)", from: elsewhere) == .refused) }
    #expect(try await attempt("right", from: elsewhere) == .refused, "although it was right before")
    #expect(try await attempt("guess 1", from: elsewhere) == .refused, "although it is known to be wrong")
    #expect(world.count == 6)
    world.pass(seconds: 60)
    #expect(try await attempt("right", from: elsewhere) == .right)
    #expect(world.count == 6, "a right one is looked at once")
  }

  @Test("Of many simultaneous guesses no more are verified than of sequential ones")
  func atOnce() async throws {
    #expect(try await attempt("right", from: home) == .right)
    let outcomes = try await world.attempt(atOnce: (0..<300).map { "\($0)" }, from: elsewhere)
    #expect(outcomes.count { $0 == .wrong } == 5 && outcomes.count { $0 == .refused } == 295)
    #expect(world.count == 6)
    #expect(try await attempt("right", from: elsewhere) == .refused)
  }

  @Test("A reader with the right password is never limited, even with many requests at once from the start")
  func rightAtOnce() async throws {
    let outcomes = try await world.attempt(atOnce: Array(repeating: "right", count: 100), from: home)
    #expect(outcomes.allSatisfy { $0 == .right } && world.count == 1)
    for _ in 0..<100 { #expect(try await attempt("right", from: home) == .right) }
    try await exhaust(from: home)
  }

  @Test("A stranger's guesses from elsewhere lock no user out where that user logged in before")
  func atHome() async throws {
    #expect(try await attempt("right", from: home) == .right)
    try await exhaust(from: elsewhere)
    #expect(try await attempt("right", from: home) == .right)
    #expect(try await attempt("right", "bob", from: elsewhere) == .right, "another name")
    #expect(try await attempt("right", from: "203.0.113.9") == .refused, "the name is limited where it is new")
  }

  @Test("Where a user logged in before, wrong passwords have a limit of their own, which right ones share")
  func sameAddress() async throws {
    #expect(try await attempt("right", from: home) == .right)
    try await exhaust(from: home)
    #expect(try await attempt("right", from: home) == .refused)
    #expect(world.count == 6)
    #expect(try await attempt("right", from: elsewhere) == .right, "without guesses from elsewhere")
    #expect(try await attempt("right", "bob", from: home) == .right, "nor for another name")
    world.pass(seconds: 60)
    #expect(try await attempt("right", from: home) == .right)
  }

  @Test("Guesses for other names at one address lock out only whom the hub has not seen there")
  func address() async throws {
    #expect(try await attempt("right", from: home) == .right)
    for number in 0..<20 { #expect(try await attempt("x", "n\(number)", from: home) == .wrong) }
    #expect(try await attempt("right", "bob", from: home) == .refused)
    #expect(try await attempt("right", from: home) == .right)
  }

  @Test("A /64 is one address")
  func addressesOfVersion6() async throws {
    for number in 0..<20 { #expect(try await attempt("x", "n\(number)", from: "2001:db8::\(number + 1)") == .wrong) }
    #expect(try await attempt("right", from: "2001:db8::ffff:1") == .refused)
    #expect(try await attempt("right", from: "2001:db8:0:1::1") == .right)
  }

  @Test("A new password ends what was known of the old one")
  func newPassword() async throws {
    #expect(try await attempt("right", from: home) == .right)
    #expect(try accounts.setPassword(of: "ann", hash: "hash of newer"))
    #expect(try await attempt("right", from: home) == .wrong)
    try await exhaust(from: elsewhere, 4)
    #expect(try await attempt("newer", from: home) == .refused, "the hub has not seen it there")
  }

  @Test("In a session attempts count by the session, which others' guesses do not touch, and which touches no others")
  func session() async throws {
    try await exhaust(from: elsewhere)
    #expect(try await world.attempt("right", "ann", from: elsewhere, inSession: "s1") == .right)
    for number in 0..<5 {
      #expect(try await world.attempt("wrong \(number)", "ann", from: home, inSession: "s1") == .wrong)
    }
    let count = world.count
    #expect(try await world.attempt("right", "ann", from: home, inSession: "s1") == .refused, "as a wrong one")
    #expect(try await world.attempt("wrong", "ann", from: home, inSession: "s1") == .refused)
    #expect(world.count == count)
    #expect(try await world.attempt("right", "ann", from: home, inSession: "s2") == .right)
    #expect(try await attempt("right", "bob", from: home) == .right)
  }

  @Test("Where a user sets a password it can be used whatever others guess, and nowhere else")
  func set() async throws {
    try await exhaust(from: elsewhere)
    #expect(try accounts.setPassword(of: "ann", hash: "hash of newer"))
    world.note(password: "hash of newer", of: "ann", from: home)
    #expect(try await attempt("newer", from: home) == .right)
    #expect(try await attempt("newer", from: "203.0.113.9") == .refused)
  }

  @Test("A wrong password again is the same attempt, so that a reader with an old one leaves attempts to its user")
  func repeated() async throws {
    #expect(try await attempt("right", from: home) == .right)
    for _ in 0..<50 { #expect(try await attempt("old", from: home) == .wrong) }
    #expect(world.count == 2)
    #expect(try await attempt("right", from: home) == .right)
    world.pass(seconds: 60)
    #expect(try await attempt("old", from: home) == .wrong)
    #expect(world.count == 3, "for a minute")
  }

  @Test("Names that no user can have, and passwords that are too long, are wrong")
  func invalid() async throws {
    #expect(try await attempt("right", "../ann", from: home) == .wrong)
    #expect(world.count == 0)
    let long = String(repeating: "é", count: 1 << 19)
    #expect(try await attempt(long, from: home) == .wrong)
    #expect(try await PasswordCheck.hasHash(String(repeating: "x", count: 513), "*") == false)
  }
}
