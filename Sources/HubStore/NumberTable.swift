import ReadModel

/// Which number each thing has, in `hub.db`. One for each thread.
package final class NumberTable {
  private let database: Database
  private var known: [String: [String: Int]] = [:]

  /// Opens the table of a state folder, and creates it if absent.
  package init(folder: String) throws {
    _ = try Accounts(folder: folder)
    database = try Database(Accounts.path(in: folder), .readWrite)
    try database.execute(
      """
      PRAGMA synchronous = FULL;
      CREATE TABLE IF NOT EXISTS number (
        kind TEXT NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (kind, id), UNIQUE (kind, number))
        STRICT, WITHOUT ROWID;
      """)
  }

  /// The numbers of things of a kind, in their order; each gets one at first sight.
  package func numbers(of ids: [String], kind: String) throws -> [Int] {
    let unknown = ids.filter { known[kind]?[$0] == nil }
    if !unknown.isEmpty { try number(unknown, kind) }
    return ids.compactMap { known[kind]?[$0] }
  }

  private func number(_ ids: [String], _ kind: String) throws {
    var found: [String: Int] = [:]
    func look() throws -> [String] {
      for id in ids where found[id] == nil {
        let number = try database.integer("SELECT number FROM number WHERE kind = ? AND id = ?", kind, id)
        if let number { found[id] = Int(number) }
      }
      return ids.filter { found[$0] == nil }
    }
    if try !look().isEmpty {
      try database.execute("BEGIN IMMEDIATE")
      do {
        var next = Int(try database.integer("SELECT max(number) FROM number WHERE kind = ?", kind) ?? 0)
        for id in try look() where found[id] == nil {
          next += 1
          try database.run("INSERT INTO number VALUES (?, ?, ?)", kind, id, next)
          found[id] = next
        }
        try database.execute("COMMIT")
      } catch {
        try? database.execute("ROLLBACK")
        throw error
      }
    }
    known[kind, default: [:]].merge(found) { $1 }
  }

  /// The things that have these numbers, in their order; nil for a number that none has.
  package func ids(of numbers: [Int], kind: String) throws -> [String?] {
    try numbers.map { number in
      try database.first("SELECT id FROM number WHERE kind = ? AND number = ?", kind, number) { $0.text(0) }
    }
  }
}
