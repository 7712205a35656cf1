import Core
import Testing

@testable import Importers

/// The channel of each video in a file's history.
private func channels(_ name: String) throws -> [String: String] {
  let file = try ImportedFile(Files.fixture(name))
  let named = file.watches.compactMap { watch in watch.channel.map { (watch.video.description, $0.description) } }
  return Dictionary(uniqueKeysWithValues: named)
}

@Test(
  "A history gives a video's channel if it names the ID",
  arguments: ["watch-history.json", "watch-history.html"])
func channelOfWatch(name: String) throws {
  #expect(try channels(name)["AAAAAAAAAAA"] == "UCAAAAAAAAAAAAAAAAAAAAAA")
}

@Test("FreeTube and LibreTube give the channel in fields of their own")
func channelOfApps() throws {
  let id = "UCAAAAAAAAAAAAAAAAAAAAAA"
  let row = #"{"videoId":"AAAAAAAAAAA","authorId":"\#(id)","timeWatched":1706933106000,"_id":"h1"}"#
  #expect(try ImportedFile(row).watches.map(\.channel?.description) == [id])
  let backup = #"{"format":"Piped","watchHistory":[{"videoId":"AAAAAAAAAAA","uploaderUrl":"/channel/\#(id)"}]}"#
  #expect(try ImportedFile(backup).watches.map(\.channel?.description) == [id])
}

@Test("If the history names no channel, or a handle, no channel is invented")
func noChannel() throws {
  #expect(try channels("invidious.json").isEmpty)
  let row = #"{"titleUrl":"https://youtu.be/AAAAAAAAAAA","subtitles":[{"url":"https://www.youtube.com/@lamps"}]}"#
  #expect(try ImportedFile("[\(row)]").watches.map(\.channel) == [nil])
}
