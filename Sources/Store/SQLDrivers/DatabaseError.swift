import CSQLite

/// Why a database request failed, with the engine's message and SQLite's extended result code; from PostgreSQL the one
/// that SQLite has for the same, or 0.
@usableFromInline package enum DatabaseError: Error, Equatable {
  /// What is there is no database of ours, or is damaged.
  case damaged(code: Int32, String)
  /// Another connection held it for too long.
  case busy
  /// It cannot be written: read-only, full, or the folder is missing.
  case notWritable(code: Int32, String)
  case failed(code: Int32, String)
  /// The PostgreSQL server does not respond, refuses, or was lost within a transaction.
  case connectionLost(String)
  /// `Interruption` cancelled the query.
  case interrupted

  init(_ code: Int32, _ message: String) {
    self =
      switch code & 0xff {
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_FORMAT: .damaged(code: code, message)
      // The statements are constant: if one does not fit, the tables are not as they were made.
      case SQLITE_ERROR, SQLITE_CONSTRAINT: .damaged(code: code, message)
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_INTERRUPT: .interrupted
      case SQLITE_READONLY, SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_IOERR, SQLITE_NOLFS:
        .notWritable(code: code, message)
      default: .failed(code: code, message)
      }
  }
}

extension DatabaseError {
  /// What is wrong if statements of one connection meet several sessions of the server.
  static let poolMode =
    "a pooler between metube-hub and PostgreSQL gives each transaction another session; "
    + "set its pool_mode to session (see docs/many.md)"

  /// What an SQLSTATE means (PostgreSQL's manual, appendix A), from a server that is in recovery if `isStandby`.
  init(state: String, _ text: String, isStandby: Bool) {
    // A prepared statement that is missing, or somebody else's.
    let advice = ["26000", "42P05"].contains(state) ? "; \(DatabaseError.poolMode)" : ""
    let message = "\(text) (SQLSTATE \(state))\(advice)"
    self =
      switch state {
      // Serialization failure, deadlock, lock not available, statement timeout.
      case "40001", "40P01", "55P03", "57014": .busy
      case "53100": .notWritable(code: SQLITE_FULL, message)
      // A transaction that may only read, as on a standby server.
      case "25006": .notWritable(code: SQLITE_READONLY, message)
      // There the feature that is missing, or the state that is wrong, is recovery: unlogged tables, functions of the WAL.
      case "0A000" where isStandby, "55000" where isStandby:
        .notWritable(code: SQLITE_READONLY, message)
      // Data or an index is corrupted.
      case "XX001", "XX002": .damaged(code: 0, message)
      default: .failed(code: 0, message)
      }
  }
}

extension DatabaseError {
  /// Whether the disk has no room for what was to be written.
  package var isFull: Bool {
    if case .notWritable(let code, _) = self { code & 0xff == SQLITE_FULL } else { false }
  }
}
