import Glibc
import SQLDrivers

/// Users, their sessions and tokens, which are not events. A separate SQLite database in the state folder, or tables of
/// the hub's database in PostgreSQL.
///
/// One for each thread. Passwords and secrets are kept as hashes only.
package final class Accounts {
  /// What a token may do.
  package enum Scope: String, CaseIterable, Sendable { case read, write }

  /// Who sent a request.
  package enum Identity: Equatable, Sendable {
    case anonymous
    case session(id: String, user: String)
    /// A name and a password with the request itself.
    case password(user: String)
    case token(id: Int64, user: String, scope: Scope)
  }

  /// A token of a program, without its secret.
  package struct Token: Equatable, Sendable {
    package var id: Int64
    package var user: String
    package var name: String
    package var scope: Scope
    package var created: Int64
    /// When it was last used, at most a minute before its last use; nil if never.
    package var used: Int64?
    /// The device whose log it writes; nil if it is no device's.
    package var device: String?
  }

  /// A session of a browser, without its secret.
  package struct Session: Equatable, Sendable {
    package var id: String
    /// What the browser called itself.
    package var agent: String
    package var created: Int64
    /// When it was last used, as of a token.
    package var used: Int64
    package var ends: Int64
  }

  package let database: Database

  /// The file in a state folder.
  package static func path(in folder: String) -> String { folder + "/hub.db" }

  /// Whether a state folder has accounts.
  package static func exist(in folder: String) -> Bool { access(path(in: folder), F_OK) == 0 }

  /// Whether a state folder has accounts with a user; creates none.
  package static func hasUsers(in folder: String) throws -> Bool {
    try exist(in: folder) && !Accounts(folder: folder).users().isEmpty
  }

  /// The accounts of a hub's database in PostgreSQL.
  package init(_ database: Database) { self.database = database }

  /// Opens the accounts of a state folder, and creates them if absent.
  package init(folder: String) throws {
    let path = Accounts.path(in: folder)
    mkdir(folder, 0o700)
    close(open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600))
    database = try Database(path, .readWrite)
    try database.execute(.sqlite("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON"))
    try bringUpToDate()
    do { try GoogleTables.make(in: database) } catch DatabaseError.notWritable {
      // A hub that can only be read; users without an account are offered one.
    }
  }

  /// Writes a copy of the accounts as they are now; the file must not exist. `VACUUM INTO`.
  package func copy(to path: String) throws {
    try database.run(.sqlite("VACUUM INTO ?"), path)
    chmod(path, 0o600)
  }

  // MARK: Sessions

  /// How long a session lasts, seconds: 30 days.
  package static let sessionLength: Int64 = 30 * 86_400
  /// The maximum number of sessions of a user; the oldest end first.
  private static let maxSessions = 20

  /// Starts a session and returns what its cookie holds: `id.secret`.
  package func addSession(of user: String, agent: String, now: Int64) throws -> String {
    let (id, secret) = (String(Secrets.make().prefix(16)), Secrets.make())
    try database.run(
      "INSERT INTO session (id, user, digest, ends, agent, used) VALUES (?, ?, ?, ?, ?, ?)", id, user,
      Secrets.digest(secret), now + Accounts.sessionLength, agent, now)
    try noteLogin(of: user, now: now)
    try database.run("DELETE FROM session WHERE ends < ?", now)
    try database.run(
      """
      DELETE FROM session WHERE user = ?1 AND id NOT IN
        (SELECT id FROM session WHERE user = ?1 ORDER BY ends DESC LIMIT ?2)
      """, user, Accounts.maxSessions)
    return "\(id).\(secret)"
  }

  /// The sessions of a user, the newest first.
  package func sessions(of user: String, now: Int64) throws -> [Session] {
    var sessions: [Session] = []
    try database.forEach(
      "SELECT id, agent, used, ends FROM session WHERE user = ? AND ends >= ? ORDER BY ends DESC, id", user, now
    ) { row in
      sessions.append(
        Session(
          id: row.text(0), agent: row.text(1), created: row.int(3) - Accounts.sessionLength, used: row.int(2),
          ends: row.int(3)))
    }
    return sessions
  }

  /// Ends a session of a user; returns false if the ID is unknown.
  package func endSession(_ id: String, of user: String) throws -> Bool {
    try database.run("DELETE FROM session WHERE id = ? AND user = ?", id, user)
    return database.changes == 1
  }

  /// Ends the sessions of a user but one; returns how many.
  package func endSessions(of user: String, but kept: String) throws -> Int {
    try database.run("DELETE FROM session WHERE user = ? AND id <> ?", user, kept)
    return Int(database.changes)
  }

  // MARK: Tokens

  /// The maximum number of tokens of a user. Readers that log in with a password may have some more of their own.
  package static let maxTokens = 100

  /// Adds a token of a user; returns its secret, which is shown once. Throws an `AccountsError` if the user has too many.
  package func addToken(of user: String, name: String, scope: Scope, now: Int64) throws -> (id: Int64, secret: String) {
    try database.transaction {
      try checkTokens(of: user)
      return try insertToken(of: user, name: name, scope: scope, now: now)
    }
  }

  /// Throws if a user has as many tokens as a user may have.
  func checkTokens(of user: String) throws {
    let count = try database.integer("SELECT count(*) FROM token WHERE user = ?", user) ?? 0
    guard count < Accounts.maxTokens else { throw AccountsError.tooManyTokens(maximum: Accounts.maxTokens) }
  }

  /// Inserts a token without checking the limit.
  func insertToken(of user: String, name: String, scope: Scope, now: Int64) throws -> (id: Int64, secret: String) {
    let secret = Accounts.tokenPrefix + Secrets.make()
    let id = try database.inserted(
      "INSERT INTO token (user, name, digest, scope, created) VALUES (?, ?, ?, ?, ?) RETURNING id", user, name,
      Secrets.digest(secret), scope.rawValue, now)
    return (id, secret)
  }

  /// The prefix of every token, which distinguishes it from a password.
  package static let tokenPrefix = "mth_"

  /// Adds the token of a reader that logged in with a password; its secret. Of many the oldest are revoked.
  package func addReaderToken(of user: String, now: Int64) throws -> String {
    let secret = try insertToken(of: user, name: Accounts.readerTokenName, scope: .write, now: now).secret
    try noteLogin(of: user, now: now)
    try database.run(
      """
      DELETE FROM token WHERE user = ?1 AND name = ?2 AND id NOT IN
        (SELECT id FROM token WHERE user = ?1 AND name = ?2 ORDER BY id DESC LIMIT ?3)
      """, user, Accounts.readerTokenName, Accounts.maxSessions)
    return secret
  }

  static let readerTokenName = "reader (ClientLogin)"

  /// The tokens of a user, or of all.
  package func tokens(of user: String?) throws -> [Token] {
    var tokens: [Token] = []
    try database.forEach(
      "SELECT id, user, name, scope, created, used, device FROM token WHERE ?1 IS NULL OR user = ?1 ORDER BY id", user
    ) { row in
      tokens.append(
        Token(
          id: row.int(0), user: row.text(1), name: row.text(2), scope: Scope(rawValue: row.text(3)) ?? .read,
          created: row.int(4), used: row.optionalInt(5), device: row.optionalText(6)))
    }
    return tokens
  }

  /// Revokes a token, of a user if one is given; returns false if the ID is unknown.
  package func revokeToken(_ id: Int64, of user: String?) throws -> Bool {
    try database.run("DELETE FROM token WHERE id = ?1 AND (?2 IS NULL OR user = ?2)", id, user)
    return database.changes == 1
  }

  // MARK: Identification

  /// How long a recorded use of a token or a session covers later uses, seconds: one write each minute, not each
  /// request.
  private static let useStep: Int64 = 60

  /// Who sent a request with this token or this cookie; a token that is wrong is not made good by a cookie. Throws
  /// `disabled` if the token or cookie is right, and its user may use nothing.
  package func identify(token: String?, session: String?, now: Int64) throws -> Identity {
    if let token { return try identify(token: token, now: now) }
    guard let parts = session?.split(separator: "."), parts.count == 2 else { return .anonymous }
    let found = try database.first(
      """
      SELECT user, digest, used, disabled FROM session JOIN user AS account ON account.name = user
      WHERE id = ? AND ends >= ?
      """, String(parts[0]), now
    ) { row in (user: row.text(0), digest: row.blob(1), used: row.int(2), isDisabled: row.optionalInt(3) != nil) }
    guard let found, Secrets.areEqual(found.digest, Secrets.digest(String(parts[1]))) else { return .anonymous }
    if found.isDisabled { throw AccountsError.disabled }
    if found.used + Accounts.useStep <= now {
      // As for tokens.
      try? database.run("UPDATE session SET used = ? WHERE id = ?", now, String(parts[0]))
    }
    return .session(id: String(parts[0]), user: found.user)
  }

  private func identify(token: String, now: Int64) throws -> Identity {
    let found = try database.first(
      """
      SELECT id, user, scope, used, disabled FROM token JOIN user AS account ON account.name = user WHERE digest = ?
      """, Secrets.digest(token)
    ) { row in
      (
        id: row.int(0), user: row.text(1), scope: Scope(rawValue: row.text(2)), used: row.optionalInt(3),
        isDisabled: row.optionalInt(4) != nil
      )
    }
    guard let found, let scope = found.scope else { return .anonymous }
    if found.isDisabled { throw AccountsError.disabled }
    if (found.used ?? 0) + Accounts.useStep <= now {
      // Not worth locking the token out on a full disk.
      try? database.run("UPDATE token SET used = ? WHERE id = ?", now, found.id)
    }
    return .token(id: found.id, user: found.user, scope: scope)
  }
}

/// Why accounts refuse something.
package enum AccountsError: Error, Equatable {
  case tooManyTokens(maximum: Int)
  /// The user may use nothing until an administrator allows it again.
  case disabled
  /// Another user has the name.
  case nameTaken
  /// The hub would be left without an administrator who may use it.
  case lastAdministrator
}
