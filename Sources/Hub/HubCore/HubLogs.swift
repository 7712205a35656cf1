import App
import Core
import EventLog
import Library
import Messages
import Platform
import PollEngine

/// The logs of one user of a hub, or of its catalogue, for its operator.
package enum HubLogs {
  case files(HubLogFiles)
  case database(HubLogRows)

  /// Those of a user; the catalogue's if nil, or the only ones of a home. Throws if there is no such user among `users`.
  package init(_ location: HubLocation, of user: String?, among users: [String]) throws {
    switch location {
    case .files(let files): self = .files(try HubLogFiles(files, of: user))
    case .database(let database): self = .database(try HubLogRows(database, of: user, among: users))
    }
  }

  /// The users of a data folder; empty for a home.
  package static func users(_ files: HubFiles) -> [String] {
    guard case .data(let folder) = files else { return [] }
    return File.names(in: "\(folder)/users").filter { HubFiles.isValid(user: $0) }.sorted()
  }

  /// Reads every line; returns what there is to say, what is wrong, and whether nothing is.
  package func verify() throws -> (lines: [String], problems: [String], isGood: Bool) {
    switch self {
    case .files(let files): try files.verify()
    case .database(let rows): try rows.verify()
    }
  }

  /// Mends damaged lines from other copies that the hub has, such as those that devices returned, and takes out what none
  /// has. `isWanted` gets what is damaged and a question; returns what was done, nil if nothing is damaged.
  package func repair(_ isWanted: (_ findings: [String], _ question: String) throws -> Bool) throws -> [String]? {
    switch self {
    case .files(let files): try files.repair(isWanted)
    case .database(let rows): try rows.repair(isWanted)
    }
  }

  /// Whether what is damaged is to be mended; throws if not.
  static func confirm(
    _ findings: [String], _ question: String, _ isWanted: (_ findings: [String], _ question: String) throws -> Bool
  ) throws {
    guard try isWanted(findings, question) else { throw Failure(.partial, "nothing was changed") }
  }
}

/// The logs of one user of a hub in folders, or of its catalogue.
package struct HubLogFiles {
  private let session: Session

  init(_ files: HubFiles, of user: String?) throws {
    if let user {
      guard HubFiles.isValid(user: user), try files.identity(of: user) != nil else {
        throw Failure(.usage, "“\(DisplayText(user).text)”: no such user")
      }
    }
    session = try Session(files.home(of: user), reports: false)
  }

  func verify() throws -> (lines: [String], problems: [String], isGood: Bool) {
    let report = try Session.reporting { try session.files.verify() }
    // A user reads the catalogue's too, which are another's to mend.
    let files = report.files.filter { $0.path.hasPrefix(session.home.folders.log + "/") }
    let lines = files.map { String(UserMessages.file($0).dropLast()) }
    let problems =
      files.flatMap(\.damage).map(UserMessages.damage) + report.losses.compactMap(UserMessages.finding)
      + report.unreadable.map { UserMessages.failure($0).message }
    return (lines, problems, problems.isEmpty)
  }

  func repair(_ isWanted: (_ findings: [String], _ question: String) throws -> Bool) throws -> [String]? {
    let repair = try LogRepair(session)
    guard repair.isNeeded else { return nil }
    try HubLogs.confirm(repair.findings, repair.question, isWanted)
    return try repair.run()
  }
}
