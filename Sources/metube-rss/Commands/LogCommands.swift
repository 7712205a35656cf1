import ArgumentParser
import Core
import EventLog

/// `log`: the care of the files that hold everything.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Check, repair, compact or merge the files that hold everything.",
    discussion: """
      Examples:
        metube-rss log verify
        metube-rss log merge /media/stick/metube-rss/log
      """,
    subcommands: [LogVerifyCommand.self, LogRepairCommand.self, LogCompactCommand.self, LogMergeCommand.self])
}

/// `log verify`: reads every line and says what is in them.
struct LogVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Read every line of every log and say whether it is whole.",
    discussion: """
      Changes nothing, but for a checkpoint that says something else than the logs:
      that is thrown away. The status is 0 where all is good and 65 where something
      is damaged.

      Examples:
        metube-rss log verify
      """)
  @OptionGroup var common: CommonOptions

  func run() throws {
    let session = try LogSession(common)
    let report = try session.asking { () throws(LogError) in try session.journal.verify() }
    var output = Output()
    for file in report.files { output.write(Words.file(file)) }
    for copy in report.copies { output.write(Words.copy(copy) + "\n") }
    try output.finish()
    for file in report.files { for line in file.damage { Messages.tell(Words.damage(line)) } }
    for error in report.unreadable { Messages.tell(Words.failure(error).message) }
    if let path = report.wrongCheckpoint { Messages.tell(Words.wrongCheckpoint(path)) }
    if !report.isGood { throw ExitStatus.notUnderstood }
  }
}

/// `log repair`: takes broken lines out, after showing them.
struct LogRepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair", abstract: "Take broken lines out of this device's log, after showing them.",
    discussion: """
      A line that is whole but for what stands around it, such as a carriage return,
      is restored. The broken lines and the whole file as it was are kept in the
      folder backups beside log; log merge brings lines back from a backup of yours.

      Examples:
        metube-rss log repair
        metube-rss log repair --yes
      """)
  @OptionGroup var common: CommonOptions
  @Flag(name: .long, help: "Do not ask.")
  var yes = false

  func run() throws {
    let session = try LogSession(common)
    let damage = try session.asking { () throws(LogError) in try session.journal.damage() }
    var output = Output()
    guard !damage.isEmpty else {
      output.write("nothing is broken in this device's log\n")
      return try output.finish()
    }
    for line in damage { Messages.tell(Words.damage(line)) }
    guard try yes || Question.isAnsweredYes(Words.repairing(damage)) else {
      throw Failure(.inPart, "nothing was changed")
    }
    guard let report = try session.asking({ () throws(LogError) in try session.journal.repair() }) else { return }
    output.write("\(Words.repaired(report)); the file as it was: \(report.backup)\n")
    try output.finish()
  }
}

/// `log compact`: drops what was superseded.
struct LogCompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact", abstract: "Drop from this device's log what later lines replaced.",
    discussion: """
      Earlier titles and descriptions of videos and the reports of old polls go.
      Every decision of yours stays, and every video ever found. The file as it was
      is kept in the folder backups beside log.

      Examples:
        metube-rss log compact
      """)
  @OptionGroup var common: CommonOptions

  func run() throws {
    let session = try LogSession(common)
    let report = try session.asking { () throws(LogError) in try session.journal.compact() }
    var output = Output()
    if let report {
      let lines = Words.count(report.droppedLines, "line")
      output.write("\(lines) dropped: \(report.before) bytes before, \(report.after) now\n")
      output.write("the file as it was: \(report.backup)\n")
    } else {
      output.write("there is nothing to drop\n")
    }
    try output.finish()
  }
}

/// `log merge`: takes in the logs of other devices.
struct LogMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Take in the logs of other devices, or of this one from a backup.",
    discussion: """
      Nothing is lost whichever is newer: a copy that goes on replaces its
      beginning, lines that this device lost are brought back, and where two copies
      went different ways both are kept and count. Merging again changes nothing.

      Examples:
        metube-rss log merge /media/stick/metube-rss/log
      """)
  @OptionGroup var common: CommonOptions
  @Argument(
    help: ArgumentHelp("The folder with the other logs.", valueName: "dir"), transform: ArgumentShield.unguarded)
  var folder: String

  func run() throws {
    let session = try LogSession(common)
    let reports = try session.asking { () throws(LogError) in try session.journal.merge(from: folder) }
    guard !reports.isEmpty else { throw Failure(.notUnderstood, "\(folder): no logs (*.jsonl) there") }
    var output = Output()
    for report in reports { output.write(Words.merge(report) + "\n") }
    try output.finish()
    let isWhole = reports.allSatisfy { report in
      switch report.outcome {
      case .notALog, .unreadable: false
      case .taken, .replaced, .broughtBack, .nothingNew, .forkKept: report.brokenLines == 0
      }
    }
    if !isWhole { throw ExitStatus.inPart }
  }
}

/// What the commands about the log work with. What is wrong with the log is theirs to tell, not told beforehand.
struct LogSession {
  let journal: Journal

  init(_ options: CommonOptions) throws {
    let home = try Home(folder: options.home, environment: Environment.variables())
    do { journal = try Journal(folders: home.folders, device: nil, clock: Clock.milliseconds) } catch {
      throw Words.failure(error)
    }
  }

  /// Calls the log and gives its failures words.
  func asking<Answer>(_ call: () throws(LogError) -> Answer) throws -> Answer {
    do { return try call() } catch { throw Words.failure(error) }
  }
}
