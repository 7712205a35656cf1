import Core
import Library
import Messages
import Platform
import ReadModel
import SQLDrivers

/// The PostgreSQL database of a hub: where it is, and how its connections behave.
package struct HubDatabase: Sendable {
  private let address: String
  package let schema: String

  /// `address` is a URL or `key=value` pairs as libpq takes them; whether it is well-formed shows when it is used.
  /// Throws if the schema's name is invalid.
  package init(address: String, schema: String) throws {
    func isPlain(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte) || byte == UInt8(ascii: "_") }
    guard (1...63).contains(schema.utf8.count), schema.utf8.first.map(isPlain) == true,
      schema.utf8.allSatisfy({ isPlain($0) || (0x30...0x39).contains($0) }), !schema.hasPrefix("pg_")
    else {
      throw Failure(
        .usage, "the schema “\(DisplayText(schema).text)”: use small letters, digits and underscores")
    }
    (self.address, self.schema) = (address, schema)
  }

  /// What a connection is for, which decides how long one statement may take, and wait for another transaction.
  package enum Use: Sendable {
    /// Requests of users.
    case requests
    /// What every request needs: accounts, limits, health. Statements of a moment.
    case accounts
    /// What takes as long as it takes.
    case maintenance

    fileprivate var timeouts: (statement: Int, lock: Int) {
      switch self {
      case .requests: (30, 10)
      case .accounts: (10, 5)
      case .maintenance: (0, 0)
      }
    }
  }

  /// A new connection.
  package func connect(for use: Use) throws(DatabaseError) -> Database {
    let timeouts = use.timeouts
    return try Database(
      PostgresSettings(
        address: address, schema: schema, statementTimeout: timeouts.statement, lockTimeout: timeouts.lock))
  }

  /// Fills the tables of a user from the log, so that what it follows is polled before the user looks.
  package func fill(_ user: String) throws {
    try HubDatabase.reporting {
      _ = try PostgresLibrary(connect(for: .maintenance), of: user, clock: Clock.milliseconds)
    }
  }

  /// Calls `body` with failures of the database turned into messages.
  package static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as DatabaseError { throw failure(error) }
  }

  /// A failure of the database as a message, which never has the address: that may have a password.
  package static func failure(_ error: DatabaseError) -> Failure { UserMessages.databaseFailure(error) }

  package static let standardSchema = "metube"
}
