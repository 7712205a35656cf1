import App
import ArgumentParser
import Arguments
import Core
import Messages
import Platform
import PollEngine
import ReadModel
import YouTube

/// `enrich`: requests what the feeds lack, from the Data API or through yt-dlp.
struct EnrichCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "enrich", abstract: "Fetch lengths and live states, from YouTube's Data API or with yt-dlp.",
    discussion: """
      With METUBE_RSS_API_KEY, looks up every video without API data and those that
      are upcoming, live or without a length, and each channel's picture and counts
      every 30 days: 50 videos or channels per unit, at most METUBE_RSS_API_BUDGET
      units a day (5000). Each poll does the same at its end.

      Without a key, --with yt-dlp runs that program, if it is installed, once for
      each channel with new videos, for its latest 100. METUBE_RSS_ENRICH=yt-dlp
      makes each poll do the same. A channel that fails rests for an hour; after
      three failures in a row, the rest waits for the next run.

      For videos that you saved, marked or collected and no feed has shown, the
      API gives title, channel and length; without a key, YouTube's oEmbed gives
      title and channel, one request each, here and after polls.
      METUBE_RSS_OEMBED=no forbids that.

      A playlist's feed has its first 15 entries; --backfill adds the others, with
      the Data API or yt-dlp. Once it added all, each poll keeps the playlist
      complete in the same way.

      Examples:
        metube-rss enrich
        metube-rss enrich --with yt-dlp
        metube-rss enrich --gaps
        metube-rss enrich --backfill 'In a Nutshell' 200
        metube-rss enrich --with yt-dlp --backfill PL… 500
      """)
  @OptionGroup var common: CommonOptions
  @Option(help: "Whom to ask: api or yt-dlp (default: api with a key, else METUBE_RSS_ENRICH).")
  var with: EnrichmentSource?
  @Flag(help: "Instead, look up videos that feed gaps may have missed, and close the gaps.") var gaps = false
  @Option(
    text: "Instead, add older videos of this channel or playlist as skipped.", value: "channel",
    completion: Completion.channels)
  var backfill: String?
  @Argument(help: ArgumentHelp("How many older videos.", valueName: "n")) var count: Int?

  func validate() throws {
    if (backfill == nil) != (count == nil) { throw ValidationError("use --backfill CHANNEL N") }
    if let count, !(1...20_000).contains(count) { throw ValidationError("--backfill takes 1 to 20000 videos") }
    if gaps, with == .ytDlp { throw ValidationError("--gaps needs the Data API") }
    if gaps, backfill != nil { throw ValidationError("--gaps and --backfill exclude each other") }
  }

  func run(in session: Session, to output: inout Output) throws {
    let source = try gaps ? .api : with ?? EnrichmentSource(session.settings)
    if source == .ytDlp {
      return try session.whilePolling {
        if let backfill, let count {
          try listWithYtDlp(count, of: backfill, session, to: &output)
        } else {
          try askYtDlp(session, to: &output)
        }
      }
    }
    // Who set oEmbed explicitly needs nothing else.
    if source == nil, backfill == nil, try session.settings["OEMBED"] != nil || !session.undescribed().isEmpty {
      var isDone = false
      try session.whilePolling { isDone = try describe(session, to: &output) }
      if isDone { return }
    }
    guard let settings = try APISettings(session.settings) else {
      throw Failure(
        .usage,
        "enrich needs a YouTube Data API key: set METUBE_RSS_API_KEY in \(session.home.settings); "
          + "or use --with yt-dlp for lengths and live states")
    }
    try session.whilePolling {
      let api = try APISession(settings, session, deadline: nil)
      let (text, failure): (String, (any Error)?)
      if gaps {
        (text, failure) = try fillGaps(session, api)
      } else if let backfill, let count {
        (text, failure) = try bringIn(count, of: backfill, session, api)
      } else {
        let report = try session.enrich(with: api)
        (text, failure) = (report.summary, report.failure)
      }
      output.write("\(text); \(UserMessages.count(api.units, "unit")) used, \(try api.left) left today\n")
      try output.finish()
      if let failure { throw failure }
    }
  }

  /// Looks up titles without a key; returns false if the settings forbid it.
  private func describe(_ session: Session, to output: inout Output) throws -> Bool {
    guard var lookup = try Descriptions(session, deadline: nil) else { return false }
    try lookup.run()
    output.write("\(lookup.summary); lengths need METUBE_RSS_API_KEY or --with yt-dlp\n")
    return true
  }

  private func askYtDlp(_ session: Session, to output: inout Output) throws {
    var lookup = try YtDlp(session, deadline: nil)
    let report = try lookup.enrich()
    let text = "\(UserMessages.count(report.requested, "video")) looked up with yt-dlp"
    output.write("\(text) in \(UserMessages.count(report.channels, "channel")), \(report.learnt) updated\n")
    if var lookup = try Descriptions(session, deadline: nil), try !session.undescribed().isEmpty {
      try lookup.run()
      output.write("\(lookup.summary)\n")
    }
    try output.finish()
    if let failure = report.failure { throw failure }
  }

  private func fillGaps(_ session: Session, _ api: APISession) throws -> (String, (any Error)?) {
    let older = OlderVideos(session, api)
    var (filled, found) = (0, 0)
    let gaps = try session.state.openGaps
    let failure = try api.attempt {
      for (id, gap) in gaps {
        if let count = try older.fill(gap, id) { (filled, found) = (filled + 1, found + count) }
      }
    }
    let text = "\(filled) of \(UserMessages.count(gaps.count, "gap")) filled, \(found) new"
    return (text, failure ?? (filled < gaps.count ? ExitStatus.partial : nil))
  }

  private func bringIn(
    _ count: Int, of name: String, _ session: Session, _ api: APISession
  ) throws -> (String, (any Error)?) {
    var found = 0
    let failure: Failure?
    switch try ChannelResolver(session.state, alsoUnfollowed: false).resolve(name) {
    case .channel(let channel):
      failure = try api.attempt { found = try OlderVideos(session, api).backfill(channel, count: count) }
    case .playlist(let playlist):
      var videos = PlaylistVideos(session, api)
      failure = try api.attempt { try videos.backfill(playlist, count: count) }
      found = videos.found
    case .feed:
      throw Failure(.usage, "“\(name)” is a feed of another site; enrich brings in older videos of YouTube alone")
    }
    return (EnrichCommand.added(found), failure)
  }

  private static func added(_ count: Int) -> String { "\(UserMessages.count(count, "older video")) added as skipped" }

  private func listWithYtDlp(
    _ count: Int, of name: String, _ session: Session, to output: inout Output
  ) throws {
    guard case .playlist(let playlist) = try ChannelResolver(session.state, alsoUnfollowed: false).resolve(name) else {
      throw Failure(
        .usage,
        "“\(name)” is a channel, whose older videos need the Data API: set METUBE_RSS_API_KEY and use --with api")
    }
    var videos = try YtDlpPlaylists(session, deadline: nil)
    let failure = try videos.backfill(playlist, count: count)
    output.write("\(EnrichCommand.added(videos.found)), with yt-dlp\n")
    try output.finish()
    if let failure { throw failure }
  }
}

extension EnrichmentSource: ExpressibleByArgument {}
