import Core
import Glibc
import Library
import TestSupport
import Testing

@testable import App
@testable import Platform
@testable import metube_hub

/// Feeds of other sites in a home: a podcast, a PeerTube channel, a blog and a private podcast, each with one entry.
private enum Shelf {
  static let podcast = "https://show.example/feed"
  static let tube = "https://tube.example/feeds/videos.xml?videoChannelName=films"
  static let blog = "https://blog.example/atom.xml"
  static let members = "https://members.example/feed?token=s3cret"

  static let sound = EntryMedia(url: "https://cdn.example/1.mp3", type: "audio/mpeg", length: 1234)
  static let film = EntryMedia(url: "https://tube.example/1.mp4", type: "video/mp4", length: nil)
  static let episode = EntryMedia(url: "https://cdn.example/s3cret.mp3", type: "audio/mpeg", length: nil)

  static let found = [
    Sample.entryFound("https://show.example/1", of: podcast, title: "An episode", media: [sound]),
    Sample.entryFound("https://tube.example/w/1", of: tube, title: "A film", media: [film]),
    Sample.entryFound("https://blog.example/1", of: blog, title: "A post"),
    Sample.entryFound("https://members.example/s3cret/1", of: members, title: "For members", media: [episode]),
  ]

  static var events: [EventBody] {
    let feeds = [(podcast, "A show"), (tube, "Films"), (blog, "A blog"), (members, "Members")]
    let channel = ChannelFollowed(subscription: .channel(Sample.channel(1)), title: "A channel", tags: nil)
    return feeds.map { .feedFollowed(Sample.followed($0, title: $1)) } + found.map { .entryFound($0) }
      + [.channelFollowed(channel), Sample.found(1)]
  }
}

@Suite("Entries of other sites' feeds")
struct EntryTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try session().commit { Shelf.events }
  }

  private func session() throws -> Session {
    try Session(Home(folder: sandbox.folder.path, environment: [:]), reports: false)
  }

  /// The titles that `list` shows, sorted.
  private func titles(_ arguments: String...) throws -> [String] {
    let outcome = try sandbox.program.run(["list", "--format", "tsv"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.lines.dropFirst().map { String($0.split(separator: "\t", omittingEmptySubsequences: false)[3]) }
      .sorted()
  }

  @Test("list selects by platform and by kind")
  func platforms() throws {
    #expect(try titles() == ["A film", "A post", "A title", "An episode", "For members"])
    #expect(try titles("--platform", "youtube") == ["A title"])
    #expect(try titles("--platform", "podcast") == ["An episode", "For members"])
    #expect(try titles("--platform", "peertube") == ["A film"])
    #expect(try titles("--platform", "web") == ["A post"])
    #expect(try titles("--platform", "rumble").isEmpty)
    #expect(try titles("--kind", "video") == ["A film", "A title"])
    #expect(try titles("--kind", "audio", "--kind", "article") == ["A post", "An episode", "For members"])
    #expect(try titles("--platform", "podcast", "--channel", "Members") == ["For members"])
    #expect(try titles("--platform", "podcast", "--kind", "video").isEmpty)
    #expect(try sandbox.run("list", "--platform", "nowhere").status == 64)
  }

  @Test("What no feed has shown is of YouTube's platform, and a video")
  func unseen() throws {
    try session().commit {
      [Sample.video(99), entry("x")].map { .statusSet(StatusSet(video: $0, status: .watched)) }
    }
    func ids(_ option: String...) throws -> [String] {
      try sandbox.program.run(["list", "--all", "--watched", "--format", "ids"] + option).lines
    }
    #expect(try ids().count == 2)
    #expect(try ids("--platform", "youtube") == ["\(Sample.video(99))"])
    #expect(try ids("--kind", "video") == ["\(Sample.video(99))"])
    #expect(try ids("--kind", "audio").isEmpty && ids("--platform", "podcast").isEmpty)
  }

  private func entry(_ link: String) -> VideoID { Sample.entryID(link, of: Shelf.podcast) }

  @Test("JSON of list, show and history names entries as entries")
  func json() throws {
    let id = Shelf.found[0].entry
    for command in [["list", "--search", "episode"], ["show", "\(id)"]] {
      let line = try #require(try sandbox.program.run(command + ["--format", "jsonl"]).lines.first)
      #expect(line.hasPrefix(#"{"video":null,"channel":"\#(Sample.feedID(Shelf.podcast))","channelTitle":"A show""#))
      #expect(
        line.contains(
          #""platform":"podcast","entry":"\#(id)","feed":"\#(Sample.feedID(Shelf.podcast))","#
            + #""link":"https://show.example/1","#
            + #""media":[{"url":"https://cdn.example/1.mp3","type":"audio/mpeg","bytes":1234}]"#))
    }
    try sandbox.succeed("watched", "\(id)")
    let watched = try #require(try sandbox.run("history", "--format", "jsonl").lines.first)
    #expect(watched.contains(#""video":null"#) && watched.contains(#""entry":"\#(id)""#))
    #expect(try sandbox.run("history").text.contains("\(id)"))
  }

  @Test("A private feed's address and links are in no export without --private")
  func secrets() throws {
    for export in [["opml"], ["atom"], ["json-feed"], ["csv"], ["jsonl"]] {
      let outcome = try sandbox.program.run(["export"] + export)
      #expect(outcome.status == 0 && !outcome.text.contains("s3cret"), "\(export)")
      let whole = try sandbox.program.run(["export"] + export + ["--private"])
      #expect(whole.text.contains("s3cret"), "\(export)")
    }
    let path = "\(sandbox.folder.path)/all.opml"
    #expect(try sandbox.run("export", "opml").errors.contains("1 left out"))
    #expect(try sandbox.run("export", "opml", "--private", "--output", path).status == 0)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let opml = try sandbox.run("export", "opml").text
    #expect(opml.contains(Shelf.podcast) && opml.contains(Shelf.blog) && !opml.contains("members.example"))
  }

  @Test("Files for other programs have no entries, and the report says how many are left out")
  func otherPrograms() throws {
    let id = "\(Shelf.found[0].entry)"
    try sandbox.succeed("watched", id)
    try sandbox.succeed("save", "\(Shelf.found[1].entry)")
    try sandbox.succeed("collection", "add", "Rainy days", id, "\(Sample.video(1))")
    for format in ["freetube-history", "freetube-playlists", "takeout-history", "invidious"] {
      let outcome = try sandbox.run("export", format)
      #expect(outcome.status == 0 && !outcome.text.contains(id), "\(format)")
      #expect(!outcome.text.contains("\(Shelf.found[1].entry)"), "\(format)")
      #expect(outcome.errors.contains("2 marked entries of other sites"), "\(format): \(outcome.errors)")
    }
    #expect(try sandbox.run("export", "invidious").errors.contains("4 feeds of another site"))
    #expect(try sandbox.run("export", "takeout-csv").errors.contains("4 left out"))
    let archive = try sandbox.run("export", "archive", "--output", "\(sandbox.folder.path)/all.zip")
    #expect(!archive.errors.contains("not in this file"))
  }

  @Test("A player gets the first file of an entry, and the page where it has none")
  func play() throws {
    let path = sandbox.folder.write("#!/bin/sh\necho \"$1\"; sleep 2.2\n".utf8, to: "bin/player")
    chmod(path, 0o700)
    sandbox.environment["PATH"] = "\(sandbox.folder.path)/bin:/usr/bin:/bin"
    sandbox.environment["METUBE_RSS_PLAYER"] = "player"
    #expect(try sandbox.run("play", "\(Shelf.found[0].entry)").lines.first == "https://cdn.example/1.mp3")
    #expect(try sandbox.run("play", "\(Shelf.found[2].entry)").lines.first == "https://blog.example/1")
    let opener = sandbox.folder.write("#!/bin/sh\necho \"$1\"\n".utf8, to: "bin/firefox")
    chmod(opener, 0o700)
    sandbox.environment["METUBE_RSS_PLAYER"] = "firefox"
    #expect(try sandbox.run("play", "\(Shelf.found[0].entry)").lines.first == "https://show.example/1")
    let unknown = try sandbox.run("play", "\(entry("x"))")
    #expect(unknown.status == 1 && unknown.errors.contains("neither a file nor a page"))
  }

  @Test("Feeds of other sites count in a hub's limit of subscriptions")
  func limit() throws {
    var session = try self.session()
    session.maxSubscriptions = 5
    #expect(throws: Failure.self) {
      try session.commit { [.feedFollowed(Sample.followed("https://other.example/feed"))] }
    }
    // What is followed is not counted again.
    try session.commit { [.feedFollowed(Sample.followed(Shelf.podcast))] }
    session.maxSubscriptions = 6
    try session.commit { [.feedFollowed(Sample.followed("https://other.example/feed"))] }
  }
}
