import ArgumentParser
import Core
import Glibc
import HubCore
import HubStore
import Platform
import ReadModel
import SQLDrivers

/// `move`: from a folder into a database, or back.
struct MoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move a hub with its users from a folder into a database, or back.",
    discussion: """
      Copies everything: accounts, tokens, sessions, the logs byte by byte, the
      numbers that readers and apps know, and when feeds were requested; nothing of
      removed users. Then it reads all of it again and compares. Either all of it
      arrives or nothing, and the source stays as it is. Stop the hub first. The
      database must have the tables of metube-hub migrate and no users; the folder
      must not exist.

      Others on this machine see options: a password belongs into ~/.pgpass or
      PGPASSWORD.

      Examples:
        metube-hub move --from /srv/hub --to postgresql://metube@db/metube
        metube-hub move --from postgresql://metube@db/metube --to /srv/hub
      """)
  @Option(
    name: .long,
    help: ArgumentHelp("The folder of serve --data, or the URL of a database.", valueName: "place"))
  var from: String
  @Option(name: .long, help: ArgumentHelp("Where to: a database, or a new folder.", valueName: "place"))
  var to: String
  @Option(name: .long, help: ArgumentHelp("The schema of the database [metube].", valueName: "name"))
  var schema: String?

  private static func isDatabase(_ location: String) -> Bool {
    // What may have a password is not a path, which messages show.
    !location.hasPrefix("/") && !location.hasPrefix(".") && (location.contains("://") || location.contains("="))
  }

  func validate() throws {
    if MoveCommand.isDatabase(from) == MoveCommand.isDatabase(to) {
      throw ValidationError("one of --from and --to is a folder, and the other one a database")
    }
  }

  func run() throws {
    let isIntoDatabase = MoveCommand.isDatabase(to)
    let folder = MoveCommand.path(isIntoDatabase ? from : to)
    let location = try HubOptions.database(at: isIntoDatabase ? to : from, schema: schema)
    if isIntoDatabase, !Accounts.exist(in: folder) || !HubMove.isDataFolder(folder) {
      throw Failure(.usage, "\(folder): no folder of metube-hub serve --data")
    }
    if !isIntoDatabase, access(folder, F_OK) == 0 {
      throw Failure(.usage, "\(folder): exists already; name a folder that does not")
    }
    if isIntoDatabase, StatusCommand.read(StatusSocket.path(in: folder)) != nil {
      throw Failure(.temporaryFailure, "\(folder): a hub serves it; stop that first")
    }
    let database = try location.connectOrFail(for: .maintenance)
    try location.check(database, after: Migration.hub)
    let reports = try HubDatabase.reporting {
      try isIntoDatabase ? store(folder, database) : write(folder, database)
    }
    let bytes = reports.reduce(0) { $0 + $1.bytes }
    print("\(reports.count - 1) users, \(HubMove.size(bytes)) of logs: moved and compared")
    if isIntoDatabase { print("\(folder) stays as it is; serve --data refuses it while it has the file moved") }
  }

  private static func path(_ folder: String) -> String {
    folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
  }

  private func store(_ folder: String, _ database: Database) throws -> [HubMove.Report] {
    let accounts = try Accounts(folder: folder)
    let reports = try HubMove.whileStopped(folder) {
      try database.transaction {
        guard try Accounts(database).hasNoOwner() else {
          throw Failure(.usage, "the database has users or a catalogue already; move into one that is empty")
        }
        _ = try accounts.copy(into: Accounts(database))
        let reports = try owners(accounts, HubMove(folder: folder, database: database)) { try $0.store($1) }
        try PushStore(folder: folder).copy(into: PushStore(database))
        try Accounts(database).analyzeTables()
        return reports
      }
    }
    try HubMove.mark(folder)
    return reports
  }

  private func write(_ folder: String, _ database: Database) throws -> [HubMove.Report] {
    try HubMove.making(folder) { new in
      try database.transaction {
        // Nothing is appended meanwhile.
        let (known, accounts) = (Accounts(database), try Accounts(folder: new))
        try known.lockOwners()
        _ = try known.copy(into: accounts)
        try PushStore(database).copy(into: PushStore(folder: new))
        return try owners(known, HubMove(folder: new, database: database)) { try $0.write($1) }
      }
    }
  }

  private func owners(
    _ accounts: Accounts, _ move: HubMove, _ body: (HubMove, String?) throws -> HubMove.Report
  ) throws -> [HubMove.Report] {
    try ([nil] + accounts.users()).map { user in
      let report = try body(move, user)
      let logs = report.logs == 1 ? "1 log" : "\(report.logs) logs"
      print("\(user ?? "catalogue"): \(logs), \(HubMove.size(report.bytes)), \(report.videos) videos")
      return report
    }
  }
}
