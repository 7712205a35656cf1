import FeedParser
import Importers
import TestSupport
import Testing

@testable import Core
@testable import Exporters

private let channels = ["UCsXVk37bltHxD1rDPwtNM8Q", "UC-lHJZR3Gqxm24_Vd_AJ5Yw", "UC_aEa8K-EOJ3D6gOs7HcyNg"]

/// A state of three channels with titles that break formats, a playlist and two names.
private func state() throws -> State {
  let playlist = try #require(SubscriptionID("PLmWCw1CzcFilOIgUYuMIJ2iZMo09Ho0va"))
  let ids = try channels.map { try #require(SubscriptionID($0)) }
  return Sample.state([
    follow(1, ids[0], "=Plain, & <simple> \"quoted\" \\ 'x'", ["science", "films, old"]),
    follow(2, ids[1], "日本語 👩‍🚀 # not a comment", ["science"]),
    follow(3, ids[2], nil, []),
    follow(4, playlist, "A playlist", ["music"]),
    Sample.event(5, .handleFollowed(HandleFollowed(handle: "@somebody", title: "Some Body", tags: ["music"]))),
    Sample.event(6, .handleFollowed(HandleFollowed(handle: "/user/Käthe", title: nil, tags: ["old"]))),
  ])
}

private func follow(_ second: Int64, _ id: SubscriptionID, _ title: String?, _ tags: [String]) -> Event {
  Sample.event(second, .channelFollowed(ChannelFollowed(subscription: id, title: title, tags: tags)))
}

private func read(_ document: SubscriptionDocument) throws -> ImportedFile {
  try ImportedFile.read(document.bytes, limits: .standard, database: { _, _ in [] }) { try Outline.read(opml: $0) }
}

/// An export, the format it is detected as, and what it can hold.
private struct Format: CustomTestStringConvertible {
  let name: ImportFormat
  let write: @Sendable (State) -> SubscriptionDocument
  var hasTags = false
  var hasPlaylists = false
  var names: [String] = []
  var testDescription: String { name.rawValue }
}

private let formats = [
  Format(
    name: .opml, write: { .opml(of: $0, alsoPrivate: false) }, hasTags: true, hasPlaylists: true,
    names: ["@somebody", "/user/Käthe"]),
  Format(name: .takeoutCSV, write: { .takeoutCSV(of: $0) }),
  Format(name: .newPipe, write: { .newPipe(of: $0) }, names: ["@somebody", "/user/Käthe"]),
  Format(name: .freeTube, write: { .freeTube(of: $0) }, hasTags: true),
]

@Test("Export and import preserve everything the format can hold, and the rest is counted", arguments: formats)
private func roundTrip(format: Format) throws {
  let state = try state()
  let document = format.write(state)
  let file = try read(document)
  #expect(file.format == format.name)
  #expect(file.refused.isEmpty && file.notYouTube.isEmpty)
  let expected = state.followed.filter { format.hasPlaylists || $0.id.channel != nil }
  let back = file.subscriptions.sorted { $0.id < $1.id }
  #expect(back.map(\.id) == expected.map(\.id))
  #expect(back.map(\.title) == expected.map(\.chosenTitle))
  #expect(back.map { Set($0.tags) } == expected.map { format.hasTags ? Set($0.tags) : [] })
  #expect(Set(file.unresolved.map(\.name.description)) == Set(format.names))
  #expect(document.count == expected.count + format.names.count)
  #expect(document.count + document.leftOut == 6)
}

@Test("With nothing followed, the document is still complete", arguments: formats)
private func empty(format: Format) {
  #expect(throws: ImportError.self) { try read(format.write(State())) }
  #expect(format.write(State()).count == 0)
}

@Test(
  "A name survives a round trip, and its path is percent-encoded",
  arguments: [
    (ChannelName.handle("käthe"), "/@k%C3%A4the"), (.user("Some.Body"), "/user/Some.Body"), (.custom("a-b"), "/c/a-b"),
  ])
func namePaths(name: ChannelName, path: String) {
  #expect(ChannelName(description: name.description) == name)
  #expect(name.encodedPath == path)
}
