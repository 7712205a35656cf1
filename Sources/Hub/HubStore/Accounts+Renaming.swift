import SQLDrivers

/// Renaming users whose logs are in folders: the accounts note first what is about to happen, so that the next process
/// that opens them after a crash completes it. PostgreSQL renames in one transaction.
extension Accounts {
  /// Notes that a user and the user's folder get another name. Returns false if the user is unknown. Throws `nameTaken` if
  /// another user has the name or is about to get it.
  package func beginRenaming(_ name: String, to later: String) throws -> Bool {
    try database.transaction {
      guard try hash(of: name) != nil else { return false }
      let others = try database.integer(
        .sqlite("SELECT count(*) FROM renaming WHERE later = ? AND former <> ?"), later, name)
      guard try hash(of: later) == nil, others == 0 else { throw AccountsError.nameTaken }
      try database.run(.sqlite("INSERT OR REPLACE INTO renaming VALUES (?, ?)"), name, later)
      return true
    }
  }

  /// What was begun and not completed; empty with PostgreSQL.
  package func renamings() throws -> [(former: String, later: String)] {
    if database.isPostgres { return [] }
    var found: [(former: String, later: String)] = []
    try database.forEach(.sqlite("SELECT former, later FROM renaming ORDER BY former")) {
      found.append(($0.text(0), $0.text(1)))
    }
    return found
  }

  /// Completes a renaming. `move` gives the folder its name, which it may have already; if it returns false, or if there is
  /// no such user any more, all stays as it is. If the process ends on the way, the renaming is still to be completed.
  package func completeRenaming(_ name: String, to later: String, move: () throws -> Bool) throws -> Bool {
    try database.transaction {
      try database.run(.sqlite("DELETE FROM renaming WHERE former = ?"), name)
      guard try hash(of: name) != nil, try hash(of: later) == nil, try move() else { return false }
      return try rename(name, to: later)
    }
  }
}
