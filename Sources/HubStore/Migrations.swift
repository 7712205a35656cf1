import Library
import ReadModel
import SQLDrivers

extension Migration {
  /// All tables of a hub on PostgreSQL, in the order in which they are made.
  package static let hub = [
    readModel, log,
    Migration(number: 3, name: "polling", sql: PackageResources._003_polling_sql),
    Migration(number: 4, name: "hub", sql: PackageResources._004_hub_sql),
    Migration(number: 5, name: "pollers", sql: PackageResources._005_pollers_sql), descriptions,
    Migration(number: 7, name: "turns", sql: PackageResources._007_turns_sql),
  ]

  /// The number of the last of them.
  package static let lastOfHub = hub.map(\.number).max() ?? 0
}
