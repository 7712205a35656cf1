import HubStore
import Library
import ReadModel
import SQLDrivers
import SharedPollers

extension Migration {
  /// All tables of a hub on PostgreSQL, in the order in which they are made; each stands in the module that uses them.
  package static let hub = [
    readModel, log, polling, accounts, pollers, descriptions, turns, setup, household, google, preferences, names,
    choices, lookups, entries, videoLookups,
  ]

  /// The number of the last migration.
  package static let lastOfHub = hub.map(\.number).max() ?? 0
}
