import ArgumentParser
import Core

/// `export atom`: one feed of everything, for any feed reader.
struct ExportAtomCommand: ExportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "atom", abstract: "Write one Atom feed of what you follow, for any feed reader.",
    discussion: """
      The newest 100 videos of every status, without Shorts and without what is
      still to come: marking a video changes nothing in it. With --output the file is
      replaced as a whole, and left untouched when nothing changed.

      Examples:
        metube-rss export atom --output ~/feeds/youtube.atom
        metube-rss export atom --tag science --limit 20
        metube-rss export atom --all-tags ~/feeds --url https://me.example/feeds
      """)
  @OptionGroup var options: ExportOptions
  @Option(name: .long, help: "How many to write; 0 is all.")
  var limit: Limit = 100
  @Option(
    name: .long,
    help: ArgumentHelp("Write one feed for each tag into this folder, and feeds.opml of them.", valueName: "dir"),
    transform: ArgumentShield.unguarded)
  var allTags: String?
  @Flag(name: .long, help: "Have an outage of the feeds and open gaps as entries too.")
  var withNotices = false
  @Option(
    name: .long, help: ArgumentHelp("The address at which the feed, or the folder, is published.", valueName: "url"),
    transform: ArgumentShield.unguarded)
  var url: String?

  var writtenFolder: String? { allTags ?? Self.folder(ofFile: options.output) }

  func validate() throws {
    if allTags != nil, options.output != nil { throw ValidationError("--all-tags and --output exclude each other") }
    if allTags != nil, withNotices { throw ValidationError("--with-notices is for one feed, not for --all-tags") }
    try PublishedAddress.check(url)
  }

  func export(_ session: Session) throws -> String? {
    guard let allTags else {
      let videos = try options.videos(in: session, limit: limit.count, tags: nil)
      let notices = withNotices ? Notices.all(session) : []
      return try options.write(videos) { try videos.writeAtom(notices, address: url, to: &$0) }
    }
    let wanted = Set(options.filter.tag.flatMap(TagNames(session.state).speltOrNew))
    let tags = Set(session.state.followed.flatMap(\.tags)).filter { wanted.isEmpty || wanted.contains($0) }
    return try TagFeeds(allTags, address: url).write(tags.sorted()) { tag in
      try options.videos(in: session, limit: limit.count, tags: [tag])
    }
  }
}

/// The address at which a feed is published.
enum PublishedAddress {
  /// Throws where an address that was given is none of the web.
  static func check(_ address: String?) throws {
    guard let address, !WebLink.isSafe(address) else { return }
    throw ValidationError("--url takes an address that begins with https:// or http://")
  }
}
