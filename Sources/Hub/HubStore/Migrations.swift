import SQLDrivers

extension Migration {
  /// The tables of accounts, pushes, numbers and apps in PostgreSQL.
  package static let accounts = Migration(number: 4, name: "hub", sql: PackageResources._004_hub_sql)
}
