import Core
import Testing

@testable import FixtureServer

@Suite("Synthetic channels")
struct SyntheticChannelTests {
  private let channels = SyntheticChannel.first(2_000)

  @Test("Synthetic channels are the same on every machine and in every run")
  func deterministic() {
    #expect(channels.prefix(2).map(\.id) == ["UC0Psbqh8DmJ27vZrVGksXNg", "UCneL5Al1oWh-AKo7jxuIGcQ"])
    #expect(channels.first?.title == "Harbour Notes")
    #expect(channels.first?.feed(generation: 0).entries.first?.video == "a3UV0WmEGSc")
  }

  @Test("Every ID is valid and unique")
  func ids() {
    #expect(channels.allSatisfy { ChannelID($0.id) != nil })
    #expect(Set(channels.map(\.id)).count == channels.count)
    let videos = channels.prefix(100).flatMap { $0.feed(generation: 0).entries.map(\.video) }
    #expect(videos.allSatisfy { VideoID($0) != nil })
    #expect(Set(videos).count == 1_500)
  }

  @Test("A feed has 15 entries, newest first")
  func order() {
    for channel in channels.prefix(100) {
      let published = channel.feed(generation: 0).entries.map(\.published)
      #expect(published.count == 15 && published == published.sorted(by: >))
    }
  }

  @Test("Everything that YouTube does now and then occurs")
  func oddities() {
    let entries = channels.prefix(200).flatMap { $0.feed(generation: 0).entries }
    #expect((300...700).contains(entries.count { $0.isShort }))
    #expect((30...150).contains(entries.count { $0.views == 0 }))
    #expect((100...400).contains(entries.count { $0.description.isEmpty }))
    #expect(entries.contains { $0.video.hasPrefix("-") })
  }

  @Test("Generation 1 changes only view counts")
  func secondPoll() throws {
    let channel = try #require(channels.first)
    let (before, after) = (channel.feed(generation: 0), channel.feed(generation: 1))
    #expect(before.xml != after.xml)
    #expect(before.entries.map(\.video) == after.entries.map(\.video))
    #expect(before.entries.map(\.title) == after.entries.map(\.title))
  }

  @Test("Each further generation adds a new video to one channel in a hundred")
  func newVideos() throws {
    for generation in 2...4 {
      let grown = channels.filter { $0.newVideos(by: generation) > $0.newVideos(by: generation - 1) }
      #expect((5...40).contains(grown.count))
    }
    let channel = try #require(channels.first { $0.newVideos(by: 2) == 1 })
    let (before, after) = (channel.feed(generation: 1).entries, channel.feed(generation: 2).entries)
    #expect(before.dropLast().map(\.video) == after.dropFirst().map(\.video))
  }
}
