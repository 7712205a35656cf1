import FeedParser
import Glibc
import SlowFold
import Terminal
import TestSupport
import Testing

@testable import Core
@testable import Exporters

/// A feed of hostile titles and descriptions, rendered by every view.
struct HostileFeedTests {
  private let now = Timestamp(seconds: 1_782_914_435)
  private let state: State
  private let rows: [VideoRow]

  init() throws {
    let feed = try Feed(xml: GoldenFiles.read("hostile.xml"))
    let channel = try #require(feed.channel)
    var fold = SlowFold()
    let followed = ChannelFollowed(
      subscription: .channel(channel), title: nil, tags: ["a & b", "<i>", "\u{9b}\u{202e}tag"])
    fold.apply(Sample.event(0, .channelFollowed(followed)))
    let found: Int64 = 181 * 86_400  // 2026-07-01, after every `published`
    let detection = Detection(
      of: feed, requested: FeedRequest(subscription: .channel(channel), form: .channel), answered: nil, in: fold)
    for (index, body) in detection.events.enumerated() { fold.apply(Sample.event(found + Int64(index), body)) }
    let plain = try #require(VideoID("plainTitle0"))
    fold.apply(Sample.event(found + 100, .videoEnriched(VideoEnriched(video: plain, duration: 3723, live: Live.none))))
    fold.apply(Sample.event(found + 101, .savedSet(SavedSet(video: plain, saved: true))))
    state = fold.state
    let videos = fold.videos.values.sorted { ($1.published, $0.id) < ($0.published, $1.id) }
    rows = videos.compactMap { [now, state] in VideoRow($0, in: state, at: now) }
  }

  private func description(of row: VideoRow) -> String {
    if case .text(let text) = row.description?.source { text } else { "" }
  }

  private func atom(_ rows: [VideoRow]) -> [UInt8] {
    let feed = AtomFeed(
      id: StableID.feed(filter: ""), title: "Hostile \"<&>\"", updated: AtomFeed.updated(of: rows),
      selfLink: "https://example.com/feed.atom?a=1&b=2")
    var bytes: [UInt8] = []
    feed.appendStart(to: &bytes)
    for row in rows { feed.append(row, description: description(of: row), to: &bytes) }
    feed.appendEnd(to: &bytes)
    return bytes
  }

  private func jsonFeed() -> [UInt8] {
    var feed = JSONFeed(title: "Hostile \"<&>\"", feedLink: "https://example.com/feed.json")
    var bytes: [UInt8] = []
    feed.appendStart(to: &bytes)
    for row in rows { feed.append(row, description: description(of: row), to: &bytes) }
    feed.appendEnd(to: &bytes)
    return bytes
  }

  @Test("Every view of a hostile feed matches the golden file")
  func golden() throws {
    try GoldenFiles.expect(atom(rows), are: "hostile.atom")
    try GoldenFiles.expect(atom([]), are: "empty.atom")
    try GoldenFiles.expect(jsonFeed(), are: "hostile.feed.json")
    var bytes: [UInt8] = []
    SeparatedValues.commas.append(rows, to: &bytes)
    try GoldenFiles.expect(bytes, are: "hostile.csv")
    bytes = []
    SeparatedValues.tabs.append(rows, to: &bytes)
    try GoldenFiles.expect(bytes, are: "hostile.tsv")
    try GoldenFiles.expect(SubscriptionDocument.opml(of: state, alsoPrivate: false).bytes, are: "hostile.opml")
  }

  @Test("The table of a hostile feed matches the golden file at every width", arguments: [40, 80, 200])
  func table(width: Int) throws {
    var bytes: [UInt8] = []
    let style = TerminalStyle(colors: false, links: false)
    TextTable.videos(rows, numbered: true, at: .utc(now)).append(to: &bytes, width: width, style: style)
    try GoldenFiles.expect(bytes, are: "hostile.\(width).txt")
  }

  @Test(
    "The Atom feed of a hostile feed is well-formed XML", .enabled(if: Judge("xmllint") != nil),
    arguments: ["hostile.atom", "empty.atom"])
  func wellFormed(name: String) throws {
    let verdict = try #require(Judge("xmllint")).verdict(["--noout", "--nonet", GoldenFiles.path(name)])
    #expect(verdict.isGood && verdict.output.isEmpty, "\(verdict.output)")
  }

  @Test(
    "The Atom feed of a hostile feed is valid under the schema of RFC 4287", .enabled(if: Schema.atom != nil),
    arguments: ["hostile.atom", "empty.atom"])
  func valid(name: String) throws {
    let schema = try #require(Schema.atom)
    let verdict = try #require(Judge("xmllint"))
      .verdict(["--noout", "--nonet", "--relaxng", schema, GoldenFiles.path(name)])
    #expect(verdict.isGood, "\(verdict.output)")
  }

  @Test("The Atom feed parses back into its titles and descriptions")
  func readsBack() throws {
    let feed = try Feed(xml: atom(rows))
    #expect(feed.entries.map(\.video) == rows.map(\.video))
    for (entry, row) in zip(feed.entries, rows) {
      #expect(entry.link == row.url)
      #expect(entry.published == row.published)
      #expect(DisplayText(entry.title) == DisplayText(row.title))
    }
  }
}

/// Schemas, which are not part of the package: in the folder named by the environment, or next to the package.
private enum Schema {
  static let atom: String? = {
    guard Judge("xmllint") != nil else { return nil }
    let folder =
      getenv("METUBE_RSS_JUDGES").map { String(cString: $0) } ?? GoldenFiles.packageRoot + "/../shared/judges"
    return access(folder + "/atom.rng", R_OK) == 0 ? folder + "/atom.rng" : nil
  }()
}
