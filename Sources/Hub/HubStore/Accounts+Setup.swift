import SQLDrivers

/// How the first user of a hub is made: by its operator, or with a one-time code, which all processes of the hub share.
/// Once there was a user no code is valid any more, for ever: a mark stays in the store.
extension Accounts {
  /// What is known of the first user and the code.
  package struct Setup: Equatable, Sendable {
    /// Whether there is a user, or was one.
    package var isOver: Bool
    /// The digest of the code; empty without one.
    package var digest: [UInt8]
    /// Whether a new code is needed before any can be valid: after too many wrong ones, or at first.
    package var isVoid: Bool

    package init(isOver: Bool, digest: [UInt8], isVoid: Bool) {
      (self.isOver, self.digest, self.isVoid) = (isOver, digest, isVoid)
    }
  }

  /// What becomes of a code that somebody typed.
  package enum CodeVerdict: Sendable {
    case right, wrong
    /// No code is right until another one is made.
    case void
    /// There is or was a user.
    case over
  }

  /// Who makes the first user.
  package enum Maker: Sendable {
    /// Somebody with the code.
    case code(String)
    /// The operator of the hub, if there is no user.
    case operatorNow
    /// The operator, if there never was a user: settings outlive users.
    case operatorOnce
  }

  /// How many letters a code has: 80 bits.
  package static let setupLength = 16
  /// After how many wrong codes, at whatever process and from whatever address, the right one is void.
  package static let maxWrongCodes = 10

  package func setup() throws -> Setup {
    // First: a hub of the version before, on a disk that can only be read, has no other table.
    if try countOfUsers() > 0 { return Setup(isOver: true, digest: [], isVoid: true) }
    let found = try database.first("SELECT digest, failures, finished FROM setup WHERE n = 1") { row in
      (digest: row.blob(0), failures: row.int(1), finished: row.optionalInt(2))
    }
    return Setup(
      isOver: found?.finished != nil, digest: found?.digest ?? [],
      isVoid: found.map { $0.digest.isEmpty || $0.failures >= Accounts.maxWrongCodes } ?? true)
  }

  /// When there was the first user; nil if there never was one.
  var finishedSetup: Int64? {
    get throws {
      // As above.
      if let created = try database.integer("SELECT min(created) FROM user") { return created }
      return try database.integer("SELECT finished FROM setup WHERE n = 1")
    }
  }

  /// Notes for ever that there is a user. Another process that makes one at the same time waits until this transaction
  /// ends.
  func finishSetup(now: Int64) throws {
    try database.run(
      """
      INSERT INTO setup (n, digest, failures, finished) VALUES (1, ?, 0, ?)
      ON CONFLICT (n) DO UPDATE
        SET digest = excluded.digest, failures = 0, finished = coalesce(setup.finished, excluded.finished)
      """, [UInt8](), now)
  }

  // MARK: The code

  /// Makes a code that is valid for all processes, instead of the one with the digest `old`; nil if that one is not valid
  /// any more, because there is a user or another process made a new one. Only a digest is kept, so a process that
  /// starts makes a new code, whatever the one so far is: `old` is nil.
  package func makeSetupCode(insteadOf old: [UInt8]?) throws -> (code: String, digest: [UInt8])? {
    let code = Secrets.makeCode(of: Accounts.setupLength)
    let digest = Secrets.digest(code)
    return try database.transaction {
      try awaitOthers()
      let known = try setup()
      guard !known.isOver, old == nil || old == known.digest else { return nil }
      try database.run("UPDATE setup SET digest = ?, failures = 0 WHERE n = 1", digest)
      return (code, digest)
    }
  }

  /// Whether a code, without what groups it, is right. A wrong one counts.
  package func tryCode(_ code: String) throws -> CodeVerdict { try database.transaction { try verdict(of: code) } }

  /// Verifies a code within a transaction; others with a code wait for it.
  private func verdict(of code: String) throws -> CodeVerdict {
    // Counted before it is compared: of any number of guesses at once only so many are looked at.
    let digest = try database.first(
      "UPDATE setup SET failures = failures + 1 WHERE n = 1 AND finished IS NULL AND failures < ? RETURNING digest",
      Int64(Accounts.maxWrongCodes)
    ) { $0.blob(0) }
    if try setup().isOver { return .over }
    guard let digest, !digest.isEmpty else { return .void }
    guard Secrets.areEqual(digest, Secrets.digest(code)) else { return .wrong }
    try database.run("UPDATE setup SET failures = failures - 1 WHERE n = 1")
    return .right
  }

  // MARK: The user

  /// Makes the first user, exactly one of however many try. `prepare` makes what the user needs first; if it throws,
  /// nothing is changed. `device` is the ID under which a hub with a database appends to the user's log; nil with files.
  package func addFirstUser(
    _ name: String, hash: String, by maker: Maker, device: String?, now: Int64, prepare: () throws -> Void
  ) throws -> CodeVerdict {
    try database.transaction {
      switch maker {
      case .code(let code):
        let verdict = try verdict(of: code)
        guard verdict == .right else { return verdict }
      case .operatorNow:
        try awaitOthers()
        guard try countOfUsers() == 0 else { return .over }
      case .operatorOnce:
        try awaitOthers()
        guard try !setup().isOver else { return .over }
      }
      try prepare()
      let isAdded =
        try device.map { try insertOwner(name, hash: hash, device: $0, now: now) }
        ?? addUser(name, hash: hash, now: now)
      return isAdded ? .right : .over
    }
  }

  /// Waits until no other process creates the first user, or changes administrators or names of users; then it is known
  /// whether one did.
  func awaitOthers() throws {
    try database.run(
      """
      INSERT INTO setup (n, digest, failures) VALUES (1, ?, 0)
      ON CONFLICT (n) DO UPDATE SET failures = setup.failures
      """, [UInt8]())
  }
}
