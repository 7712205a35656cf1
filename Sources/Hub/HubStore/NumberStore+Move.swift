import SQLDrivers

/// Numbers and lists of an owner, copied from files into a hub's database or back.
extension NumberStore {
  private static let table = TableCopy(
    "number", [("n", .integer), ("kind", .integer), ("key", .text)], hasOwner: true)

  /// Copies the numbers of this file, and how far they were assigned, into a database where the owner has none.
  package func copy(into other: Database, owner: Int64) throws {
    _ = try NumberStore.table.copy(from: database, to: other, owner: owner)
    try other.run(
      """
      INSERT INTO number_counter(owner, last) SELECT ?1, greatest(?2, coalesce(max(n), 0)) FROM number WHERE owner = ?1
      """, owner, try reserved())
  }

  /// Copies those of an owner into this file, which has none.
  package func fill(from other: Database, owner: Int64) throws {
    _ = try NumberStore.table.copy(from: other, to: database, owner: owner)
    try reserve(try other.integer("SELECT last FROM number_counter WHERE owner = ?", owner) ?? 0)
  }
}

extension AppLists {
  private static let table = TableCopy("app", [("id", .text), ("channels", .text)], hasOwner: true)

  /// Copies the lists of this file into a database where the owner has none.
  package func copy(into other: Database, owner: Int64) throws {
    _ = try AppLists.table.copy(from: database(), to: other, owner: owner)
  }

  /// Copies those of an owner into this file, which has none.
  package func fill(from other: Database, owner: Int64) throws {
    _ = try AppLists.table.copy(from: other, to: database(), owner: owner)
  }
}
