import Core
import Testing
import WebFeed

@testable import Entries

private let feed = FeedID(high: 1, low: 4)
private let now = Timestamp(seconds: 1_790_000_000)

/// The n-th entry, one day older for each.
private func entry(_ number: Int, _ change: (inout WebEntry) -> Void = { _ in }) -> WebEntry {
  var entry = WebEntry()
  entry.id = "https://blog.example/?p=\(number)"
  entry.link = "https://blog.example/posts/\(number)"
  entry.title = "Title \(number)"
  entry.published = now.adding(seconds: -86_400 * Int64(1000 - number))
  change(&entry)
  return entry
}

private func document(_ entries: [WebEntry]) -> WebFeed {
  var document = WebFeed(format: .rss)
  (document.title, document.entries) = ("A blog", entries)
  return document
}

/// A feed's state as polls change it: the events applied to what was known.
private struct Reader {
  var known = KnownWebFeed(feed: feed, channel: nil, entries: [], keys: [])
  var skipped: Set<VideoID> = []
  private var channel = Channel(id: .feed(feed))
  private var second: UInt64 = 0

  mutating func poll(_ document: WebFeed, at time: Timestamp = now) -> EntryDetection {
    let detection = EntryDetection(of: document, known: known, answered: nil, now: time)
    for body in detection.events { apply(body) }
    return detection
  }

  private mutating func apply(_ body: EventBody) {
    second += 1
    let id = EventID(reading: second << 16, device: DeviceID(letters: 1))
    switch body {
    case .feedChanged(let change):
      if let kind = change.keyKind { channel.feedDetails.keyKind.set(kind, by: id) }
      if let name = change.name { channel.feedName.set(name, by: id) }
      known.channel = channel
    case .entryFound(let found):
      if found.status == .skipped { skipped.insert(found.entry) }
      known.entries.append(
        KnownEntry(id: found.entry, aliases: [], key: found.key, title: found.title, facts: found.facts))
    case .entryChanged(let change):
      guard let index = known.entries.firstIndex(where: { $0.id == change.entry }) else { return }
      known.entries[index].title = change.title ?? known.entries[index].title
      known.entries[index].facts.link = change.facts.link ?? known.entries[index].facts.link
      known.entries[index].facts.media = change.facts.media ?? known.entries[index].facts.media
      if let alias = change.alias { known.entries[index].aliases.append(alias) }
    case .entriesKnown(let event): known.keys.formUnion(event.keys)
    default: Issue.record("an event of another kind")
    }
  }
}

@Test("The first poll finds the newest hundred; the others are known and never new")
func firstPoll() {
  var reader = Reader()
  let entries = (1...250).map { entry($0) }
  let first = reader.poll(document(entries.shuffled()))
  #expect(first.found == 100 && !first.hasGap)
  #expect(Set(reader.known.entries.map(\.title)) == Set((151...250).map { "Title \($0)" }))
  #expect(reader.known.keys.count == 150)
  #expect(reader.poll(document(entries)).events.isEmpty)
  #expect(reader.poll(document(entries + [entry(251)])).found == 1)
}

@Test("A document without dates has its newest first")
func firstPollUndated() {
  var reader = Reader()
  _ = reader.poll(document((1...120).map { entry($0) { $0.published = nil } }))
  #expect(reader.known.entries.map(\.title) == (1...100).map { "Title \($0)" })
}

@Test("The kind of key is the first that the document has throughout")
func keyKinds() {
  let many = (1...40).map { entry($0) }
  #expect(EntryKeys.kind(for: many) == .id)
  #expect(EntryKeys.kind(for: (1...40).map { number in entry(number) { $0.id = nil } }) == .link)
  // Two of forty are still an accident, three are not.
  func repeated(_ count: Int) -> [WebEntry] {
    (1...40).map { number in entry(number) { if number <= count { $0.id = "same" } } }
  }
  #expect(EntryKeys.kind(for: repeated(3)) == .id)
  #expect(EntryKeys.kind(for: repeated(4)) == .link)
  let bare = (1...5).map { number in entry(number) { ($0.id, $0.link) = (nil, nil) } }
  #expect(EntryKeys.kind(for: bare) == .title)
  #expect(EntryKeys.kind(for: []) == nil)
}

@Test("Schemes and parameters that only track make no new entry")
func sameKeys() {
  var reader = Reader()
  _ = reader.poll(document([entry(1), entry(2)]))
  let moved = [
    entry(1) { $0.id = "http://blog.example/?p=1" },
    entry(2) { $0.id = "https://blog.example/?p=2&utm_source=feed" },
  ]
  #expect(reader.poll(document(moved)).found == 0)
  #expect(EntryKeys.normalized("https://a.example/x?utm_medium=rss&b=1&fbclid=2#part") == "a.example/x?b=1#part")
  #expect(EntryKeys.normalized("https://a.example/x?utm_medium=rss#part") == "a.example/x#part")
  #expect(EntryKeys.normalized("tag:a.example,2026:1") == "tag:a.example,2026:1")
}

@Test("A link is kept as it was sent, but absolute")
func links() {
  let relative = EntryFacts(entry(1) { $0.linkAsSent = "/posts/1" })
  #expect(relative.link == "https://blog.example/posts/1")
  let tracked = EntryFacts(entry(1) { $0.linkAsSent = "https://blog.example/posts/1?utm_source=feed" })
  #expect(tracked.link == "https://blog.example/posts/1?utm_source=feed")
}

@Test("A repeated key stays with the oldest entry, also when that is gone")
func repeatedKeys() {
  var reader = Reader()
  let others = (10...60).map { entry($0) }
  _ = reader.poll(document([entry(1)] + others))
  let again = entry(70) { $0.id = entry(1).id }
  #expect(reader.poll(document([again, entry(1)] + others)).found == 1)
  #expect(reader.poll(document([again] + others)).events.isEmpty)
}

@Test("A new host, new IDs or new addresses of the same files are aliases, not entries")
func aliases() {
  var reader = Reader()
  let plain = (1...6).map { number in
    entry(number) {
      let url = "https://cdn.example/\(number).mp3?sig=1"
      $0.media = [WebMedia(url: url, type: "audio/mpeg", kind: .audio, isDefault: true)]
    }
  }
  _ = reader.poll(document(plain))
  let ids = Set(reader.known.entries.map(\.id))
  let changes: [(inout WebEntry, Int) -> Void] = [
    { entry, number in entry.id = "uuid-\(number)" },
    { entry, number in
      entry.link = "https://www.blog.example/posts/\(number)"; entry.id = entry.link
    },
    { entry, number in
      (entry.id, entry.link) = ("new-\(number)", "https://elsewhere.example/\(number)")
      entry.media[0].url = "https://cdn.example/\(number).mp3?sig=2"
    },
  ]
  for change in changes {
    let document = document(
      plain.enumerated().map { index, old in
        var entry = old
        change(&entry, index + 1)
        return entry
      })
    #expect(reader.poll(document).found == 0)
    #expect(reader.poll(document).events.isEmpty)
  }
  #expect(Set(reader.known.entries.map(\.id)) == ids)
  #expect(reader.known.entries.allSatisfy { !$0.aliases.isEmpty })
}

@Test("An entry with a new key and the same title and day is the old one if that is gone")
func aliasByTitle() {
  var reader = Reader()
  let others = (10...20).map { entry($0) }
  _ = reader.poll(document([entry(1)] + others))
  let renamed = entry(1) { ($0.id, $0.link) = ("other", "https://blog.example/renamed") }
  // Both in one document are two.
  #expect(Reader(of: reader.known).polled(document([renamed, entry(1)] + others)).found == 1)
  #expect(reader.poll(document([renamed] + others)).found == 0)
}

@Test("A renumbered document is found anew as skipped, and reported")
func renumbered() {
  var reader = Reader()
  _ = reader.poll(document((1...10).map { entry($0) }))
  let renumbered = (1...10).map { number in
    entry(number) { ($0.id, $0.link, $0.published) = ("n\(number)", "https://new.example/\(number)", now) }
  }
  let detection = reader.poll(document(renumbered))
  #expect(detection.isRenumbered && detection.found == 0 && !detection.hasGap)
  #expect(reader.skipped.count == 10)
  #expect(reader.poll(document(renumbered)).events.isEmpty)
}

@Test("A series of equal titles is new each time")
func series() {
  var reader = Reader()
  for number in 1...20 {
    let weekly = entry(number) { $0.title = "Links of the week" }
    #expect(reader.poll(document([weekly])).found == 1, "\(number)")
  }
  #expect(reader.skipped.isEmpty)
}

@Test("A document with none of the known entries may have left some out")
func gap() {
  var reader = Reader()
  _ = reader.poll(document((1...10).map { entry($0) }))
  #expect(reader.poll(document((11...20).map { entry($0) })).hasGap)
  #expect(!reader.poll(document((20...29).map { entry($0) })).hasGap)
  #expect(!reader.poll(document([])).hasGap)
}

@Test("What changes visibly is logged, rewritten dates and signatures are not")
func changes() throws {
  var reader = Reader()
  _ = reader.poll(document([entry(1), entry(2)]))
  let detection = reader.poll(
    document([
      entry(1) { $0.title = "Another title" },
      entry(2) { $0.published = now },
    ]))
  #expect(detection.changed == 1 && detection.events.count == 1)
  guard case .entryChanged(let change)? = detection.events.first else {
    Issue.record("no change")
    return
  }
  #expect(change.title == "Another title" && change.facts == EntryFacts())
}

@Test("A date ahead is kept, and moves while the entry waits for it")
func ahead() {
  var reader = Reader()
  let soon = now.adding(seconds: 400_000)
  _ = reader.poll(document([entry(1) { $0.published = soon }, entry(2)]))
  #expect(reader.known.entries.first { $0.title == "Title 1" }?.facts.published == soon)
  let later = soon.adding(seconds: 86_400)
  let detection = reader.poll(document([entry(1) { $0.published = later }, entry(2)]))
  guard case .entryChanged(let change)? = detection.events.first else {
    Issue.record("no change")
    return
  }
  #expect(change.facts.published == later && !change.isVisible)
}

@Test("Entries before the date of a follow count as seen")
func seenBefore() {
  var channel = Channel(id: .feed(feed))
  let event = EventID(reading: 1 << 16, device: DeviceID(letters: 1))
  channel.seenLimit.set(now.adding(seconds: -86_400 * 500), by: event)
  let known = KnownWebFeed(feed: feed, channel: channel, entries: [], keys: [])
  let detection = EntryDetection(of: document([entry(400), entry(600)]), known: known, answered: nil, now: now)
  let statuses = detection.events.compactMap { body -> Status?? in
    if case .entryFound(let found) = body { .some(found.status) } else { nil }
  }
  #expect(statuses == [.watched, nil])
}

extension Reader {
  fileprivate init(of known: KnownWebFeed) { self.known = known }

  fileprivate func polled(_ document: WebFeed) -> EntryDetection {
    EntryDetection(of: document, known: known, answered: nil, now: now)
  }
}
