import SQLDrivers

extension Migration {
  /// The tables of accounts, pushes, numbers and apps in PostgreSQL.
  package static let accounts = Migration(number: 4, name: "hub", sql: PackageResources._004_hub_sql)
  /// How the first user is made.
  package static let setup = Migration(number: 8, name: "setup", sql: PackageResources._008_setup_sql)
  /// Administrators, names and limits of users.
  package static let household = Migration(
    number: 9, name: "household", sql: PackageResources._009_household_sql)
  /// What administrators chose for the whole hub.
  package static let choices = Migration(number: 13, name: "choices", sql: PackageResources._013_choices_sql)
  /// Google accounts of users.
  package static let google = Migration(number: 10, name: "google", sql: PackageResources._010_google_sql)
}
