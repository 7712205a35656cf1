import App
import ArgumentParser
import Core
import Exporters
import Glibc
import Messages
import Platform

/// `export atom`: writes one feed of all subscriptions, for any feed reader.
struct ExportAtomCommand: VideoExporting {
  static let configuration = CommandConfiguration(
    commandName: "atom", abstract: "Write one Atom feed of your subscriptions, for any feed reader.",
    discussion: """
      By default, the newest 100 videos of every status, without Shorts and upcoming
      videos; marking a video does not change the feed. With --output the file is
      replaced atomically, and only if its content changes.

      Examples:
        metube-rss export atom --output ~/feeds/youtube.atom
        metube-rss export atom --tag science --limit 20
        metube-rss export atom --all-tags ~/feeds --url https://me.example/feeds
      """)
  @OptionGroup var options: ExportOptions
  @Option(name: [.customShort("n"), .long], help: "How many videos to write; 0 is all.") var limit: Limit = 100
  @Option(
    text: "Write one feed for each tag into this folder, and feeds.opml listing them.", value: "dir",
    completion: .directory)
  var allTags: String?
  @Flag(help: "Add entries for feed outages and open gaps.") var withNotices = false
  @Option(text: "The URL at which the feed or the folder is published.", value: "url") var url: String?

  var writtenFolder: String? { allTags ?? options.file.folder }

  func validate() throws {
    if allTags != nil, options.file.output != nil {
      throw ValidationError("--all-tags and --output exclude each other")
    }
    if allTags != nil, withNotices { throw ValidationError("--with-notices and --all-tags exclude each other") }
    try PublishedAddress.check(url)
  }

  func write(_ videos: ExportedVideos, to output: inout Output) throws {
    try videos.writeAtom(withNotices ? FeedNotice.all(videos.session) : [], address: url, to: &output)
  }

  func export(_ session: Session) throws -> String? {
    guard let allTags else { return try exportFile(session) }
    let wanted = try Set(options.filter.tag.flatMap(TagNames(session.state).speltOrNew))
    let tags = try Set(session.state.followed.flatMap(\.tags)).filter { wanted.isEmpty || wanted.contains($0) }
    return try TagFeeds(allTags, address: url, session.home).write(tags.sorted()) { tag in
      try options.videos(in: session, limit: limit.count, tags: [tag])
    }
  }
}

/// The URL at which a feed is published.
enum PublishedAddress {
  /// Throws if a given URL is not an http or https URL.
  static func check(_ address: String?) throws {
    guard let address, !WebLink.isSafe(address) else { return }
    throw ValidationError("--url takes an address that starts with https:// or http://")
  }
}

extension FeedNotice {
  /// The notices about the feeds themselves: the ongoing outage and the open gaps, newest first.
  fileprivate static func all(_ session: Session) throws -> [FeedNotice] {
    let memory = try session.pollState()
    let state = try session.state
    var notices = state.openGaps.map { id, gap in
      let title = state.channels[gap.subscription]?.title ?? gap.subscription.description
      return FeedNotice(
        id: StableID.notice("gap \(id)"), title: "\(title): some videos may be missing",
        text: """
          Between \(gap.after.rfc3339) and \(gap.before.rfc3339) it may have published more videos than its feed holds. \
          Its page lists them all; with a Data API key, metube-rss enrich --gaps adds them.
          """,
        link: gap.subscription.url, began: id.timestamp)
    }
    if let pause = memory.pause, pause.reason == .outage {
      notices.append(
        FeedNotice(
          id: StableID.notice("outage \(pause.since.rfc3339)"), title: "YouTube's feeds are failing",
          text: """
            \(UserMessages.stopped(.outage)). It began before \(pause.since.rfc3339). Videos found earlier are all here; \
            videos published since will appear when the feeds recover.
            """,
          link: "https://www.youtube.com/feed/subscriptions", began: pause.since))
    }
    return notices.sorted { ($1.began, $0.id) < ($0.began, $1.id) }
  }
}

/// One Atom feed per tag in one folder, plus an OPML file that lists them for import into a feed reader.
struct TagFeeds {
  private let folder: String
  /// The public URL of the folder; nil if only this machine reads it.
  private let address: String?
  private let home: Home

  /// Feeds in `folder`, published at `address` if not nil.
  init(_ folder: String, address: String?, _ home: Home) {
    self.home = home
    self.folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    self.address = address.map { $0.hasSuffix("/") ? $0 : "\($0)/" }
  }

  /// Writes the feed that `videos` returns for each tag; returns a summary for the user.
  func write(_ tags: [String], _ videos: (String) throws -> ExportedVideos) throws -> String {
    guard mkdir(folder, 0o755) == 0 || errno == EEXIST else {
      throw Failure(.disk, "\(folder): cannot be created: \(String(cString: strerror(errno)))")
    }
    var written = 0
    var links: [FeedLink] = []
    for tag in tags {
      let name = TagFeeds.fileName(tag)
      let videos = try videos(tag)
      let link = FeedLink(title: tag, address: published(name))
      try home.refuse(output: "\(folder)/\(name)")
      let isWritten = try File.replace("\(folder)/\(name)") { output in
        try videos.writeAtom([], address: address == nil ? nil : link.address, to: &output)
      }
      written += isWritten ? 1 : 0
      links.append(link)
    }
    var opml: [UInt8] = []
    FeedLink.appendOPML(links, to: &opml)
    try home.refuse(output: "\(folder)/feeds.opml")
    written += try File.replace("\(folder)/feeds.opml", with: opml) ? 1 : 0
    return "\(folder): \(UserMessages.count(links.count, "feed")) and feeds.opml; \(written) changed"
  }

  /// The unique file name of a tag: letters, digits, `-` and `_` unchanged, other bytes percent-encoded (`%2F`).
  static func fileName(_ tag: String) -> String {
    // An empty tag of another device would make a hidden file; no other tag has this name.
    if tag.isEmpty { return "%.atom" }
    let name = tag.percentEncoded(keeping: "-_")
    // A file name has at most 255 bytes, and the temporary file's name is longer.
    guard name.utf8.count > 150 else { return "\(name).atom" }
    return "\(name.prefix(120))-\(String(Fingerprint.of(tag), radix: 16)).atom"
  }

  /// The URL of a file in the folder; a `%` in the file name is literal, so it is encoded.
  private func published(_ name: String) -> String {
    let base = address ?? "file://" + File.absolute(folder).percentEncoded(keeping: "-_/") + "/"
    return base + name.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%25")
  }
}
