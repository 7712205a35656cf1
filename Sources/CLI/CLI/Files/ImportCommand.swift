import App
import ArgumentParser
import Arguments
import Core
import EventLog
import Exporters
import FeedParser
import Importers
import Library
import Platform
import PollEngine
import ReadModel

/// `import`: imports subscriptions, watch history and playlists from other programs.
struct ImportCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import subscriptions and history from files of other programs.",
    discussion: """
      The format is detected from the content, whatever the file's name or language:
      Google Takeout (.zip, .tgz, subscriptions.csv, playlists, the watch history as
      JSON or HTML), OPML of any feed reader, FreeTube, NewPipe (JSON, newpipe.db or
      its zip), LibreTube, Piped, Invidious, Unwatched, newsboat's urls, newsraft,
      sfeedrc, elfeed.org, any CSV or JSON list with IDs, handles or addresses, a
      list of channels. A CSV with a video and a time in each row is a watch
      history, and so is yt-dlp's archive of downloads. Importing the same file
      twice changes nothing. The name google stands for the Google account of
      metube-rss login google.

      Videos in a watch history are marked watched if you follow their channel or
      they were seen in a feed; --all-history marks the others too. Marks you made
      after watching are kept. Playlists become collections.

      Examples:
        metube-rss import takeout-20261101.zip
        metube-rss import --tag science feeds.opml
        metube-rss import --dry-run --verbose *.opml
        grep -v Shorts list.txt | metube-rss import -
        metube-rss import google
      """)
  @OptionGroup var common: CommonOptions
  @Option(text: "A tag to add to imported subscriptions; may be given several times.", completion: Completion.tags)
  var tag: [String] = []
  @Option(text: "Mark videos published before this as watched.", value: "date") var seenBefore: String?
  @Flag(help: "Keep the tags of channels you already follow.") var onlyNew = false
  @Flag(help: "Also mark watched videos of channels you do not follow.") var allHistory = false
  @Flag(help: "Show what would be done without doing it.") var dryRun = false
  @Flag(help: "Also list the rows that are not YouTube, or are videos.") var verbose = false
  @Option(help: "The format of the report: text or json.") var format: ReportFormat = .text
  @Argument(text: "Files; - is standard input.", value: "file", completion: .file()) var files: [String]

  func run(in session: Session, to output: inout Output) throws {
    let request = ImportRequest(
      tag: tag, seenBefore: seenBefore, onlyNew: onlyNew, allHistory: allHistory, dryRun: dryRun)
    let (reports, worst) = try request.reports(
      of: files.map { ImportInput(path: $0) }, in: session, account: { try GoogleSubscriptions($0).read() }
    ) {
      StandardError.report($0.message)
    }
    show(reports, to: &output)
    if let worst { throw worst }
    if reports.contains(where: { !$0.file.refused.isEmpty || $0.isCutShort }) { throw ExitStatus.partial }
  }

  private func show(_ reports: [ImportReport], to output: inout Output) {
    for report in reports {
      for line in report.refusals { StandardError.report(line) }
      if verbose { for line in report.foreign { StandardError.report(line) } }
    }
    switch format {
    case .text:
      for report in reports { output.write(report.text(isDry: dryRun)) }
      if reports.count > 1 { output.write(ImportReport.total(of: reports, isDry: dryRun)) }
    case .json: for report in reports { output.write(report.json.object + [10]) }
    }
    if format == .text, !dryRun, reports.contains(where: { $0.new > 0 || !$0.file.unresolved.isEmpty }) {
      output.write("Run `metube-rss poll` to fetch their videos.\n")
    }
  }
}
