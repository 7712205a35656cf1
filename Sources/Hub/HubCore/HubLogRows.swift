import Core
import Library
import Messages
import Platform
import SQLDrivers

/// The logs of one user of a hub with a database, or of its catalogue.
package struct HubLogRows {
  private let library: PostgresLibrary
  private let logs: PostgresDeviceLogs

  init(_ database: HubDatabase, of user: String?, among users: [String]) throws {
    if let user, !users.contains(user) { throw Failure(.usage, "“\(DisplayText(user).text)”: no such user") }
    let connection = try database.connectOrFail(for: .maintenance)
    library = try HubDatabase.reporting { try PostgresLibrary(connection, of: user, clock: Clock.milliseconds) }
    logs = library.deviceLogs(temporary: ScratchFile.folder)
  }

  func verify() throws -> (lines: [String], problems: [String], isGood: Bool) {
    let (reports, isRight) = try HubDatabase.reporting { (try logs.verify(), try library.verify()) }
    let lines = reports.map { report in
      let damage = UserMessages.count(report.damage.count, "damaged line")
      return "\(DisplayText(report.name).text): \(UserMessages.count(report.lines, "line")), \(report.bytes) bytes: "
        + (report.damage.isEmpty ? "good" : damage)
    }
    var problems = reports.flatMap(HubLogRows.damage)
    if !isRight {
      try HubDatabase.reporting { try library.rebuild() }
      problems.append("the tables contradicted the logs and were filled anew; earlier lists may have been wrong")
    }
    return (lines, problems, problems.isEmpty)
  }

  /// `k3v9x2ap.jsonl:57 (byte 9120): damaged, 212 bytes: {"v":1,…`, as of files.
  private static func damage(_ report: PostgresDeviceLogs.Report) -> [String] {
    report.damage.map { line in
      let beginning = DisplayText(String(decoding: line.bytes.prefix(200), as: UTF8.self)).text
      let position = "\(DisplayText(report.name).text).jsonl:\(line.line) (byte \(line.byte))"
      return "\(position): damaged, \(line.bytes.count) bytes: \(beginning)"
    }
  }

  func repair(_ isWanted: (_ findings: [String], _ question: String) throws -> Bool) throws -> [String]? {
    let findings = try HubDatabase.reporting { try logs.verify() }.flatMap(HubLogRows.damage)
    guard !findings.isEmpty else { return nil }
    let count = UserMessages.count(findings.count, "line")
    let question = "Mend or remove \(count)? Only a copy of the database keeps what is removed."
    try HubLogs.confirm(findings, question, isWanted)
    let repairs = try HubDatabase.reporting { try logs.repair() }
    try HubDatabase.reporting { try library.refresh() }
    return repairs.flatMap { repair in
      let name = DisplayText(repair.name).text
      var lines: [String] = []
      if repair.mended > 0 {
        lines.append("\(name): \(UserMessages.count(repair.mended, "line")) mended from another copy")
      }
      if repair.removed > 0 {
        lines.append("\(name): \(UserMessages.count(repair.removed, "damaged line")) removed")
      }
      return lines
    }
  }
}
