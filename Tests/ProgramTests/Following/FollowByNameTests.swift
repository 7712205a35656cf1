import FixtureServer
import Glibc
import TestSupport
import Testing

@Suite("Following by name")
struct FollowByNameTests {
  private let sandbox: Sandbox
  private static let (first, second) = ("UCAAAAAAAAAAAAAAAAAAAAAA", "UCBBBBBBBBBBBBBBBBBBBBBA")
  private static let playlist = "PLaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

  init() throws { sandbox = try Sandbox() }

  /// What a Data API finds, with a budget of units.
  private func serveSearch(budget: Int = 5000) {
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    sandbox.environment["METUBE_RSS_API_BUDGET"] = "\(budget)"
    var api = DataAPI(key: EnrichTests.key) { _ in DataAPI.Video(duration: "PT1M") }
    api.channel = { _ in DataAPI.Channel(avatar: "https://yt3.ggpht.com/a", subscribers: 1_230_000, videos: 1) }
    api.searched = [
      DataAPI.Searched(
        video: nil, channel: FollowByNameTests.first, channelTitle: "Q&A in a 'Nutshell'", title: "Q&A in a 'Nutshell'"),
      DataAPI.Searched(video: nil, channel: FollowByNameTests.second, channelTitle: "Nutshells", title: "Nutshells"),
      DataAPI.Searched(
        video: "dQw4w9WgXcQ", channel: FollowByNameTests.second, channelTitle: "Nutshells", title: "Nutshell"),
    ]
    sandbox.server.serve(api)
  }

  private var follows: [String] { sandbox.events("channelFollowed") }

  @Test("Every channel that the log has seen is offered: followed, unfollowed, of a playlist, of an imported history")
  func known() throws {
    let channel = try sandbox.follow(threeVideos)
    let former = SyntheticChannel(number: 7)
    try sandbox.succeed("import", "-", input: "\(former.id)\n")
    try sandbox.succeed("channel", "set", former.id, "--title", "\(channel.title) the second")
    try sandbox.succeed("unfollow", former.id)
    let owner = SyntheticChannel(number: 9)
    try sandbox.succeed("follow", FollowByNameTests.playlist)
    sandbox.server.serve(FollowByNameTests.playlist, .feed(owner.feed(generation: 0).xml))
    _ = try sandbox.poll("--force")
    let history =
      #"[{"header":"YouTube","title":"Watched Old","titleUrl":"https://www.youtube.com/watch?v=aaaaaaaaaaA","#
      + #""subtitles":[{"name":"\#(channel.title) seen","url":"https://www.youtube.com/channel/\#(FollowByNameTests.first)"}],"#
      + #""time":"2024-01-02T03:04:05Z","products":["YouTube"],"activityControls":["YouTube watch history"]}]"#
    let path = sandbox.folder.write(history.utf8, to: "watch-history.json")
    try sandbox.succeed("import", "--all-history", path)
    let before = sandbox.log

    let word = channel.title.split(separator: " ").map(String.init)[0].lowercased()
    let outcome = try sandbox.run("follow", "--format", "csv", word)
    #expect(outcome.status == 1)
    let rows = outcome.lines.dropFirst().map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let found = Dictionary(rows.map { ($0[2], $0[5]) }) { first, _ in first }
    #expect(found[channel.id] == "followed" && found[former.id] == "unfollowed", "\(outcome.text)")
    #expect(found[FollowByNameTests.first] == "seen")
    #expect(rows.first?[2] == channel.id && rows.map { $0[1] } == (1...rows.count).map(String.init))
    #expect(outcome.errors.contains("follow one by its ID"))
    let ofPlaylist = try sandbox.run("follow", "--format", "ids", owner.title)
    #expect(ofPlaylist.lines.contains(owner.id), "a channel that only a playlist showed")
    #expect(sandbox.log == before, "nothing was followed")
    let twoWords = channel.title.split(separator: " ").reversed().joined(separator: " ").uppercased()
    #expect(try sandbox.run("follow", "--format", "ids", twoWords).lines.contains(channel.id))
  }

  @Test("Without a terminal the choices are printed, nothing is followed, no unit is spent, and the status is 1")
  func withoutTerminal() throws {
    serveSearch()
    let channel = try sandbox.follow(threeVideos)
    let units = sandbox.server.unitsRequested
    let outcome = try sandbox.run("follow", channel.title, input: "1\n")
    #expect(outcome.status == 1 && outcome.text.contains(channel.id) && outcome.text.contains("followed"))
    #expect(
      outcome.errors.contains("1 channel has this name; follow one by its ID; --youtube searches YouTube (100 of the"))
    let unknown = try sandbox.run("follow", "Nutshell", FollowByNameTests.second)
    #expect(unknown.status == 1 && unknown.errors.contains("no channel of this name is known"), "\(unknown.errors)")
    #expect(unknown.text.hasPrefix("following \(FollowByNameTests.second)\n"), "the others are followed")
    let json = try sandbox.run("follow", "--format", "json", "nobody at all")
    #expect(json.status == 1 && json.text == "[\n]\n")
    #expect(follows.count == 2 && sandbox.server.unitsRequested == units)
  }

  @Test("--youtube searches for 100 units, which it says before, and never chooses, not even the only one")
  func searched() throws {
    serveSearch()
    let outcome = try sandbox.run("follow", "--youtube", "--format", "jsonl", "a nutshell")
    #expect(outcome.status == 1 && outcome.lines.count == 1, "\(outcome.text) \(outcome.errors)")
    #expect(
      outcome.lines.first
        == #"{"name":"a nutshell","number":1,"channel":"\#(FollowByNameTests.first)","title":"Q&A in a 'Nutshell'","#
        + #""url":"https://www.youtube.com/channel/\#(FollowByNameTests.first)","source":"youtube","#
        + #""avatarURL":"https://yt3.ggpht.com/a","subscribers":null,"description":"About it."}"#)
    #expect(outcome.errors.hasPrefix("metube-rss: searching YouTube: 100 of the 5000 units left today\n"))
    #expect(follows.isEmpty && sandbox.server.unitsRequested == 100)
    #expect(try sandbox.succeed("status").contains("100 of 5000"))
    try sandbox.succeed("follow", FollowByNameTests.first)
    #expect(try sandbox.run("follow", "--youtube", "--format", "csv", "nutshell").text.contains(",followed,"))
  }

  @Test("On a terminal the choice is a number, and YouTube is searched only after a yes")
  func terminal() throws {
    serveSearch()
    func reply(_ typed: String, _ arguments: String...) throws -> Program.Outcome {
      let running = try sandbox.program.start(
        ["follow"] + arguments, output: .terminal(columns: 100), isInteractive: true)
      try running.sink.type(typed)
      return try running.finish()
    }
    let declined = try reply("\n", "nutshell")
    #expect(declined.status == 0 && follows.isEmpty && sandbox.server.unitsRequested == 0)
    #expect(
      declined.errors.contains(
        "No channel named “nutshell” is known; search YouTube (100 of the 5000 units left today)? [y/N]"))
    let chosen = try reply("y\n7\n2\n", "--tag", "science", "nutshell")
    #expect(chosen.status == 0 && chosen.errors.contains("“7” is not one of these"), "\(chosen.errors)")
    #expect(chosen.errors.contains("Follow which? [1-2, Enter: none]"))
    #expect(follows.count == 1 && follows[0].contains(FollowByNameTests.second) && follows[0].contains("science"))
    #expect(chosen.text.contains("following Nutshells  \(FollowByNameTests.second)"))
    #expect(sandbox.server.unitsRequested == 100)
    #expect(try reply("\u{4}", "nutshell").status == 0, "at the end of input nothing is chosen")
    #expect(follows.count == 1 && sandbox.server.unitsRequested == 100)
  }

  @Test("A search that the budget lacks units for is refused before it is sent; the units of one that was sent count")
  func budget() throws {
    serveSearch(budget: 150)
    sandbox.server.fail(.status(500), on: .path("/youtube/v3/search"), times: .first(1))
    let failed = try sandbox.run("follow", "--youtube", "nutshell")
    #expect(failed.status == 75 && failed.errors.contains("the Data API failed (HTTP 500)"), "\(failed.errors)")
    #expect(sandbox.server.unitsRequested == 100, "it is not repeated: that would cost more than was said")
    let refused = try sandbox.run("follow", "--youtube", "nutshell")
    #expect(refused.status == 75 && refused.errors.contains("costs 100 units, and 50 of today's 150 are left"))
    #expect(sandbox.server.unitsRequested == 100)
    #expect(try sandbox.succeed("status").contains("100 of 150"))
    sandbox.environment["METUBE_RSS_API_URL"] = "http://127.0.0.1:1"
    sandbox.environment["METUBE_RSS_API_BUDGET"] = "1000"
    #expect(try sandbox.run("follow", "--youtube", "nutshell").status == 75)
    #expect(try sandbox.succeed("status").contains("100 of 1000"), "what reached no server costs nothing")
  }

  @Test(
    "A response that is none is refused, and nothing of it is shown",
    arguments: ["{}", "{\"kind\":\"youtube#searchListResponse\",\"items\":7}", "<html>", ""])
  func hostile(body: String) throws {
    serveSearch()
    sandbox.server.route("/youtube/v3/search") { _ in .json(body, status: 200) }
    let outcome = try sandbox.run("follow", "--youtube", "nutshell")
    #expect(
      outcome.status == 75 && outcome.errors.contains("the Data API sent an invalid response") && outcome.text.isEmpty)
    #expect(follows.isEmpty)
  }

  @Test("Without a key and yt-dlp a search is refused with what to set; IDs and handles are followed as ever")
  func unavailable() throws {
    let outcome = try sandbox.run("follow", "--youtube", "nutshell")
    #expect(outcome.status == 64 && outcome.errors.contains("METUBE_RSS_API_KEY"), "\(outcome.errors)")
    #expect(try !sandbox.run("follow", "nutshell").errors.contains("--youtube"))
    #expect(try sandbox.succeed("follow", "@nutshell").hasPrefix("following @nutshell"))
    let short = try sandbox.run("follow", "UC Berkeley")
    #expect(short.status == 1 && short.errors.contains("no channel of this name is known"), "\(short.errors)")
  }

  @Test("With METUBE_RSS_ENRICH=yt-dlp it is searched instead, without a unit, and its failure is reported")
  func ytDlp() throws {
    sandbox.environment["METUBE_RSS_ENRICH"] = "yt-dlp"
    let path = sandbox.folder.write(
      #"""
      #!/bin/sh
      printf '%s\n' "$@" >"$STANDIN_FOLDER/calls"
      cat "$STANDIN_FOLDER/lines"
      exit $STANDIN
      """#.utf8, to: "bin/yt-dlp")
    chmod(path, 0o755)
    sandbox.environment["PATH"] = "\(sandbox.folder.path)/bin:/usr/bin:/bin"
    sandbox.environment["STANDIN_FOLDER"] = sandbox.folder.path
    sandbox.environment["STANDIN"] = "0"
    let line = #"{"id":"\#(FollowByNameTests.first)","channel":"In a Nutshell","channel_follower_count":25000000}"#
    sandbox.folder.write((line + "\n{\"id\":\"--exec\"}\n").utf8, to: "lines")
    let outcome = try sandbox.run("follow", "--youtube", "--format", "csv", "--", "--exec=$(touch x)")
    #expect(outcome.lines.count == 2 && outcome.lines[1].contains("In a Nutshell"), "\(outcome.text) \(outcome.errors)")
    let lines = String(decoding: try #require(sandbox.folder.read("calls")), as: UTF8.self).split(separator: "\n")
    #expect(
      lines.last == "https://www.youtube.com/results?search_query=--exec%3D%24%28touch%20x%29&sp=EgIQAg%253D%253D")
    #expect(lines.dropLast().last == "--" && sandbox.server.requests.isEmpty)
    sandbox.environment["STANDIN"] = "2"
    let failed = try sandbox.run("follow", "--youtube", "nutshell")
    #expect(failed.status == 75 && failed.errors.contains("yt-dlp, search for “nutshell”: exited with status 2"))
    #expect(follows.isEmpty)
  }
}
