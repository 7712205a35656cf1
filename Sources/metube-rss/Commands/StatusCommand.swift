import ArgumentParser
import Core
import EventLog

/// `status`: how things stand.
struct StatusCommand: PagedCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Say how things stand: the last poll, what fails, gaps, the log.",
    discussion: """
      Examples:
        metube-rss status
        metube-rss status --format json | jq .failing
      """)
  /// How the status is shown.
  enum StatusFormat: String, CaseIterable, ExpressibleByArgument { case text, json }

  @OptionGroup var common: CommonOptions
  @OptionGroup var paging: PagerOptions
  @Option(name: .long, help: "How to show it: text or json.")
  var format: StatusFormat = .text

  func run() throws {
    let session = try Session(common)
    let standing = try Standing(session)
    var output = Output()
    switch format {
    case .text: output.write(standing.text)
    case .json: output.write(standing.json.object + [10])
    }
    try output.finish()
  }
}
