import FixtureServer
import Testing

/// A recorded feed and its expected contents.
struct Recorded: CustomTestStringConvertible {
  let file: String
  /// The followed channel or playlist.
  let what: String
  let entries: Int
  let shorts: Int

  var testDescription: String { file }

  /// Every recording, one response of YouTube each.
  static let all = [
    Recorded(file: "kurzgesagt-20210608-143250", what: kurzgesagt, entries: 15, shorts: 0),
    Recorded(file: "kurzgesagt-20210608-152032", what: kurzgesagt, entries: 15, shorts: 0),
    Recorded(file: "kurzgesagt-20220812-171540", what: kurzgesagt, entries: 15, shorts: 0),
    Recorded(file: "kurzgesagt-20221122-103233", what: kurzgesagt, entries: 15, shorts: 0),
    Recorded(file: "kurzgesagt-20231208-193018", what: kurzgesagt, entries: 15, shorts: 0),
    Recorded(file: "kurzgesagt-20250317-124303", what: kurzgesagt, entries: 15, shorts: 0),
    Recorded(file: "kurzgesagt-20250711-192241", what: kurzgesagt, entries: 15, shorts: 10),
    Recorded(file: "kurzgesagt-20260702-073535", what: kurzgesagt, entries: 15, shorts: 11),
    Recorded(file: "nasa-20260818", what: "UCLA_DiR1FfKNvjuUpBHmylQ", entries: 15, shorts: 3),
    Recorded(
      file: "playlist-20260529-two-entries", what: "PLmWCw1CzcFilOIgUYuMIJ2iZMo09Ho0va", entries: 2, shorts: 0),
  ]

  /// The channel whose feed was recorded most often.
  static let kurzgesagt = "UCsXVk37bltHxD1rDPwtNM8Q"
}

@Suite("Recorded feeds", .enabled(if: Files.samples != nil))
struct RecordedFeedTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  @Test("A recorded feed yields exactly its entries", arguments: Recorded.all)
  func entries(recorded: Recorded) throws {
    let body = try Files.sample("feeds/\(recorded.file).xml")
    sandbox.server.serve(recorded.what, .feed(body))
    try sandbox.succeed("follow", recorded.what)
    #expect(try sandbox.poll().new == recorded.entries)

    let videos = try sandbox.everything()
    let ids = texts(of: "yt:videoId", in: body)
    #expect(Set(videos.map(\.video)) == Set(ids) && videos.count == ids.count && ids.count == recorded.entries)
    #expect(videos.count { $0.short == "yes" } == recorded.shorts)
    #expect(try sandbox.list().count == recorded.entries - recorded.shorts)
    #expect(Set(videos.map(\.channel)) == Set(texts(of: "yt:channelId", in: body).suffix(ids.count)))
    #expect(videos.allSatisfy { $0.thumbnail.hasSuffix("/vi/\($0.video)/hqdefault.jpg") && $0.status == "new" })
  }

  @Test("Two captures of one feed, 48 minutes apart, differ in no event but the run's")
  func captures() throws {
    try sandbox.succeed("follow", Recorded.kurzgesagt)
    let first = try Files.sample("feeds/kurzgesagt-20210608-143250.xml")
    let second = try Files.sample("feeds/kurzgesagt-20210608-152032.xml")
    #expect(first != second)
    sandbox.server.serve(Recorded.kurzgesagt, .feed(first))
    #expect(try sandbox.poll().new == 15)
    let log = sandbox.log

    sandbox.server.serve(Recorded.kurzgesagt, .feed(second))
    let again = try sandbox.poll("--force")
    #expect(again.checked == 1 && again.new == 0 && again.changed == 0 && again.gaps == 0)
    #expect(Array(sandbox.log.dropLast()) == log)
    #expect(sandbox.log.last?.contains("\"kind\":\"runFinished\"") == true)
  }

  @Test("A year later the feed shares nothing with the old one: everything is found, and the gap is reported")
  func gap() throws {
    try sandbox.succeed("follow", Recorded.kurzgesagt)
    for (file, new, gaps) in [("20210608-152032", 15, 0), ("20220812-171540", 15, 1)] {
      sandbox.server.serve(Recorded.kurzgesagt, .feed(try Files.sample("feeds/kurzgesagt-\(file).xml")))
      let polled = try sandbox.poll("--force")
      #expect(polled.new == new && polled.gaps == gaps)
    }
    #expect(try sandbox.everything().count == 30)
    #expect(try sandbox.succeed("status").contains("gap: Kurzgesagt"))
  }

  /// The texts of an element, found by its name alone: an oracle without an XML parser.
  private func texts(of element: String, in body: [UInt8]) -> [String] {
    String(decoding: body, as: UTF8.self).split(separator: "<\(element)>").dropFirst().map {
      String($0.prefix { $0 != "<" })
    }
  }
}
