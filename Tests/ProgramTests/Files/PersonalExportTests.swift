import FixtureServer
import Glibc
import SQLDrivers
import TestSupport
import Testing

/// Exports of what was watched, saved and collected, read back into an empty home.
@Suite("Files for NewPipe, Invidious and of Takeout")
struct PersonalExportTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
    let channel = try #require(sandbox.list().first).channel
    try sandbox.succeed("channel", "set", channel, "--tag", "craft", "--tag", "old")
    try sandbox.succeed("watched", "-bcdefghijA", "bbbbbbbbbbE")
    try sandbox.succeed("progress", "bbbbbbbbbbE", "2:05")
    try sandbox.succeed("collection", "add", "Trains, \"old\"", "ccccccccccI", "bbbbbbbbbbE")
    try sandbox.succeed("collection", "describe", "Trains, \"old\"", "With steam")
    try sandbox.succeed("collection", "create", "Empty")
    try sandbox.succeed("save", "https://youtu.be/dQw4w9WgXcQ", "bbbbbbbbbbE")
    try sandbox.succeed("progress", "ccccccccccI", "65")
    try sandbox.succeed("note", "ccccccccccI", "about the bell")
    try sandbox.succeed("rule", "add", "block", "--contains", "advertisement")
  }

  /// Imports an export into another home, which follows no channel; twice, the second time without effect.
  private func imported(_ format: String, leftOut: String) throws -> Sandbox {
    let other = try Sandbox()
    let file = sandbox.folder.path + "/out"
    let outcome = try sandbox.run("export", format, "--output", file)
    #expect(outcome.status == 0)
    #expect(
      outcome.errors.hasSuffix("; not in this file: \(leftOut); export archive has everything\n"), "\(outcome.errors)")
    let first = try other.run("import", "--all-history", file)
    #expect(first.status == 0 && first.errors.isEmpty, "\(first.errors)")
    let log = other.log
    #expect(try other.run("import", "--all-history", file).status == 0)
    #expect(other.log == log, "\(format) twice")
    return other
  }

  private func ids(_ home: Sandbox, collection: String) throws -> [Substring] {
    try home.run("collection", "show", collection, "--format", "ids").text.split(separator: "\n")
  }

  private func rows(_ command: [String], _ columns: [Int], of home: Sandbox) throws -> [String] {
    try home.program.run(command + ["--format", "tsv"]).text.split(separator: "\n").map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      return columns.map { String(fields[$0]) }.joined(separator: " ")
    }
  }

  private func history(_ home: Sandbox) throws -> [String] {
    try rows(["history"], [0, 1, 4, 3], of: home)
  }

  /// The position of a video.
  private func position(_ video: String, _ home: Sandbox) throws -> Bool {
    let seconds = video == "bbbbbbbbbbE" ? 125 : 65
    return try home.run("show", video, "--format", "jsonl").text.contains("\"progressSeconds\":\(seconds)")
  }

  @Test("NewPipe's backup has subscriptions with groups, history with positions, playlists")
  func newPipe() throws {
    let other = try imported(
      "newpipe-backup", leftOut: "1 description of a collection, 1 note, 1 rule")
    #expect(try rows(["channels"], [0, 1, 3], of: other) == rows(["channels"], [0, 1, 3], of: sandbox))
    #expect(try history(other) == history(sandbox) && history(other).count == 3)
    #expect(try position("bbbbbbbbbbE", other) && position("ccccccccccI", other))
    for id in ["bbbbbbbbbbE", "ccccccccccI"] {
      let dates = try [sandbox, other].map { home in
        try home.run("show", id, "--format", "jsonl").text.split(separator: "\"published\":").last?.prefix(22)
      }
      #expect(dates[0] == dates[1] && dates[0]?.hasPrefix("\"20") == true, "\(dates)")
    }
    #expect(try ids(other, collection: "Trains, \"old\"") == ["ccccccccccI", "bbbbbbbbbbE"])
    #expect(try ids(other, collection: "saved").sorted() == ["bbbbbbbbbbE", "dQw4w9WgXcQ"])
    #expect(try other.run("collection", "list", "--format", "jsonl").text.contains("\"Empty\""))
  }

  @Test("Channel settings and preferences are reported too, in the terminal, in the header and on the page")
  func settings() throws {
    let channel = try #require(sandbox.list().first).channel
    try sandbox.succeed("channel", "set", channel, "--shorts", "show")
    try sandbox.succeed("preferences", "set", "theme", "dark")
    let file = sandbox.folder.path + "/out"
    let expected = "1 note, 1 rule, 1 channel with settings, 1 preference"
    let outcome = try sandbox.run("export", "newpipe-backup", "--output", file)
    #expect(outcome.errors.contains("1 description of a collection, \(expected);"), "\(outcome.errors)")
    #expect(try !sandbox.run("export", "archive", "--output", file + ".zip").errors.contains("not in this file"))
    let hub = try RunningHub(sandbox)
    let header = try hub.get("/api/v1/export/newpipe-backup").headers["left-out"]
    #expect(header?.hasSuffix(expected) == true, "\(header ?? "none")")
    let page = try hub.get("/settings").text
    #expect(page.contains("What these files leave out") && page.contains("<small>\(header ?? "none")</small>"))
    #expect(!page.contains("<div class=\"name\">Archive<small>"))
  }

  @Test(
    "The times at which videos were added are reported as not used",
    arguments: ["freetube-playlists", "takeout-playlists"])
  func additionTimes(_ format: String) throws {
    let file = sandbox.folder.path + "/out"
    #expect(try sandbox.run("export", format, "--output", file).status == 0)
    let report = try Sandbox().run("import", "--all-history", file).text
    #expect(report.contains("4 times of adding not used"), "\(report)")
  }

  @Test("NewPipe's database has the tables that NewPipe makes in version 9")
  func schema() throws {
    var python = sandbox.program
    python.path = "/usr/bin/python3"
    guard access(python.path, X_OK) == 0 else { return }
    let (file, folder) = (sandbox.folder.path + "/out.zip", sandbox.folder.path + "/unpacked")
    #expect(try sandbox.run("export", "newpipe-backup", "--output", file).status == 0)
    #expect(try python.run(["-m", "zipfile", "-e", file, folder]).status == 0)
    let database = try Database("\(folder)/newpipe.db", .readOnly)
    #expect(try database.integer(.sqlite("PRAGMA user_version")) == 9)
    // name, type, NOT NULL, position in the key; Room compares these with its own.
    let tables: [(name: String, columns: String)] = [
      (
        "subscriptions",
        "uid INTEGER 1 1,service_id INTEGER 1 0,url TEXT 0 0,name TEXT 0 0,avatar_url TEXT 0 0,"
          + "subscriber_count INTEGER 0 0,description TEXT 0 0,notification_mode INTEGER 1 0"
      ),
      ("search_history", "creation_date INTEGER 0 0,service_id INTEGER 1 0,search TEXT 0 0,id INTEGER 1 1"),
      (
        "streams",
        "uid INTEGER 1 1,service_id INTEGER 1 0,url TEXT 1 0,title TEXT 1 0,stream_type TEXT 1 0,"
          + "duration INTEGER 1 0,uploader TEXT 1 0,uploader_url TEXT 0 0,thumbnail_url TEXT 0 0,"
          + "view_count INTEGER 0 0,textual_upload_date TEXT 0 0,upload_date INTEGER 0 0,"
          + "is_upload_date_approximation INTEGER 0 0"
      ),
      ("stream_history", "stream_id INTEGER 1 1,access_date INTEGER 1 2,repeat_count INTEGER 1 0"),
      ("stream_state", "stream_id INTEGER 1 1,progress_time INTEGER 1 0"),
      (
        "playlists",
        "uid INTEGER 1 1,name TEXT 0 0,is_thumbnail_permanent INTEGER 1 0,thumbnail_stream_id INTEGER 1 0,"
          + "display_index INTEGER 1 0"
      ),
      ("playlist_stream_join", "playlist_id INTEGER 1 1,stream_id INTEGER 1 0,join_index INTEGER 1 2"),
      (
        "remote_playlists",
        "uid INTEGER 1 1,service_id INTEGER 1 0,name TEXT 0 0,url TEXT 0 0,thumbnail_url TEXT 0 0,"
          + "uploader TEXT 0 0,display_index INTEGER 1 0,stream_count INTEGER 0 0"
      ),
      ("feed", "stream_id INTEGER 1 1,subscription_id INTEGER 1 2"),
      ("feed_group", "uid INTEGER 1 1,name TEXT 1 0,icon_id INTEGER 1 0,sort_order INTEGER 1 0"),
      ("feed_group_subscription_join", "group_id INTEGER 1 1,subscription_id INTEGER 1 2"),
      ("feed_last_updated", "subscription_id INTEGER 1 1,last_updated INTEGER 0 0"),
    ]
    for (name, columns) in tables {
      var found: [String] = []
      try database.forEach(
        .sqlite("SELECT name, type, \"notnull\", pk FROM pragma_table_info(?)"), name
      ) { found.append("\($0.text(0)) \($0.text(1)) \($0.int(2)) \($0.int(3))") }
      #expect(found.joined(separator: ",") == columns, "\(name)")
    }
    #expect(try database.integer(.sqlite("SELECT count(*) FROM pragma_foreign_key_check")) == 0)
    #expect(try database.first(.sqlite("PRAGMA integrity_check")) { $0.text(0) } == "ok")
    #expect(try database.integer(.sqlite("SELECT progress_time FROM stream_state ORDER BY 1 DESC LIMIT 1")) == 125_000)
  }

  @Test("Invidious' JSON has subscriptions, history without times, and playlists with descriptions")
  func invidious() throws {
    let other = try imported(
      "invidious",
      leftOut: "1 tagged channel, 2 times of watching, 1 position in a watched video, "
        + "1 position in a video that is not watched, 1 empty collection, 1 note, 1 rule")
    #expect(try rows(["channels"], [0], of: other) == rows(["channels"], [0], of: sandbox))
    #expect(try rows(["history"], [1], of: other).sorted() == rows(["history"], [1], of: sandbox).sorted())
    #expect(try ids(other, collection: "Trains, \"old\"") == ["ccccccccccI", "bbbbbbbbbbE"])
    #expect(try other.run("collection", "list", "--format", "jsonl").text.contains("With steam"))
    #expect(try ids(other, collection: "saved").sorted() == ["bbbbbbbbbbE", "dQw4w9WgXcQ"])
  }

  @Test("Takeout's history has times, titles and channels")
  func takeoutHistory() throws {
    let other = try imported(
      "takeout-history",
      leftOut: "1 subscription, 1 tagged channel, 1 position in a watched video, "
        + "1 position in a video that is not watched, 2 saved videos, 1 collection, 1 empty collection, "
        + "1 note, 1 rule")
    // Of one second the file says no order.
    #expect(try history(other).sorted() == history(sandbox).sorted())
  }

  @Test("Takeout's playlists are files with their names")
  func takeoutPlaylists() throws {
    try sandbox.succeed("collection", "add", "AC/DC", "ccccccccccI")
    let other = try imported(
      "takeout-playlists",
      leftOut: "1 subscription, 1 tagged channel, 2 watched videos, 1 position in a video that is not watched, "
        + "1 empty collection, 1 description of a collection, 1 note, 1 rule, the exact names of 2 collections")
    #expect(try ids(other, collection: "Trains, _old_") == ["ccccccccccI", "bbbbbbbbbbE"])
    #expect(try ids(other, collection: "AC_DC") == ["ccccccccccI"])
    #expect(try ids(other, collection: "saved").sorted() == ["bbbbbbbbbbE", "dQw4w9WgXcQ"])
  }

  @Test("FreeTube's history has positions, and its playlists descriptions and what is empty")
  func freeTube() throws {
    let watched = try imported(
      "freetube-history",
      leftOut: "1 subscription, 1 tagged channel, 1 position in a video that is not watched, 2 saved videos, "
        + "1 collection, 1 empty collection, 1 note, 1 rule")
    #expect(try history(watched) == history(sandbox))
    #expect(try position("bbbbbbbbbbE", watched))
    let collected = try imported(
      "freetube-playlists",
      leftOut: "1 subscription, 1 tagged channel, 2 watched videos, 1 position in a video that is not watched, "
        + "1 note, 1 rule")
    let names = try sandbox.run("collection", "list", "--format", "jsonl").text
    #expect(try collected.run("collection", "list", "--format", "jsonl").text == names)
    #expect(try ids(collected, collection: "saved").sorted() == ["bbbbbbbbbbE", "dQw4w9WgXcQ"])
  }

  @Test("An empty playlist of another program makes no collection")
  func emptyPlaylist() throws {
    let other = try Sandbox()
    let line = #"{"playlistName":"Favorites","protected":false,"description":"Mine","videos":[],"_id":"favorites"}"#
    #expect(try other.run("import", "-", input: line + "\n").status == 0)
    #expect(try other.run("collection", "list", "--format", "jsonl").text.isEmpty)
  }
}
