import SQLDrivers

/// When the MeTube app visited, and what got numbers since.
extension NumberStore {
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
