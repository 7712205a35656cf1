import SQLDrivers

/// Numbers in their order, and when the MeTube app visited.
extension NumberStore {
  /// The keys of a kind with numbers between two others, in the order of their numbers, at most `limit`. Numbers that
  /// belong to nothing any more have keys that name nothing.
  package func page(
    _ kind: Kind, _ range: (above: Int, below: Int), descending: Bool, limit: Int
  ) throws -> [(number: Int, key: String)] {
    var page: [(number: Int, key: String)] = []
    let order: SQL = "kind = ?1 AND n > ?2 AND n < ?3 ORDER BY n \("DESC", if: descending) LIMIT ?4"
    func add(_ row: Statement) { page.append((Int(row.int(0)), row.text(1))) }
    let (above, below) = (min(max(range.above, 0), NumberStore.last), min(max(range.below, 0), NumberStore.last + 1))
    if let owner {
      try database.scan(
        "SELECT n, key FROM number WHERE owner = ?5 AND \(order)", kind.rawValue, above, below, limit, owner, body: add)
    } else {
      try database.scan("SELECT n, key FROM number WHERE \(order)", kind.rawValue, above, below, limit, body: add)
    }
    return page
  }

  /// The last number that can be assigned; in PostgreSQL the column is as wide.
  private static let last = Int(Int32.max)

  /// The keys of a kind that have numbers above this one.
  package func keys(_ kind: Kind, above number: Int) throws -> [String] {
    var keys: [String] = []
    if let owner {
      try database.scan(
        "SELECT key FROM number WHERE owner = ? AND kind = ? AND n > ?", owner, kind.rawValue, number
      ) { keys.append($0.text(0)) }
    } else {
      try database.scan("SELECT key FROM number WHERE kind = ? AND n > ?", kind.rawValue, number) {
        keys.append($0.text(0))
      }
    }
    return keys
  }

  /// The number of the visit whose key is between two others, the lowest if there were several; else of the last one
  /// before, else of the first one after.
  package func visit(from first: String, to last: String) throws -> Int? {
    let visits: SQL = owner == nil ? "number WHERE" : "number WHERE owner = ?4 AND"
    let query: SQL = """
      SELECT coalesce(
        (SELECT min(n) FROM \(visits) kind = ?1 AND key BETWEEN ?2 AND ?3),
        (SELECT n FROM \(visits) kind = ?1 AND key < ?2 ORDER BY key DESC LIMIT 1),
        (SELECT n FROM \(visits) kind = ?1 AND key > ?3 ORDER BY key LIMIT 1))
      """
    let kind = Kind.visit.rawValue
    let found =
      if let owner {
        try database.integer(query, kind, first, last, owner)
      } else {
        try database.integer(query, kind, first, last)
      }
    return found.map { Int($0) }
  }

  /// Removes the numbers of keys of a kind that are lower than another one.
  package func remove(_ kind: Kind, before key: String) throws {
    guard let owner else {
      return try database.run("DELETE FROM number WHERE kind = ? AND key < ?", kind.rawValue, key)
    }
    try database.run("DELETE FROM number WHERE owner = ? AND kind = ? AND key < ?", owner, kind.rawValue, key)
  }
}
