import App
import ArgumentParser
import Arguments
import Core
import EventLog
import Exporters
import Library
import Messages
import Platform
import PollEngine
import ReadModel
import Terminal
import YouTube

/// `status`: recent polls, failures, gaps and the log.
struct StatusCommand: PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show recent polls, failures, gaps and the log.",
    discussion: """
      Shows polls of all devices that requested at least one feed; 24 are kept.

      Examples:
        metube-rss status
        metube-rss status --runs 24
        metube-rss status --format json | jq '.runs[] | select(.outage) | .ended'
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @Option(help: "Output format: text or json.") var format: ReportFormat = .text
  @Option(help: ArgumentHelp("Number of recent polls to show, up to 24.", valueName: "n")) var runs = 5

  func validate() throws {
    if !(0...RecentRuns.maximum).contains(runs) {
      throw ValidationError("--runs takes a number from 0 to \(RecentRuns.maximum)")
    }
  }

  func run(in session: Session, to output: inout Output) throws {
    let standing = try StatusReport(session, runs: runs)
    switch format {
    case .text: standing.write(to: &output, for: Terminal(.auto))
    case .json: output.write(standing.json.object + [10])
    }
  }
}

extension StatusReport {
  /// Writes the text report, followed by a table if there are several runs; the text itself covers only the last.
  func write(to output: inout Output, for terminal: Terminal) {
    for line in lines {
      for part in DisplayText(line).lines(within: terminal.width) { output.write("\(part)\n") }
    }
    if runs.count > 1 { output.write(TextTable.runs(runs, at: now), for: terminal) }
  }
}

extension TextTable {
  /// The polls as `status` shows them; the device column is empty unless there are several devices.
  fileprivate static func runs(_ runs: [LWWRegister<RunFinished>], at now: LocalTime) -> TextTable {
    var table = TextTable(columns: [
      Column("polled", minimum: 10, maximum: 10),
      Column("checked", alignment: .right, minimum: 1, maximum: nil),
      Column("new", alignment: .right, minimum: 1, maximum: nil),
      Column("failed", alignment: .right, minimum: 1, maximum: nil),
      Column("gaps", alignment: .right, minimum: 1, maximum: nil, leftOut: 2),
      Column("took", alignment: .right, minimum: 1, maximum: nil, leftOut: 1),
      Column("end", minimum: 6, maximum: nil, isFlexible: true),
      Column("device", minimum: DeviceID.length, maximum: DeviceID.length, leftOut: 0),
    ])
    let hasDevices = Set(runs.map(\.id.device)).count > 1
    for (id, run) in runs.map({ ($0.id, $0.value) }) {
      // Magenta if the user ended it, red if YouTube or the network did.
      let isOwn = run.stopped == .deadline || run.stopped == .interrupted
      table.add([
        Cell(id.timestamp.short(at: now), tint: .cyan), Cell(String(run.checked)), Cell(String(run.new)),
        Cell(String(run.failed), tint: run.failed > 0 ? .red : nil),
        Cell(run.gaps > 0 ? String(run.gaps) : "", tint: .magenta),
        Cell(PlayingTime.text(seconds: run.milliseconds / 1000)),
        Cell(run.stopped.map(UserMessages.stoppedWord) ?? "", tint: run.stopped.map { _ in isOwn ? .magenta : .red }),
        Cell(hasDevices ? id.device.description : ""),
      ])
    }
    return table
  }
}
