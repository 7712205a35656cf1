import CSQLite

/// Why a database could not answer, with the engine's message and SQLite's extended result code, 0 from PostgreSQL.
package enum DatabaseError: Error, Equatable {
  /// What is there is no database of ours, or is damaged.
  case damaged(code: Int32, String)
  /// Another connection held it for too long.
  case busy
  /// It cannot be written: read-only, full, or the folder is missing.
  case notWritable(code: Int32, String)
  case failed(code: Int32, String)
  /// The PostgreSQL server does not answer, refuses, or was lost within a transaction.
  case connectionLost(String)

  init(_ code: Int32, _ message: String) {
    self =
      switch code & 0xff {
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_SCHEMA, SQLITE_MISMATCH, SQLITE_FORMAT: .damaged(code: code, message)
      // The statements are constant: if one does not fit, the tables are not as they were made.
      case SQLITE_ERROR, SQLITE_CONSTRAINT: .damaged(code: code, message)
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_READONLY, SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_IOERR, SQLITE_NOLFS:
        .notWritable(code: code, message)
      default: .failed(code: code, message)
      }
  }
}

extension DatabaseError {
  /// What an SQLSTATE means (PostgreSQL's manual, appendix A).
  init(state: String, _ words: String) {
    let message = "\(words) (SQLSTATE \(state))"
    self =
      switch state {
      // Serialization failure, deadlock, lock not available, statement timeout.
      case "40001", "40P01", "55P03", "57014": .busy
      // Disk full, read-only transaction, as on a standby server.
      case "53100", "25006": .notWritable(code: 0, message)
      // Data or an index is corrupted.
      case "XX001", "XX002": .damaged(code: 0, message)
      default: .failed(code: 0, message)
      }
  }
}
