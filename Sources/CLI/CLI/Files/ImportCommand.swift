import App
import ArgumentParser
import Arguments
import Core
import EventLog
import Exporters
import FeedParser
import Importers
import Library
import Messages
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
      JSON or HTML), OPML of any feed reader or podcast app, FreeTube, NewPipe
      (JSON, newpipe.db or its zip), LibreTube, Piped, Invidious, Unwatched,
      newsboat's urls, newsraft, sfeedrc, elfeed.org, any CSV or JSON list with IDs,
      handles or addresses, a list of channels. A CSV with a video and a time in
      each row is a watch history, and so is yt-dlp's archive of downloads. OPML
      brings feeds of every site, the others YouTube's alone. Importing the same
      file twice changes nothing. The name google stands for the Google account of
      metube-rss login google. An archive of export archive adds everything that
      another home has.

      Videos in a watch history are marked watched if you follow their channel or
      they were seen in a feed; --all-history marks the others too. Marks you made
      after watching are kept. Playlists become collections.

      google --unfollow also unfollows what you unsubscribed from at YouTube, but
      only channels that came from the account; undo takes all of it back. A list
      that is empty, shorter than YouTube says, or half gone needs a confirmation.
      What you unfollowed here is not followed again. Videos of your own channel are
      hidden by a rule. METUBE_RSS_GOOGLE_SYNC=yes does the same once a day, after a
      poll, and unfollows nothing that needs a confirmation.

      Examples:
        metube-rss import takeout-20261101.zip
        metube-rss import --tag science feeds.opml
        metube-rss import --dry-run --verbose *.opml
        grep -v Shorts list.txt | metube-rss import -
        metube-rss import google
        metube-rss import google --unfollow
      """)
  @OptionGroup var common: CommonOptions
  @Option(text: "A tag to add to imported subscriptions; may be given several times.", completion: Completion.tags)
  var tag: [String] = []
  @Option(text: "Mark videos published before this as watched.", value: "date") var seenBefore: String?
  @Flag(help: "Keep the tags of channels you already follow.") var onlyNew = false
  @Flag(help: "Also mark watched videos of channels you do not follow.") var allHistory = false
  @Flag(help: "Show what would be done without doing it.") var dryRun = false
  @Flag(help: "For google: also unfollow channels no longer in the account's list.") var unfollow = false
  @Flag(help: "With --unfollow, do not ask for confirmation.") var yes = false
  @Flag(help: "Also list the rows that are not YouTube, or are videos.") var verbose = false
  @Option(help: "The format of the report: text or json.") var format: ReportFormat = .text
  @Argument(text: "Files; - is standard input.", value: "file", completion: .file()) var files: [String]

  func validate() throws {
    if yes, !unfollow { throw ValidationError("--yes belongs to --unfollow") }
    guard unfollow else { return }
    guard files == ["google"] else { throw ValidationError("--unfollow takes google, and no files") }
    if !tag.isEmpty || seenBefore != nil || onlyNew || allHistory || dryRun || verbose {
      throw ValidationError("--unfollow takes no other option than --yes and --format")
    }
  }

  func run(in session: Session, to output: inout Output) throws {
    if unfollow { return try synchronise(session, to: &output) }
    var request = ImportRequest(
      tag: tag, seenBefore: seenBefore, onlyNew: onlyNew, allHistory: allHistory, dryRun: dryRun)
    request.takesFeeds = true
    let (reports, worst) = try request.reports(
      of: files.map { ImportInput(path: $0) }, in: session, account: { try GoogleSubscriptions($0).read() }
    ) {
      StandardError.report($0.message)
    }
    show(reports, to: &output)
    if let worst { throw worst }
    if reports.contains(where: { !$0.file.refused.isEmpty || $0.isCutShort }) { throw ExitStatus.partial }
  }

  /// Follows and unfollows as the account did; asks for confirmation if the list is doubtful.
  private func synchronise(_ session: Session, to output: inout Output) throws {
    var sync = HomeAccountSync(session)
    try sync.run()
    guard let report = sync.memory.last else { return }
    let text = "google: \(UserMessages.report(report))\n"
    if format == .text { output.write(text) }
    if let question = sync.memory.question {
      // What was done so far stands above the question.
      try output.finish()
      let isConfirmed = try yes || Confirmation.isConfirmed("\(UserMessages.doubt(question)). Unfollow?")
      guard isConfirmed else { throw Failure(.partial, "nothing was unfollowed") }
      try sync.reply(true)
      let count = (sync.memory.last?.unfollowed ?? 0) - report.unfollowed
      if format == .text { output.write("google: \(count) unfollowed\n") }
    }
    if format == .json, let report = sync.memory.last { output.write(UserMessages.json(report).object + [10]) }
    if format == .text, report.followed > 0 { output.write("Run `metube-rss poll` to fetch their videos.\n") }
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
    if format == .text, !dryRun, reports.contains(where: \.hasUnpolled) {
      output.write("Run `metube-rss poll` to fetch their videos.\n")
    }
  }
}
