import SQLDrivers

extension Migration {
  /// The tables of the read model.
  package static let readModel = Migration(
    number: 1, name: "read-model", sql: PackageResources._001_read_model_sql)
  /// Its table of descriptions.
  package static let descriptions = Migration(
    number: 6, name: "descriptions", sql: PackageResources._006_descriptions_sql)
  /// Its table of preferences.
  package static let preferences = Migration(
    number: 11, name: "preferences", sql: PackageResources._011_preferences_sql)
}

extension Migration {
  /// Its tables of feeds of other sites and their entries.
  package static let entries = Migration(number: 15, name: "entries", sql: PackageResources._015_entries_sql)
}

/// The read model of one owner, among those that share tables in PostgreSQL.
extension Database {
  /// Waits until no other transaction writes an owner's read model, and keeps others from it until this one ends, as
  /// SQLite does from the beginning of each transaction that writes.
  func lockWriting(_ owner: Int64) throws(DatabaseError) {
    guard isPostgres else { return }
    guard try integer("SELECT lock_model(?)", owner) == 1 else {
      throw .failed(code: 0, "the database has no owner \(owner)")
    }
  }
}
