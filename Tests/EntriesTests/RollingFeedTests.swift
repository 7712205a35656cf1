import Core
import Testing
import WebFeed

@testable import Entries

private let feed = FeedID(high: 1, low: 4)
private let now = Timestamp(seconds: 1_790_000_000)

/// What the entries of a feed have in common, though each is its own.
enum SharedFeature: CaseIterable, Sendable {
  /// A program that sends all files: `play.php?id=4`.
  case file
  /// A link to the home page.
  case link
  /// A title, on one day.
  case title
}

private func entry(_ number: Int, _ shared: SharedFeature?) -> WebEntry {
  var entry = WebEntry()
  entry.id = "entry \(number)"
  entry.link = shared == .link ? "https://radio.example/" : "https://radio.example/\(number)"
  entry.title = shared == .title ? "News" : "Title \(number)"
  entry.published = now.adding(seconds: Int64(number) * (shared == .title ? 60 : 86_400) - 9_000_000)
  if shared == .file {
    entry.media = [
      WebMedia(
        url: "https://radio.example/play.php?id=\(number)", type: "audio/mpeg", kind: .audio, isDefault: false)
    ]
  }
  return entry
}

/// What is known of the feed after a document.
private func poll(_ known: inout KnownWebFeed, _ entries: [WebEntry]) -> EntryDetection {
  var document = WebFeed(format: .rss)
  (document.title, document.entries) = ("Radio", entries)
  let detection = EntryDetection(of: document, known: known, answered: nil, now: now)
  for case .entryFound(let found) in detection.events {
    known.entries.append(
      KnownEntry(id: found.entry, aliases: [], key: found.key, title: found.title, facts: found.facts))
  }
  return detection
}

@Test("No entry disappears in another that takes its position", arguments: SharedFeature.allCases, [1, 3, 5])
func rollingFeed(shared: SharedFeature, width: Int) {
  var known = KnownWebFeed(feed: feed, channel: nil, entries: [], keys: [])
  for start in 1...20 {
    let detection = poll(&known, (start..<start + width).map { entry($0, shared) })
    #expect(detection.found == (start == 1 ? width : 1), "the document from \(start) on")
  }
  #expect(Set(known.entries.map(\.key)).count == 19 + width)
}

@Test("What is new in a renumbered document is new")
func newAmongRenumbered() {
  var known = KnownWebFeed(feed: feed, channel: nil, entries: [], keys: [])
  _ = poll(&known, (1...6).map { entry($0, nil) })
  var again = (1...7).map { entry($0, nil) }
  for index in again.indices {
    again[index].id = "other \(index)"
    again[index].link = "https://radio.example/other/\(index)"
  }
  let detection = poll(&known, again)
  #expect(detection.isRenumbered && detection.found == 1)
  let new = detection.events.compactMap { body -> String? in
    if case .entryFound(let found) = body, found.status == nil { found.title } else { nil }
  }
  #expect(new == ["Title 7"])
}

@Test("The entries that are only known are logged before those that are found")
func knownFirst() {
  var known = KnownWebFeed(feed: feed, channel: nil, entries: [], keys: [])
  let events = poll(&known, (1...150).map { entry($0, nil) }).events
  let first = events.firstIndex { if case .entryFound = $0 { true } else { false } }
  let last = events.lastIndex { if case .entriesKnown = $0 { true } else { false } }
  #expect(first.flatMap { first in last.map { $0 < first } } == true)
}
