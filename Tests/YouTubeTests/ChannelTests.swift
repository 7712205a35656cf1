import Core
import SlowFold
import Testing

@testable import YouTube

@Suite("Channels in the Data API")
struct ChannelTests {
  private let now = Timestamp(seconds: 1_793_404_800)
  private let ids = (0..<12 as Range<UInt64>).map { ChannelID(high: 0, low: $0) }

  private func facts(_ item: String) throws -> ChannelEnriched? {
    let head = #"{"kind":"youtube#channelListResponse","items":["#
    return try ChannelResponse.read(Array("\(head)\(item)]}".utf8)).first
  }

  private func item(_ thumbnails: String, _ statistics: String) -> String {
    #"{"id":"\#(ids[0])","snippet":{"thumbnails":{\#(thumbnails)}},"statistics":{\#(statistics)}}"#
  }

  @Test("A channel's picture and its counts, which are strings, are read")
  func response() throws {
    let known = try facts(
      item(
        #""default":{"url":"https://yt3.ggpht.com/a=s88"},"high":{"url":"https://yt3.ggpht.com/a=s800"}"#,
        #""subscriberCount":"1230000","hiddenSubscriberCount":false,"videoCount":"212""#))
    #expect(
      known
        == ChannelEnriched(
          channel: ids[0], avatar: "https://yt3.ggpht.com/a=s88", subscribers: 1_230_000, videos: 212))
    let target = APIRequest.channels([ids[0], ids[1]]).target
    #expect(
      target.hasPrefix("/youtube/v3/channels?part=snippet,statistics&") && target.hasSuffix("\(ids[0]),\(ids[1])"))
  }

  @Test(
    "What is hidden, hostile or of another type is left out",
    arguments: [
      ("", ""), (#""default":{"url":"https://evil.example/a.jpg"}"#, #""videoCount":212"#),
      (#""default":{"url":"http://yt3.ggpht.com/a"}"#, #""videoCount":"-1""#),
      (#""default":"https://yt3.ggpht.com/a""#, #""videoCount":"99999999999999999999""#),
      (#""default":{"url":["https://yt3.ggpht.com/a"]}"#, #""videoCount":"٣""#),
      (#""other":{"url":"https://yt3.ggpht.com/a"}"#, #""subscriberCount":"7","hiddenSubscriberCount":true"#),
    ])
  func hostile(thumbnails: String, statistics: String) throws {
    let nothing = ChannelEnriched(channel: ids[0], avatar: nil, subscribers: nil, videos: nil)
    #expect(try facts(item(thumbnails, statistics)) == nothing)
  }

  @Test("A response without items has no channels; another response is malformed")
  func malformed() throws {
    #expect(try ChannelResponse.read(Array(#"{"kind":"youtube#channelListResponse"}"#.utf8)).isEmpty)
    #expect(try facts(#"{"id":"UCshort"}"#) == nil)
    for body in [
      "", "[]", "{}", #"{"kind":"youtube#videoListResponse"}"#, #"{"kind":"youtube#channelListResponse","items":1}"#,
    ] {
      #expect(throws: APIFailure.malformed) { try ChannelResponse.read(Array(body.utf8)) }
    }
  }

  /// The state in which these channels are followed, and some were looked up so many days ago.
  private func fold(days: [Int: Int64] = [:]) -> SlowFold {
    var fold = SlowFold()
    func add(_ body: EventBody, at time: Timestamp) {
      let id = EventID(reading: UInt64(time.seconds * 1000) << 16, device: DeviceID(letters: 0x6161_6161_6161_6161))
      fold.apply(Event(id: id, action: id, body: body))
    }
    for id in ids {
      add(.channelFollowed(ChannelFollowed(subscription: .channel(id), title: nil, tags: nil)), at: now)
    }
    for (number, days) in days {
      let known = ChannelEnriched(channel: ids[number], avatar: nil, subscribers: 1, videos: 1)
      add(.channelEnriched(known), at: now.adding(seconds: -days * 86_400))
    }
    return fold
  }

  @Test(
    "Channels are due at first and every 30 days, those never looked up first; unfollowed ones and playlists are not")
  func due() {
    #expect(APIState().dueChannels(in: fold().state, at: now) == ids.sorted())
    var fold = fold(days: [0: 29, 1: 30, 2: 400])
    let rest = ids.dropFirst(3).sorted()
    #expect(APIState().dueChannels(in: fold.state, at: now) == rest + [ids[2], ids[1]])
    let id = EventID(reading: UInt64(now.seconds * 1000 + 1) << 16, device: DeviceID(letters: 0x6161_6161_6161_6161))
    fold.apply(Event(id: id, action: id, body: .channelUnfollowed(.channel(ids[2]))))
    #expect(APIState().dueChannels(in: fold.state, at: now) == rest + [ids[1]])
  }

  @Test("A channel that a response lacks keeps what is known, and is due again after 30 days")
  func missing() {
    let state = fold(days: [0: 31]).state
    var memory = APIState()
    let known = ChannelEnriched(channel: ids[1], avatar: nil, subscribers: 2, videos: 3)
    #expect(memory.events([known], requested: [ids[0], ids[1]], at: now) == [.channelEnriched(known)])
    #expect(!memory.dueChannels(in: state, at: now.adding(seconds: 29 * 86_400)).contains(ids[0]))
    #expect(memory.dueChannels(in: state, at: now.adding(seconds: 30 * 86_400)).contains(ids[0]))
    #expect(memory.missingChannels == [ids[0]: now])
    let back = ChannelEnriched(channel: ids[0], avatar: nil, subscribers: 2, videos: 3)
    _ = memory.events([back], requested: [ids[0]], at: now)
    #expect(memory.missingChannels.isEmpty)
  }

  @Test("A response that lacks all of ten channels proves nothing")
  func doubtful() {
    var memory = APIState()
    #expect(memory.events([ChannelEnriched](), requested: Array(ids.prefix(10)), at: now).isEmpty)
    #expect(memory.missingChannels.isEmpty)
  }
}
