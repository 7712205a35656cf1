import Core
import Glibc
import SQLDrivers
import TestSupport
import Testing

@testable import ReadModel

/// Texts whose normalised form is written down beside them, and a search in them that tries every position.
private struct SlowSearch {
  var random: UInt64
  var videos: [(id: VideoID, title: String, channel: String, description: String)] = []
  var events: [Event] = []

  static let words: [(written: String, plain: String)] = [
    ("Lantern", "lantern"), ("LANTÉRNE", "lanterne"), ("Straße", "strasse"), ("Ёлка", "елка"), ("東京駅", "東京駅"),
    ("東京", "東京"), ("京駅", "京駅"), ("駅", "駅"), ("カフェ", "カフェ"), ("🎉party", "🎉party"), ("party🎉", "party🎉"),
    ("C++", "c++"), ("c", "c"), ("org/a", "org/a"), ("org", "org"), ("/a", "/a"), ("a", "a"), ("don’t", "don't"),
    ("#shorts", "#shorts"), ("shorts", "shorts"), ("“quoted”", "“quoted”"), ("end—start", "end—start"),
    ("รถไฟ", "รถไฟ"),
    ("x東京y", "x東京y"), ("ab", "ab"), ("abc", "abc"), ("10", "10"), ("«été»", "«ete»"), ("𠀀𠀁", "𠀀𠀁"), ("++", "++"),
  ]

  init(seed: UInt64) { random = seed &* 0x9e37_79b9_7f4a_7c15 | 1 }

  mutating func number(_ bound: Int) -> Int {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(random >> 33) % bound
  }

  mutating func text(_ count: Int, separators: [String] = [" "]) -> (written: String, plain: String) {
    let chosen = (0..<count).map { _ in SlowSearch.words[number(SlowSearch.words.count)] }
    var (written, plain) = ("", "")
    for word in chosen {
      let separator = written.isEmpty ? "" : separators[number(separators.count)]
      written += separator + word.written
      plain += separator + word.plain
    }
    return (written, plain)
  }

  mutating func add(_ body: EventBody) {
    let device = DeviceID(letters: 0x6161_6161_6161_6161)
    let id = EventID(reading: UInt64(1_750_000_000_000 + events.count) << 16, device: device)
    events.append(Event(id: id, action: id, body: body))
  }

  static func channel(_ number: Int) -> ChannelID { ChannelID(high: UInt64(number), low: 7) }

  /// Follows three channels: one with a title, one with a name, one with neither; the fourth is not followed.
  mutating func follow() {
    let ids = (0..<3).map { SubscriptionID.channel(SlowSearch.channel($0)) }
    add(.channelFollowed(ChannelFollowed(subscription: ids[0], title: "Café Zwölf", tags: nil)))
    add(.channelFollowed(ChannelFollowed(subscription: ids[1], title: nil, tags: nil)))
    add(.channelChanged(ChannelChanged(subscription: ids[1], name: "Name of One")))
    add(.channelFollowed(ChannelFollowed(subscription: ids[2], title: nil, tags: nil)))
  }

  mutating func find() {
    let id = VideoID(bits: UInt64(videos.count + 1) &* 0x9e37_79b9_7f4a_7c15)
    let channel = number(4)
    let name = number(3) == 0 ? "Brought Along" : nil
    let title = text(1 + number(4), separators: [" ", "  ", "\n"])
    let text = text(number(12), separators: [" ", "\n", ". "])
    // Some descriptions are the same as others'.
    let body = number(5) == 0 && !videos.isEmpty ? videos[number(videos.count)].description : text.written
    let hasBody = number(6) > 0
    add(
      .videoFound(
        VideoFound(
          video: id, channel: SlowSearch.channel(channel), channelTitle: name, feed: .channel, playlist: nil,
          title: title.written, link: "", published: Timestamp(seconds: Int64(videos.count)), thumbnail: nil,
          zeroViews: false, status: nil, reason: nil, description: hasBody ? Description(body) : nil)))
    let own = SlowSearch.channel(channel).description
    let title0 = ["Café Zwölf", "Name of One", name ?? own, name ?? own][channel]
    videos.append((id, title.written, title0, hasBody ? body : ""))
  }

  mutating func edit() {
    let index = number(videos.count)
    let isTitle = number(2) == 0
    let new = text(4).written
    if isTitle { videos[index].title = new } else { videos[index].description = new }
    add(
      .videoChanged(
        VideoChanged(
          video: videos[index].id, title: isTitle ? new : nil, description: isTitle ? nil : Description(new))))
  }

  /// What is searched for: whole words, parts, several, phrases.
  mutating func query() -> String {
    switch number(5) {
    case 0: return text(1).written
    case 1: return text(2).plain
    case 2:
      let word = Array(text(1).plain)
      let start = number(word.count)
      return String(word[start..<start + 1 + number(word.count - start)])
    case 3: return "\"" + text(2).written + "\""
    default:
      let phrase = Array(text(2).plain)
      let start = number(phrase.count)
      return "\"" + String(phrase[start...]) + "\" " + text(1).written
    }
  }

  // MARK: The slow search

  /// 0 a blank, 1 a sign, 2 a letter, 3 a letter of scripts that do not separate words.
  private static func kind(_ scalar: Unicode.Scalar) -> Int {
    switch scalar {
    case "東", "京", "駅", "カ", "フ", "ェ", "ร", "ถ", "ไ", "ฟ", "𠀀", "𠀁": 3
    case "+", "/", "#", "'", "“", "”", "—", "«", "»", "🎉", ".", "\"": 1
    case " ", "\n": 0
    default: 2
    }
  }

  private static func plain(_ text: String) -> [Unicode.Scalar] {
    let words = String(decoding: NormalizedText.bytes(of: text), as: UTF8.self).split { " \n".contains($0) }
    return Array(words.joined(separator: " ").unicodeScalars)
  }

  private static func has(_ term: [Unicode.Scalar], _ text: [Unicode.Scalar], atBeginnings: Bool) -> Bool {
    guard term.count <= text.count else { return false }
    return (0...text.count - term.count).contains { start in
      guard Array(text[start..<start + term.count]) == term else { return false }
      return !atBeginnings || kind(term[0]) != 2 || start == 0 || kind(text[start - 1]) != 2
    }
  }

  func search(_ query: String) -> Set<VideoID> {
    var terms: [[Unicode.Scalar]] = []
    for (index, part) in query.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      if index % 2 == 1 {
        terms.append(SlowSearch.plain(String(part)))
      } else {
        terms += part.split(separator: " ").map { SlowSearch.plain(String($0)) }
      }
    }
    terms.removeAll(where: \.isEmpty)
    return Set(
      videos.filter { video in
        terms.allSatisfy { term in
          SlowSearch.has(term, SlowSearch.plain(video.title), atBeginnings: false)
            || SlowSearch.has(term, SlowSearch.plain(video.channel), atBeginnings: false)
            || term.contains { SlowSearch.kind($0) >= 2 }
              && SlowSearch.has(term, SlowSearch.plain(video.description), atBeginnings: true)
        }
      }.map(\.id))
  }
}

extension ReadModel {
  fileprivate func ids(_ query: String) throws -> Set<VideoID> {
    let numbers = try search(query)
    return try read { (database) throws(DatabaseError) in
      var ids: Set<VideoID> = []
      for n in numbers {
        ids.insert(VideoID(column: try database.integer("SELECT id FROM video WHERE n = ?", n) ?? 0))
      }
      return ids
    }
  }

  fileprivate static func inFolder(_ folder: String, _ events: [Event]) throws -> ReadModel {
    try build(in: folder, user: 0, foldedText: { NormalizedText.bytes(of: $0.writtenText) }) {
      (apply: (Event, Int, UInt64) throws(DatabaseError) -> Void) in
      for event in events { try apply(event, 0, 0) }
      return [1]
    }
  }
}

extension Description {
  fileprivate var writtenText: String { if case .text(let text) = source { text } else { "" } }
}

@Suite("Search")
struct SearchTests {
  @Test("Searches find what a slow search finds, as videos come and change", arguments: 1...6 as ClosedRange<UInt64>)
  func slowSearch(seed: UInt64) throws {
    var slow = SlowSearch(seed: seed)
    slow.follow()
    let model = try ReadModel.empty()
    var applied = 0
    for round in 0..<4 {
      for _ in 0..<[60, 1, 0, 40][round] { slow.find() }
      if round > 0 { for _ in 0..<5 { slow.edit() } }
      try model.apply(slow.events[applied...])
      applied = slow.events.count
      for _ in 0..<80 {
        let query = slow.query()
        #expect(try model.ids(query) == slow.search(query), "\(query)")
      }
    }
    for query in ["cafe", "NAME OF", "brought", "UC", "\"of one\"", "", "  ", "\"", "zzz", "é"] {
      #expect(try model.ids(query) == slow.search(query), "\(query)")
    }
  }

  @Test("More than one chunk of documents is searched and grown")
  func chunks() throws {
    var slow = SlowSearch(seed: 77)
    slow.follow()
    for _ in 0..<1500 { slow.find() }
    let model = try ReadModel.empty()
    try model.apply(slow.events)
    let queries = (0..<20).map { _ in slow.query() }
    for query in queries { #expect(try model.ids(query) == slow.search(query), "\(query)") }
    let count = slow.events.count
    for _ in 0..<700 { slow.find() }
    for _ in 0..<20 { slow.edit() }
    try model.apply(slow.events[count...])
    for query in queries { #expect(try model.ids(query) == slow.search(query), "\(query)") }
  }

  @Test(
    "The index outlives the model's tables, damage of it is mended, and what cannot be written is made in memory",
    .onSQLiteAlone("the index is a file"))
  func files() throws {
    let folder = TemporaryFolder()
    var slow = SlowSearch(seed: 5)
    slow.follow()
    for _ in 0..<100 { slow.find() }
    let queries = (0..<25).map { _ in slow.query() }
    func check(_ model: ReadModel, _ comment: Comment) throws {
      for query in queries { #expect(try model.ids(query) == slow.search(query), comment) }
    }
    let model = try ReadModel.inFolder(folder.path, slow.events)
    #expect(!folder.names().contains { $0.hasPrefix("search") })
    try check(model, "first search")
    let index = folder.names().filter { $0.hasPrefix("search") }
    #expect(index.count == 2)
    try check(try #require(ReadModel(in: folder.path, user: 0)), "second start")
    // Built anew, with other numbers.
    try check(try ReadModel.inFolder(folder.path, slow.events.reversed()), "rebuilt model")
    #expect(folder.names().filter { $0.hasPrefix("search") } == index)
    // Damaged.
    let path = folder.path + "/" + (index.first { $0 != TextIndex.linkName } ?? "")
    let file = open(path, O_WRONLY)
    let zeros = [UInt8](repeating: 0x5a, count: 4096)
    for page in 2..<200 { pwrite(file, zeros, 4096, off_t(page * 4096)) }
    close(file)
    let reopened = try #require(ReadModel(in: folder.path, user: 0))
    reopened.foldedText = { NormalizedText.bytes(of: $0.writtenText) }
    try check(reopened, "damaged")
    truncate(folder.path + "/" + TextIndex.linkName, 10)
    let third = try #require(ReadModel(in: folder.path, user: 0))
    third.foldedText = { NormalizedText.bytes(of: $0.writtenText) }
    try check(third, "not a database")
    // Read-only, up to date and not.
    for name in folder.names() { chmod(folder.path + "/" + name, 0o400) }
    chmod(folder.path, 0o500)
    try check(try #require(ReadModel(in: folder.path, user: 0)), "read-only")
    chmod(folder.path, 0o700)
    for name in folder.names() where name.hasPrefix("search") { unlink(folder.path + "/" + name) }
    chmod(folder.path, 0o500)
    try check(try #require(ReadModel(in: folder.path, user: 0)), "read-only without an index")
    chmod(folder.path, 0o700)
  }

  @Test(
    "A description that cannot be read fails the search, and the next one begins anew",
    .onSQLiteAlone("the index is filled by searches"))
  func unreadable() throws {
    struct Unreadable: Error {}
    let folder = TemporaryFolder()
    var slow = SlowSearch(seed: 6)
    for _ in 0..<30 { slow.find() }
    let model = try ReadModel.inFolder(folder.path, slow.events)
    model.foldedText = { _ in throw Unreadable() }
    #expect(throws: Unreadable.self) { try model.ids("lantern") }
    model.foldedText = { NormalizedText.bytes(of: $0.writtenText) }
    #expect(try model.ids("lantern") == slow.search("lantern"))
  }

  @Test("Two processes search at once, each with what it knows", .onSQLiteAlone("the index is a file"))
  func two() throws {
    let folder = TemporaryFolder()
    var slow = SlowSearch(seed: 9)
    for _ in 0..<50 { slow.find() }
    let first = try ReadModel.inFolder(folder.path, slow.events)
    let second = try #require(ReadModel(in: folder.path, user: 0))
    for query in ["lantern", "org/a", "東京", "\"a org\""] {
      #expect(try first.ids(query) == slow.search(query))
      #expect(try second.ids(query) == slow.search(query))
    }
  }
}

@Test("Each word of a rule counts once, whatever its case and accents")
func wordsOfRules() {
  #expect(SearchWords("bell Bell b\u{f6}ll boll").count == 2)
  #expect(SearchWords(" ").isEmpty)
}

@Test("A search without words, or with too many, is refused")
func refusedSearches() {
  #expect(ReadModel.flaw(ofSearch: " \"\" ") == .empty)
  #expect(ReadModel.flaw(ofSearch: (0..<51).map(String.init).joined(separator: " ")) == .tooLong(limit: 50))
  #expect(ReadModel.flaw(ofSearch: String(repeating: "bell ", count: 5000)) == nil)
}
