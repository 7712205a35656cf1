import FeedParser
import Importers
import SlowFold
import Testing

@testable import Core
@testable import Exporters

private let channels = ["UCsXVk37bltHxD1rDPwtNM8Q", "UC-lHJZR3Gqxm24_Vd_AJ5Yw", "UC_aEa8K-EOJ3D6gOs7HcyNg"]

private func state(_ bodies: [EventBody]) throws -> State {
  var fold = SlowFold()
  for (index, body) in bodies.enumerated() {
    let id = try #require(EventID("0019a1b2c3d4e-000\(index)-k3v9x2ap"))
    fold.apply(Event(id: id, action: id, undoes: nil, body: body))
  }
  return fold.state
}

private func followed(
  _ id: String, _ title: String, _ tags: [String], feed: FeedForm? = nil
) throws -> EventBody {
  .channelFollowed(
    ChannelFollowed(subscription: try #require(SubscriptionID(id)), title: title, tags: tags, feed: feed))
}

private func exported(_ state: State) -> [UInt8] { SubscriptionDocument.opml(of: state, alsoPrivate: false).bytes }

private func read(_ bytes: [UInt8]) throws -> ImportedFile {
  try ImportedFile.read(bytes, limits: .standard, database: { _, _ in [] }) { try Outline.read(opml: $0) }
}

@Test("Export and import preserve IDs, titles, tags in order, and kinds of feed")
func roundTrip() throws {
  let bodies = [
    try followed(channels[0], "Plain & <simple> \"quoted\" 'x'", ["science", "films, old", "/b"], feed: .videos),
    try followed(channels[1], "日本語 👩‍🚀 \u{202e}rtl", ["science", "Ümlaut"]),
    try followed(channels[2], "line\none\ttab", []),
    try followed("PLmWCw1CzcFilOIgUYuMIJ2iZMo09Ho0va", "A playlist", ["music"]),
    .handleFollowed(HandleFollowed(handle: "@somebody", title: "Some Body", tags: ["music"])),
    .handleFollowed(HandleFollowed(handle: "c/SomeName", title: nil, tags: nil)),
  ]
  let state = try state(bodies)
  let file = try read(exported(state))
  #expect(file.refused.isEmpty && file.notYouTube.isEmpty && file.duplicates == 0)
  let back = file.subscriptions.sorted { $0.id < $1.id }
  #expect(back.map(\.id) == state.followed.map(\.id))
  #expect(back.map(\.title) == state.followed.map(\.title))
  #expect(back.map(\.tags) == state.followed.map(\.tags))
  #expect(back.map(\.form) == state.followed.map(\.feed))
  #expect(Set(file.unresolved.map(\.name)) == [.handle("somebody"), .custom("SomeName")])
  #expect(file.unresolved.first { $0.name == .handle("somebody") }?.tags == ["music"])
}

@Test("A channel appears once, in the folder of its first tag")
func folders() throws {
  let bodies = [
    try followed(channels[0], "A", ["one", "two"]), try followed(channels[1], "B", ["one"]),
    try followed(channels[2], "C", []),
  ]
  let outlines = try Outline.read(opml: exported(try state(bodies)))
  #expect(outlines.map(\.title) == ["C", "B", "A"])
  #expect(outlines.map(\.folders) == [[], ["one"], ["one"]])
  #expect(outlines.map(\.categories) == [[], ["one"], ["one", "two"]])
}

@Test("Unfollowed channels are left out, and an empty list is a valid document")
func unfollowed() throws {
  let id = try #require(SubscriptionID(channels[0]))
  let bodies = [try followed(channels[0], "A", []), .channelUnfollowed(id)]
  #expect(try Outline.read(opml: exported(try state(bodies))).isEmpty)
}
