import FixtureServer
import Glibc
import TestSupport
import Testing

/// Against a stand-in for yt-dlp, a script that behaves as `STANDIN` says; it writes its arguments and what it sees of
/// our keys to a file, and a channel's lines from another.
@Suite("Enrichment with yt-dlp")
struct YtDlpTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    let path = sandbox.folder.write(
      #"""
      #!/bin/sh
      printf '%s\n' "$*" "key=$METUBE_RSS_API_KEY" >>"$STANDIN_FOLDER/calls"
      for url; do :; done
      lines="$STANDIN_FOLDER/${url##*=}"
      case $STANDIN in
      hang) sleep 600 & sleep 600 ;;
      flood) yes '{"id":"bbbbbbbbbbE","duration":60}' ;;
      shout) yes 'ERROR: no' >&2 ;;
      die) cat "$lines"; kill -SEGV $$ ;;
      fail) cat "$lines"; printf 'WARNING: old\nERROR: [youtube:tab] \033[31mSign in to confirm you are not a bot\nat line 3\n' >&2; exit 1 ;;
      *) cat "$lines" ;;
      esac
      """#.utf8, to: "bin/yt-dlp")
    chmod(path, 0o755)
    sandbox.environment["PATH"] = "\(sandbox.folder.path)/bin:/usr/bin:/bin"
    sandbox.environment["STANDIN_FOLDER"] = sandbox.folder.path
    sandbox.environment["METUBE_RSS_TIMEOUT"] = "600"
  }

  /// What the stand-in lists of a channel.
  private func list(_ channel: SyntheticChannel, _ lines: String...) {
    let name = "UU" + channel.id.dropFirst(2)
    sandbox.folder.write(lines.map { $0 + "\n" }.joined().utf8, to: name)
  }

  private var calls: [String] {
    String(decoding: sandbox.folder.read("calls") ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("key=") }
  }

  private func known() throws -> [String: Listed] {
    Dictionary(try sandbox.everything().map { ($0.video, $0) }, uniquingKeysWith: { first, _ in first })
  }

  @Test("One run per channel finds lengths and live states; what was listed is not listed again")
  func usual() throws {
    let channel = try sandbox.follow(threeVideos)
    list(
      channel, #"{"id":"-bcdefghijA","channel_id":"\#(channel.id)","duration":253.0,"live_status":null,"title":"x"}"#,
      #"{"id":"bbbbbbbbbbE","duration":null,"live_status":"is_upcoming","release_timestamp":4000000000}"#,
      #"{"id":"ccccccccccI","duration":3600,"live_status":"was_live"}"#)
    let reported = try sandbox.succeed("enrich", "--with", "yt-dlp")
    #expect(reported == "3 videos looked up with yt-dlp in 1 channel, 3 updated\n")
    let call = try #require(calls.first)
    #expect(call.hasPrefix("--ignore-config --flat-playlist --dump-json ") && calls.count == 1)
    #expect(call.hasSuffix("-- https://www.youtube.com/playlist?list=UU\(channel.id.dropFirst(2))"))
    let videos = try known()
    #expect(videos["-bcdefghijA"]?.durationSeconds == 253 && videos["-bcdefghijA"]?.live == "unknown")
    #expect(videos["bbbbbbbbbbE"]?.live == "upcoming" && videos["ccccccccccI"]?.live == "ended")
    #expect(try !sandbox.list().map(\.video).contains("bbbbbbbbbbE"))
    let again = try sandbox.succeed("enrich", "--with", "yt-dlp")
    #expect(again == "0 videos looked up with yt-dlp in 0 channels, 0 updated\n" && calls.count == 1)
    #expect(sandbox.events("videoEnriched").count == 3)
  }

  @Test("METUBE_RSS_ENRICH has a poll do it, without our keys; an API key comes first")
  func poll() throws {
    sandbox.environment["METUBE_RSS_ENRICH"] = "yt-dlp"
    sandbox.environment["METUBE_RSS_GOOGLE_CLIENT_SECRET"] = nil
    let channel = SyntheticChannel(number: 0)
    list(channel, #"{"id":"bbbbbbbbbbE","duration":61}"#)
    try sandbox.follow(threeVideos)
    #expect(try known()["bbbbbbbbbbE"]?.durationSeconds == 61 && calls.count == 1)
    sandbox.environment["METUBE_RSS_API_KEY"] = "AIza-secret"
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.server.serve(DataAPI(key: "AIza-secret") { _ in DataAPI.Video(duration: "PT5M") })
    #expect(try sandbox.poll("--force").exit == 0)
    #expect(try known()["ccccccccccI"]?.durationSeconds == 300 && calls.count == 1)
    sandbox.folder.write([], to: "state/yt-dlp")
    try FixtureFeed.of(channel, [(id: "ddddddddddM", title: "Next")] + threeVideos).serve(on: sandbox.server)
    sandbox.environment["METUBE_RSS_API_URL"] = "http://127.0.0.1:1"
    _ = try sandbox.poll("--force")
    let outcome = try sandbox.run("enrich", "--with", "yt-dlp")
    #expect(outcome.status == 0 && outcome.errors.contains("the yt-dlp state"), "\(outcome.errors)")
    let seen = String(decoding: sandbox.folder.read("calls") ?? [], as: UTF8.self)
    #expect(calls.count == 2 && !seen.contains("AIza"))
  }

  @Test("Nothing it invents is believed")
  func lies() throws {
    let channel = try sandbox.follow(threeVideos)
    list(
      channel, "not JSON", "{\"id\":", "[1,2]", String(repeating: "[", count: 100_000), "",
      #"{"id":"zzzzzzzzzzE","duration":60}"#, #"{"id":"../../../etc","duration":60}"#,
      #"{"id":"bbbbbbbbbbE","channel_id":"UCsXVk37bltHxD1rDPwtNM8Q","duration":60}"#,
      #"{"id":"ccccccccccI","duration":-5,"live_status":"is_haunted"}"#, #"{"id":"ccccccccccI","duration":1e999}"#,
      #"{"id":["-bcdefghijA"],"duration":60}"#, "\u{0}\u{1b}[2J", #"{"id":"-bcdefghijA","duration":"60"}"#,
      #"{"id":"-bcdefghijA","duration":77,"title":"\#(String(repeating: "x", count: 2_000_000))"}"#,
      #"{"id":"-bcdefghijA","duration":78}"#)
    let reported = try sandbox.succeed("enrich", "--with", "yt-dlp")
    #expect(reported == "3 videos looked up with yt-dlp in 1 channel, 1 updated\n")
    #expect(sandbox.events("videoEnriched").count == 1 && sandbox.events("videoRemoved").isEmpty)
    #expect(try known()["-bcdefghijA"]?.durationSeconds == 77)
  }

  @Test(
    "A run that fails keeps what it said, names the channel and the reason, and rests",
    arguments: [
      ("fail", "[youtube:tab] [31mSign in to confirm you are not a bot (exited with status 1)", 1),
      ("die", "was killed by signal 11", 1), ("flood", "wrote more than 8 MiB", 1),
      ("shout", "wrote more than 8 MiB", 0),
    ])
  func failures(how: String, reason: String, learnt: Int) throws {
    let channel = try sandbox.follow(threeVideos)
    list(channel, #"{"id":"bbbbbbbbbbE","duration":60}"#)
    sandbox.environment["STANDIN"] = how
    let outcome = try sandbox.run("enrich", "--with", "yt-dlp")
    #expect(outcome.status == 75)
    #expect(outcome.errors == "metube-rss: yt-dlp, channel “\(channel.title)”: \(reason)\n")
    let listed =
      learnt > 0 ? "3 videos looked up with yt-dlp in 1 channel" : "0 videos looked up with yt-dlp in 0 channels"
    #expect(outcome.text == "\(listed), \(learnt) updated\n")
    // It rests for an hour.
    #expect(try sandbox.succeed("enrich", "--with", "yt-dlp").hasPrefix("0 videos"))
    #expect(calls.count == 1)
  }

  @Test("A yt-dlp that hangs is ended with its children, by the timeout and by Ctrl-C")
  func hangs() throws {
    try sandbox.follow(threeVideos)
    sandbox.environment["STANDIN"] = "hang"
    sandbox.environment["METUBE_RSS_TIMEOUT"] = "1"
    let outcome = try sandbox.run("enrich", "--with", "yt-dlp")
    #expect(outcome.status == 75 && outcome.errors.contains("timed out"), "\(outcome.errors)")
    try sandbox.succeed("log", "verify")
    sandbox.folder.write([], to: "state/yt-dlp")
    sandbox.environment["METUBE_RSS_TIMEOUT"] = "300"
    let running = try sandbox.program.start(["enrich", "--with", "yt-dlp"])
    wait { calls.count > 1 }
    running.signal(SIGINT)
    let interrupted = try running.finish()
    #expect(interrupted.status == 1 && interrupted.errors.contains("stopped before all channels were looked up"))
  }

  @Test("Three failures in a row end it; a poll reports that and succeeds")
  func manyFailures() throws {
    sandbox.environment["STANDIN"] = "fail"
    sandbox.environment["METUBE_RSS_ENRICH"] = "yt-dlp"
    try sandbox.follow(5)
    let polled = try sandbox.poll()
    #expect(polled.exit == 0 && polled.checked == 5 && calls.count == 3)
    #expect(polled.reported?.contains("Sign in to confirm") == true)
  }

  @Test("Without the program, with a bad setting, and for gaps it says what to do")
  func mistakes() throws {
    try sandbox.follow(threeVideos)
    sandbox.environment["METUBE_RSS_ENRICH"] = "curl"
    let bad = try sandbox.run("enrich")
    #expect(bad.status == 64 && bad.errors.contains("METUBE_RSS_ENRICH is “curl”; the only value is yt-dlp"))
    sandbox.environment["METUBE_RSS_ENRICH"] = "yt-dlp"
    sandbox.environment["PATH"] = "/usr/bin:/bin"
    let missing = try sandbox.run("enrich")
    #expect(missing.status == 64 && missing.errors.contains("yt-dlp: No such file or directory; install it"))
    #expect(try sandbox.run("enrich", "--gaps", "--with", "yt-dlp").status == 64)
    let keyless = try sandbox.run("enrich", "--gaps")
    #expect(keyless.status == 64 && keyless.errors.contains("METUBE_RSS_API_KEY"))
  }
}

extension FixtureFeed {
  /// Serves the feed from now on.
  fileprivate func serve(on server: FixtureServer) throws { server.serve(channel, .feed(xml)) }
}
