import SQLDrivers

extension Migration {
  /// The tables of logs in PostgreSQL, and of what users want of the catalogue.
  package static let log = Migration(number: 2, name: "log", sql: PackageResources._002_log_sql)
}
