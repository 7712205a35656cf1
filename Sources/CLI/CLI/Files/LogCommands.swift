import App
import ArgumentParser
import Arguments
import Core
import EventLog
import Library
import Messages
import Platform
import PollEngine

/// `log`: log maintenance.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Check, repair, compact or merge the event logs.",
    discussion: """
      Examples:
        metube-rss log verify
        metube-rss log merge /media/stick/metube-rss/log
      """,
    subcommands: [LogVerifyCommand.self, LogRepairCommand.self, LogCompactCommand.self, LogMergeCommand.self])
}

/// `log verify`: checks every line of every log.
struct LogVerifyCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check every line of every log for damage.",
    discussion: """
      Changes nothing, except that it rebuilds a cache that contradicts the logs.
      The status is 0 if everything is good and 65 if something is damaged.

      Examples:
        metube-rss log verify
      """)
  @OptionGroup var common: CommonOptions

  static let reportsFindings = false
  func run(in session: Session, to output: inout Output) throws {
    let report = try Session.reporting { try session.files.verify() }
    for file in report.files { output.write(UserMessages.file(file)) }
    for copy in report.copies { output.write(UserMessages.copy(copy) + "\n") }
    try output.finish()
    for file in report.files { for line in file.damage { StandardError.report(UserMessages.damage(line)) } }
    session.report(report.losses)
    for error in report.unreadable { StandardError.report(UserMessages.failure(error).message) }
    if let path = report.wrongReadModel {
      StandardError.report("\(path): contradicted the logs and was rebuilt; earlier lists may have been wrong")
    }
    if !report.isGood { throw ExitStatus.invalidInput }
  }
}

/// `log repair`: mends damaged lines or removes them, after showing them.
struct LogRepairCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair", abstract: "Mend damaged lines of the logs, or remove them, after showing them.",
    discussion: """
      Lines that another copy of the log in this folder still has come back; others
      are removed. They and the original file are kept in the folder backups beside
      log; log merge restores lines from a backup of yours. If this device's log is
      gone or went back, this accepts the loss.

      Examples:
        metube-rss log repair
        metube-rss log repair --yes
      """)
  @OptionGroup var common: CommonOptions
  @Flag(help: "Do not ask for confirmation.") var yes = false

  static let reportsFindings = false
  func run(in session: Session, to output: inout Output) throws {
    let repair = try LogRepair(session)
    guard repair.isNeeded else {
      output.write("no damage in the logs\n")
      return
    }
    for line in repair.findings { StandardError.report(line) }
    guard try yes || Confirmation.isConfirmed(repair.question) else {
      throw Failure(.partial, "nothing was changed")
    }
    for line in try repair.run() { output.write(line + "\n") }
  }
}

/// `log compact`: removes superseded lines.
struct LogCompactCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact", abstract: "Remove superseded lines from this device's log.",
    discussion: """
      Earlier titles and descriptions of videos and reports of old polls are removed.
      Every decision of yours and every video ever found stay. The original file is
      kept in the folder backups beside log.

      Examples:
        metube-rss log compact
      """)
  @OptionGroup var common: CommonOptions

  static let reportsFindings = false
  func run(in session: Session, to output: inout Output) throws {
    let report = try Session.reporting { try session.files.compact() }
    if let report {
      let lines = UserMessages.count(report.droppedLines, "line")
      output.write("\(lines) removed: \(report.before) bytes before, \(report.after) now\n")
      output.write("original file: \(DisplayText(report.backup).text)\n")
    } else {
      output.write("nothing to remove\n")
    }
  }
}

/// `log merge`: merges the logs of other devices.
struct LogMergeCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge the logs of other devices, or of this one from a backup.",
    discussion: """
      Nothing is lost, whichever copy is newer: a copy that contains all of another
      replaces it, and if each has lines that the other lacks, both are kept and
      count. Merging again changes nothing.

      Examples:
        metube-rss log merge /media/stick/metube-rss/log
      """)
  @OptionGroup var common: CommonOptions
  @Argument(text: "Folder with the other logs.", value: "dir", completion: .directory) var folder: String

  static let reportsFindings = false
  func run(in session: Session, to output: inout Output) throws {
    guard File.isFolder(folder) else { throw Failure(.invalidInput, "\(folder): no such folder") }
    let reports = try Session.reporting { try session.files.merge(from: folder) }
    guard !reports.isEmpty else { throw Failure(.invalidInput, "\(folder): no logs (*.jsonl) in this folder") }
    for report in reports { output.write(UserMessages.merge(report) + "\n") }
    let isWhole = reports.allSatisfy { report in
      switch report.outcome {
      case .notALog, .unreadable: false
      case .taken, .replaced, .nothingNew, .mended, .forkKept: report.brokenLines == 0
      }
    }
    if !isWhole { throw ExitStatus.partial }
  }
}
