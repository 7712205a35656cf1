import ArgumentParser
import Core
import EventLog
import Exporters

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
  /// The output format.
  enum StatusFormat: String, CaseIterable, ExpressibleByArgument { case text, json }

  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @Option(name: .long, help: "Output format: text or json.")
  var format: StatusFormat = .text
  @Option(name: .long, help: ArgumentHelp("Number of recent polls to show, up to 24.", valueName: "n"))
  var runs = 5

  func validate() throws {
    if !(0...RecentRuns.most).contains(runs) {
      throw ValidationError("--runs takes a number from 0 to \(RecentRuns.most)")
    }
  }

  func run() throws {
    let session = try Session(common)
    let standing = try Standing(session, runs: runs)
    var output = Output()
    switch format {
    case .text: standing.write(to: &output, for: Terminal(.auto))
    case .json: output.write(standing.json.object + [10])
    }
    try output.finish()
  }
}
