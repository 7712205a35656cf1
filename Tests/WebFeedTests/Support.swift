import Core
import FeedParser
import TestSupport
import Testing

@testable import WebFeed

/// The feed in a document that was fetched from `base`.
func parse(_ document: String, contentType: String? = nil, base: String? = nil) throws -> WebFeed {
  try WebFeedParser.parse(Array(document.utf8), contentType: contentType, base: base.flatMap { WebURL($0) })
}

/// The first entry of an RSS feed with this content of its item.
func entry(_ item: String, base: String? = nil) throws -> WebEntry {
  let names =
    "xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd' xmlns:media='http://search.yahoo.com/mrss/' "
    + "xmlns:content='http://purl.org/rss/1.0/modules/content/' xmlns:dc='http://purl.org/dc/elements/1.1/' "
    + "xmlns:atom='http://www.w3.org/2005/Atom' xmlns:podcast='https://podcastindex.org/namespace/1.0'"
  let feed = try parse("<rss version='2.0' \(names)><channel><item>\(item)</item></channel></rss>", base: base)
  return try #require(feed.entries.first)
}

/// The first entry of an Atom feed with this content.
func atomEntry(_ content: String, base: String? = nil) throws -> WebEntry {
  let feed = try parse("<feed xmlns='http://www.w3.org/2005/Atom'><entry>\(content)</entry></feed>", base: base)
  return try #require(feed.entries.first)
}

/// The bytes of one of the package's own documents.
func fixture(_ name: String) throws -> [UInt8] {
  try #require(PackageFiles.read(PackageFiles.root + "/Fixtures/webfeeds/" + name))
}

/// A feed as lines of text, one for each value that it has.
func rendering(_ feed: WebFeed) -> String {
  var lines = Lines()
  lines.add("format", feed.format.rawValue)
  lines.add("id", feed.id)
  lines.add("title", feed.title)
  lines.add("summary", feed.summary)
  lines.add("link", feed.link)
  lines.add("selfLink", feed.selfLink)
  for hub in feed.hubs { lines.add("hub", hub) }
  lines.add("nextPage", feed.nextPage)
  lines.add("previousArchive", feed.previousArchive)
  lines.add("isArchive", feed.isArchive)
  lines.add("isComplete", feed.isComplete)
  lines.add("timeToLive", feed.timeToLive)
  lines.add("language", feed.language)
  lines.add("image", feed.image)
  lines.add("author", feed.author)
  lines.add("updated", feed.updated?.rfc3339)
  lines.add("newFeedURL", feed.newFeedURL)
  lines.add("podcastGUID", feed.podcastGUID)
  lines.add("isFinished", feed.isFinished)
  lines.add("isExplicit", feed.isExplicit)
  for category in feed.categories { lines.add("category", category) }
  lines.add("isRepaired", feed.isRepaired)
  for entry in feed.entries { lines.add(entry) }
  return lines.text
}

private struct Lines {
  var text = ""
  private var indent = ""

  mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    text += "\(indent)\(name): " + value.replacing("\n", with: "\\n") + "\n"
  }
  mutating func add(_ name: String, _ value: (some BinaryInteger)?) { add(name, value.map { "\($0)" }) }
  mutating func add(_ name: String, _ value: Bool) { if value { add(name, "true") } }
  mutating func add(_ name: String, _ value: Bool?) { add(name, value.map { "\($0)" }) }

  mutating func add(_ entry: WebEntry) {
    text += "entry\n"
    indent = "  "
    add("id", entry.id)
    add("isPermalink", entry.isPermalink)
    add("link", entry.link)
    add("linkAsSent", entry.linkAsSent)
    add("title", entry.title)
    add("published", entry.published?.rfc3339)
    add("updated", entry.updated?.rfc3339)
    add("summary", entry.summary)
    add("notes", entry.notes)
    for media in entry.media { add(media) }
    add("duration", entry.duration)
    add("image", entry.image)
    add("author", entry.author)
    add("season", entry.season)
    add("episode", entry.episode)
    add("episodeType", entry.episodeType)
    add("isExplicit", entry.isExplicit)
    for transcript in entry.transcripts {
      let parts = [transcript.url, transcript.type, transcript.language, transcript.isCaptions ? "captions" : nil]
      add("transcript", parts.map { $0 ?? "-" }.joined(separator: " "))
    }
    add("chapters", entry.chapters)
    for person in entry.persons {
      let parts = [person.name, person.role, person.group, person.link, person.image]
      add("person", parts.map { $0 ?? "-" }.joined(separator: ", "))
    }
    for category in entry.categories { add("category", category) }
    indent = ""
  }

  private mutating func add(_ media: WebMedia) {
    add("media", media.url)
    indent = "    "
    add("type", media.type)
    add("kind", media.kind.rawValue)
    add("length", media.length)
    add("duration", media.duration)
    add("height", media.height)
    add("bitrate", media.bitrate)
    add("title", media.title)
    add("language", media.language)
    add("isDefault", media.isDefault)
    indent = "  "
  }
}
