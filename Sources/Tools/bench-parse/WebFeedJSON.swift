import Core
import FeedParser
import WebFeed

/// Feeds as JSON, for comparison with the expectations of other parsers.
///
/// Each line of standard input names a document: `PATH`, or `PATH TAB BASE TAB CONTENT-TYPE`, of which both may be empty.
/// Each line of output is an object: the feed, or `{"error":"…"}`.
enum WebFeedJSON {
  static func run() {
    while let line = readLine() {
      let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
      let base = parts.count > 1 ? WebURL(parts[1]) : nil
      let contentType = parts.count > 2 && !parts[2].isEmpty ? parts[2] : nil
      var json = JSONObject()
      do throws(ParseError) {
        json.append(try WebFeedParser.parse(bytes(of: parts[0]), contentType: contentType, base: base))
      } catch {
        json.append("error", "\(error)")
      }
      print(json.text)
    }
  }
}

/// A JSON object, written member by member; absent values are left out.
private struct JSONObject {
  private var bytes: [UInt8] = []

  var text: String { "{" + String(decoding: bytes, as: UTF8.self) + "}" }

  private mutating func append(raw name: String, _ value: String) {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
    JSONText.quote(name, into: &bytes)
    bytes += ":\(value)".utf8
  }

  private static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    JSONText.quote(text, into: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  mutating func append(_ name: String, _ value: String?) {
    if let value { append(raw: name, JSONObject.quoted(value)) }
  }

  mutating func append(_ name: String, _ value: Timestamp?) { append(name, value?.rfc3339) }
  mutating func append(_ name: String, _ value: (some BinaryInteger)?) {
    if let value { append(raw: name, "\(value)") }
  }
  mutating func append(_ name: String, _ value: Bool?) { if let value { append(raw: name, "\(value)") } }

  mutating func append(_ name: String, _ values: [String]) {
    append(raw: name, "[" + values.map(JSONObject.quoted).joined(separator: ",") + "]")
  }

  mutating func append<Value>(_ name: String, _ values: [Value], _ write: (inout JSONObject, Value) -> Void) {
    let objects = values.map { value in
      var object = JSONObject()
      write(&object, value)
      return object.text
    }
    append(raw: name, "[" + objects.joined(separator: ",") + "]")
  }

  mutating func append(_ feed: WebFeed) {
    append("format", feed.format.rawValue)
    append("id", feed.id)
    append("title", feed.title)
    append("summary", feed.summary)
    append("link", feed.link)
    append("selfLink", feed.selfLink)
    append("hubs", feed.hubs)
    append("nextPage", feed.nextPage)
    append("previousArchive", feed.previousArchive)
    append("isArchive", feed.isArchive)
    append("isComplete", feed.isComplete)
    append("timeToLive", feed.timeToLive)
    append("language", feed.language)
    append("image", feed.image)
    append("author", feed.author)
    append("updated", feed.updated)
    append("newFeedURL", feed.newFeedURL)
    append("podcastGUID", feed.podcastGUID)
    append("isFinished", feed.isFinished)
    append("isExplicit", feed.isExplicit)
    append("categories", feed.categories)
    append("isRepaired", feed.isRepaired)
    append("droppedEntries", feed.droppedEntries)
    append("entries", feed.entries) { $0.append($1) }
  }

  mutating func append(_ entry: WebEntry) {
    append("id", entry.id)
    append("isPermalink", entry.isPermalink)
    append("link", entry.link)
    append("linkAsSent", entry.linkAsSent)
    append("title", entry.title)
    append("published", entry.published)
    append("updated", entry.updated)
    append("summary", entry.summary)
    append("notes", entry.notes)
    append("media", entry.media) { $0.append($1) }
    append("duration", entry.duration)
    append("image", entry.image)
    append("author", entry.author)
    append("season", entry.season)
    append("episode", entry.episode)
    append("episodeType", entry.episodeType)
    append("isExplicit", entry.isExplicit)
    append("transcripts", entry.transcripts) {
      $0.append("url", $1.url)
      $0.append("type", $1.type)
      $0.append("language", $1.language)
      $0.append("isCaptions", $1.isCaptions)
    }
    append("chapters", entry.chapters)
    append("persons", entry.persons) {
      $0.append("name", $1.name)
      $0.append("role", $1.role)
      $0.append("group", $1.group)
      $0.append("link", $1.link)
      $0.append("image", $1.image)
    }
    append("categories", entry.categories)
  }

  private mutating func append(_ media: WebMedia) {
    append("url", media.url)
    append("type", media.type)
    append("kind", media.kind.rawValue)
    append("length", media.length)
    append("duration", media.duration)
    append("height", media.height)
    append("bitrate", media.bitrate)
    append("title", media.title)
    append("language", media.language)
    append("isDefault", media.isDefault)
  }
}
