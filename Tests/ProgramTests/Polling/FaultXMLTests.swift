import FixtureServer
import Testing

/// Ways to damage a byte of a feed.
enum ByteDamage: CaseIterable {
  case cutHere, nul, noUTF8, flippedBit

  /// The bytes with the damage at `position`.
  func done(to bytes: [UInt8], at position: Int) -> [UInt8] {
    var bytes = bytes
    switch self {
    case .cutHere: bytes.removeLast(bytes.count - position)
    case .nul: bytes[position] = 0
    case .noUTF8: bytes[position] = 0xff
    case .flippedBit: bytes[position] ^= 1 << (position % 7)
    }
    return bytes
  }
}

@Suite("A feed damaged at a byte")
struct FaultXMLTests {
  private let sandbox: Sandbox
  private let channels = SyntheticChannel.first(8)
  /// The feeds to be damaged; the last channel's stays intact, so that others work.
  private let feeds: [[UInt8]]

  init() throws {
    sandbox = try Sandbox()
    feeds = channels.enumerated().map { number, channel in
      let videos = (0..<3).map { (id: "video\(number)000\($0)A", title: "A & B of \($0)") }
      return Array(FixtureFeed.of(channel, videos).xml.utf8)
    }
    serve(feeds)
    try sandbox.succeed("import", "-", input: channels.map { $0.id + "\n" }.joined())
    #expect(try sandbox.poll().new == 24)
  }

  private func serve(_ feeds: [[UInt8]]) {
    for (channel, feed) in zip(channels, feeds) { sandbox.server.serve(channel.id, .feed(feed)) }
  }

  /// Polls with every channel but the last damaged, each at a different position, until the whole feed is covered.
  private func pollThrough(_ damage: ByteDamage, _ expect: (Polled) -> Void) throws {
    let length = feeds.map(\.count).min() ?? 0
    var position = 0
    while position < length - 1 {
      var damaged = feeds
      for number in 0..<feeds.count - 1 {
        damaged[number] = damage.done(to: feeds[number], at: min(position, length - 2))
        position += 31
      }
      serve(damaged)
      expect(try sandbox.poll("--force"))
    }
  }

  @Test("is rejected as a whole", arguments: [ByteDamage.cutHere, .nul, .noUTF8])
  func refused(damage: ByteDamage) throws {
    try pollThrough(damage) { polled in
      #expect(polled.checked == 1 && polled.failed == 7 && polled.new == 0 && polled.changed == 0)
      #expect(polled.failures.allSatisfy { $0.status == 200 })
    }
    #expect(try sandbox.everything().count == 24)
  }

  @Test("that may still be valid is rejected, or accepted completely")
  func flipped() throws {
    var invented = 0
    try pollThrough(.flippedBit) { polled in
      // A flipped bit of an ID gives another ID: at most one per damaged feed.
      #expect(polled.checked + polled.failed == 8 && polled.new < polled.checked)
      #expect([0, 1].contains(polled.exit))
      invented += polled.new
    }
    #expect(try sandbox.everything().count == 24 + invented)
  }
}
