import ArgumentParser
import HubCore
import HubStore
import ReadModel
import SQLDrivers

/// `migrate`: the tables of a hub in PostgreSQL.
struct MigrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Create the tables of a hub in PostgreSQL, or bring them up to date.",
    discussion: """
      In one transaction; what is up to date stays as it is. Before an update take a
      backup and stop all processes of the hub: they refuse tables of another version
      when they start.

      Examples:
        metube-hub migrate --database postgresql://metube@db.example/metube
        METUBE_HUB_DATABASE='host=/run/pg dbname=metube' metube-hub migrate
      """)
  @OptionGroup var hub: HubOptions

  func run() throws {
    let location = try hub.requiredDatabase()
    let database = try location.connectOrFail(for: .maintenance)
    try location.checkOwner(database)
    let applied = try HubDatabase.reporting { try database.migrate(Migration.hub, in: location.schema) }
    for migration in Migration.hub where applied.contains(migration.number) {
      print("applied migration \(migration.number), \(migration.name)")
    }
    if applied.isEmpty { print("up to date: migration \(Migration.lastOfHub)") }
  }
}
