import Core
import EventLog
import FixtureServer
import Glibc
import TestSupport
import Testing

@Suite("Playlists beyond the 15 entries of their feeds")
struct PlaylistVideosTests {
  private let sandbox: Sandbox
  private static let playlist = "PLaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
  private let owner = SyntheticChannel(number: 0)
  private let other = SyntheticChannel(number: 1)
  private static let newest = 1_793_404_800

  init() throws {
    sandbox = try Sandbox()
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
  }

  private func id(_ number: Int) -> String {
    "list-" + String(repeating: "0", count: 5 - "\(number)".count) + "\(number)A"
  }

  /// Serves the playlist with these videos: the first 15 as its feed, all of them by the Data API.
  private func serve(_ numbers: [Int]) throws {
    let videos = numbers.prefix(15).map { (id: id($0), title: "Number \($0)") }
    let feed = FixtureFeed.of(owner, videos, newest: PlaylistVideosTests.newest)
    sandbox.server.serve(PlaylistVideosTests.playlist, .feed(feed.xml))
    var api = DataAPI(key: EnrichTests.key) { _ in DataAPI.Video(duration: "PT1M") }
    api.lists[PlaylistVideosTests.playlist] = numbers.enumerated().map { index, number in
      let date = Timestamp(seconds: Int64(PlaylistVideosTests.newest - index * 86_400)).rfc3339
      return DataAPI.Entry(
        video: id(number), title: "Number \(number)", published: date, channel: number % 2 == 0 ? owner.id : other.id)
    }
    sandbox.server.serve(api)
  }

  private func backfill(_ count: Int, _ options: String...) throws -> Program.Outcome {
    try sandbox.program.run(["enrich", "--backfill", PlaylistVideosTests.playlist, "\(count)"] + options)
  }

  private func ofPlaylist() throws -> [Listed] {
    try sandbox.list("--shorts", "show", "--channel", PlaylistVideosTests.playlist)
  }

  private func everyEntry() throws -> [Listed] {
    try sandbox.list("--shorts", "show", "--channel", PlaylistVideosTests.playlist, "--all")
  }

  @Test("The rest comes on demand, as skipped backfill with its own channels, up to the requested number and not twice")
  func backfilled() throws {
    try serve(Array(0..<120))
    try sandbox.succeed("follow", PlaylistVideosTests.playlist)
    _ = try sandbox.poll()
    #expect(try everyEntry().count == 15)
    let first = try backfill(40)
    #expect(
      first.status == 0 && first.text.hasPrefix("40 older videos added as skipped; 2 units used"),
      "\(first.text) \(first.errors)")
    #expect(try everyEntry().count == 55 && ofPlaylist().count == 15)
    #expect(sandbox.events("videoFound").count { $0.contains("\"reason\":\"backfill\"") } == 40)
    #expect(try backfill(500).text.hasPrefix("65 older videos added as skipped; 3 units"))
    let all = try everyEntry()
    #expect(Set(all.map(\.video)) == Set((0..<120).map(id)))
    #expect(Set(all.map(\.channel)) == [owner.id, other.id] && all.contains { $0.channelTitle == "Somebody else" })
    #expect(try backfill(500).text.hasPrefix("0 older videos"))
    #expect(sandbox.events("videoFound").count == 120)
  }

  @Test("A video that is known by its channel is noted as one of the playlist")
  func shared() throws {
    let feed = FixtureFeed.of(owner, [(id: id(16), title: "Number 16")], newest: PlaylistVideosTests.newest)
    sandbox.server.serve(owner.id, .feed(feed.xml))
    try serve(Array(0..<20))
    try sandbox.succeed("follow", owner.id, PlaylistVideosTests.playlist)
    _ = try sandbox.poll()
    #expect(try !everyEntry().map(\.video).contains(id(16)))
    #expect(try backfill(500).text.hasPrefix("4 older videos"))
    #expect(try everyEntry().count == 20 && ofPlaylist().map(\.video).contains(id(16)), "it stays new")
  }

  @Test(
    "A complete playlist stays complete: what is added at its end, or more than 15 at its start, is new after a poll")
  func complete() throws {
    try serve(Array(0..<60))
    try sandbox.succeed("follow", PlaylistVideosTests.playlist)
    _ = try sandbox.poll()
    #expect(try backfill(1000).status == 0)
    let state = String(decoding: try #require(sandbox.folder.read("state/api")), as: UTF8.self)
    #expect(state.contains(PlaylistVideosTests.playlist))
    // At the end, where no feed shows it; and 30 at the start.
    try serve(Array(200..<230) + Array(0..<60) + [300])
    try forgetChecks()
    #expect(try sandbox.poll("--force").exit == 0)
    let new = Set(try ofPlaylist().map(\.video))
    #expect(new.isSuperset(of: (Array(200..<230) + [300]).map(id)), "\(new.count)")
    #expect(try everyEntry().count == 91)
    sandbox.server.forgetRequests()
    _ = try sandbox.poll("--force")
    #expect(!sandbox.server.requests.contains { $0.path == "/youtube/v3/playlistItems" }, "at most once an hour")
    try forgetChecks()
    _ = try sandbox.poll("--force")
    #expect(sandbox.server.requests.count { $0.path == "/youtube/v3/playlistItems" } == 1, "nothing changed: one unit")
  }

  @Test("A playlist that was not read to its end is not kept complete, nor is an unfollowed one")
  func incomplete() throws {
    try serve(Array(0..<60))
    try sandbox.succeed("follow", PlaylistVideosTests.playlist)
    _ = try sandbox.poll()
    #expect(try backfill(5).status == 0)
    #expect(!String(decoding: try #require(sandbox.folder.read("state/api")), as: UTF8.self).contains("playlist"))
    #expect(try backfill(100).status == 0)
    try forgetChecks()
    try sandbox.succeed("unfollow", PlaylistVideosTests.playlist)
    sandbox.server.forgetRequests()
    _ = try sandbox.poll("--force")
    #expect(!sandbox.server.requests.contains { $0.path == "/youtube/v3/playlistItems" })
  }

  /// Lets the last look at playlists be long ago.
  private func forgetChecks() throws {
    let path = sandbox.folder.path + "/state/api"
    let records = try #require(try StateFile.read(path)).map { record in
      var record = record
      for index in record.members.indices where record.members[index].name == "checked" {
        record.members[index].value = .text("2026-01-01T00:00:00Z")
      }
      return record
    }
    try StateFile.write(path, records)
  }

  @Test("yt-dlp does the same without a key: the IDs in one run, ten unknown videos in each of the next")
  func ytDlp() throws {
    sandbox.environment["METUBE_RSS_API_KEY"] = nil
    let path = sandbox.folder.write(
      #"""
      #!/bin/sh
      printf '%s\n' "$*" >>"$STANDIN_FOLDER/calls"
      case "$*" in
      *--flat-playlist*) cat "$STANDIN_FOLDER/ids" ;;
      *)
        for url; do
          case $url in
          */watch*) echo "{\"id\":\"${url##*=}\",\"channel_id\":\"$STANDIN_CHANNEL\",\"channel\":\"Else\",\"title\":\"Of yt-dlp\",\"upload_date\":\"20240229\"}" ;;
          esac
        done
        echo '{"id":"bbbbbbbbbbE","channel_id":"'$STANDIN_CHANNEL'","title":"not requested","timestamp":1}'
        exit 1 ;;
      esac
      """#.utf8, to: "bin/yt-dlp")
    chmod(path, 0o755)
    sandbox.environment["PATH"] = "\(sandbox.folder.path)/bin:/usr/bin:/bin"
    sandbox.environment["STANDIN_FOLDER"] = sandbox.folder.path
    sandbox.environment["STANDIN_CHANNEL"] = other.id
    try serve(Array(0..<15))
    try sandbox.succeed("follow", PlaylistVideosTests.playlist)
    _ = try sandbox.poll()
    sandbox.folder.write((0..<27).map { id($0) + "\n" }.joined().utf8, to: "ids")
    let outcome = try backfill(100, "--with", "yt-dlp")
    #expect(
      outcome.status == 0 && outcome.text == "12 older videos added as skipped, with yt-dlp\n",
      "\(outcome.text) \(outcome.errors)")
    let all = try everyEntry()
    #expect(all.count == 27 && all.count { $0.channel == other.id && $0.channelTitle == "Else" } == 12)
    #expect(all.count { $0.status == "skipped" && $0.published == "2024-02-29T00:00:00Z" } == 12)
    let calls = String(decoding: try #require(sandbox.folder.read("calls")), as: UTF8.self).split(separator: "\n")
    #expect(calls.count == 3 && calls[1].split(separator: " ").count { $0.contains("/watch?v=") } == 10)
    #expect(try backfill(100, "--with", "yt-dlp").text.hasPrefix("0 older videos"))

    sandbox.environment["METUBE_RSS_ENRICH"] = "yt-dlp"
    sandbox.folder.write((0..<28).map { id($0) + "\n" }.joined().utf8, to: "ids")
    let state = sandbox.folder.path + "/state/yt-dlp"
    let records = try #require(try StateFile.read(state)).map { record in
      var record = record
      for index in record.members.indices where record.members[index].name == "complete" {
        record.members[index].value = .text("2026-01-01T00:00:00Z")
      }
      return record
    }
    try StateFile.write(state, records)
    _ = try sandbox.poll("--force")
    #expect(try ofPlaylist().map(\.video).contains(id(27)), "what a complete playlist gained is new")
    #expect(try sandbox.run("enrich", "--with", "yt-dlp", "--backfill", owner.id, "3").status != 0)
  }
}
