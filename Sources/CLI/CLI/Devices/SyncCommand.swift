import App
import ArgumentParser
import Arguments
import Core
import EventLog
import Exporters
import Library
import Platform
import Sync

/// `sync`: exchanges log lines with the hub.
struct SyncCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "sync", abstract: "Exchange marks and videos with your hub.",
    discussion: """
      Sends what this device decided and found since the last time, and fetches what
      the others did. Nothing is lost or doubled if it is interrupted, repeated, or
      late: it goes on where it ended. Other commands do it by themselves, in the
      background; see METUBE_RSS_HUB in metube-rss(1).

      Examples:
        metube-rss sync
        metube-rss sync http://127.0.0.1:5057
      """)
  @OptionGroup var common: CommonOptions
  @Option(help: "Output format: text or json.") var format: ReportFormat = .text
  @Option(help: ArgumentHelp("Retries after 1, 2, 4 … seconds if the hub does not answer.", valueName: "n"))
  var retries = 3
  @Flag(name: .shortAndLong, help: "Print nothing unless something failed.") var quiet = false
  @Argument(help: ArgumentHelp("The hub, instead of METUBE_RSS_HUB.", valueName: "url")) var url: String?

  func validate() throws {
    if !(0...10).contains(retries) { throw ValidationError("--retries takes a number from 0 to 10") }
  }

  private static let maxRepetitions = 3

  static let sendsAfterwards = false
  func run(in session: Session, to output: inout Output) throws {
    guard let client = try HubClient(session.settings, url: url, retries: retries, budget: .whole) else {
      throw Failure(.usage, "no hub is set; see metube-rss pair, or set METUBE_RSS_HUB")
    }
    var report = try session.sync(with: client) {}
    // What another command appended meanwhile found this one running, and was left to it.
    for _ in 0..<SyncCommand.maxRepetitions where try BackgroundSync(session)?.unsent ?? 0 > 0 {
      report.add(try session.sync(with: client) {})
    }
    if format == .json {
      output.write(report.json.object + [10])
    } else if !quiet {
      output.write(report.text)
    }
    // What could be exchanged was.
    if let problem = report.problem { throw problem }
  }
}
