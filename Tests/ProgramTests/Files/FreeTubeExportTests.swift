import TestSupport
import Testing

@Suite("FreeTube's history and playlists")
struct FreeTubeExportTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
    try sandbox.succeed("watched", "-bcdefghijA", "bbbbbbbbbbE")
    try sandbox.succeed("collection", "add", "Trains, \"old\"", "bbbbbbbbbbE", "ccccccccccI")
    try sandbox.succeed("save", "https://youtu.be/dQw4w9WgXcQ")
  }

  /// Imports an export into another home, which follows no channel.
  private func imported(_ format: String) throws -> (report: Imported, other: Sandbox) {
    let other = try Sandbox()
    let file = sandbox.folder.path + "/out.db"
    #expect(try sandbox.run("export", format, "--output", file).status == 0)
    return (try other.takeOver(file, "--all-history"), other)
  }

  @Test("What was watched comes back with its time, title and channel")
  func history() throws {
    let (report, other) = try imported("freetube-history")
    #expect(report.format == "freeTube" && report.watched == 2 && report.refused.isEmpty)
    let members = ["watchedAt", "video", "title", "channelTitle"]
    func rows(_ home: Sandbox) throws -> [String] {
      try home.succeed("history", "--format", "tsv").split(separator: "\n").map { line in
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        return [0, 1, 4, 3].map { String(fields[$0]) }.joined(separator: " ")
      }
    }
    #expect(try rows(other) == rows(sandbox) && rows(other).first == members.joined(separator: " "))
  }

  @Test("Collections and saved videos come back as playlists in their order")
  func playlists() throws {
    let (report, other) = try imported("freetube-playlists")
    #expect(report.collections == 2 && report.collected == 3 && report.refused.isEmpty)
    for (name, ids) in [("Trains, \"old\"", ["bbbbbbbbbbE", "ccccccccccI"]), ("saved", ["dQw4w9WgXcQ"])] {
      #expect(
        try other.succeed("collection", "show", name, "--format", "ids").split(separator: "\n") == ids.map { $0[...] })
    }
    #expect(try other.succeed("collection", "show", "Trains, \"old\"").contains("How to Tune a Bell"))
  }

  @Test("Every line has the members that FreeTube requires")
  func members() throws {
    let history = try sandbox.run("export", "freetube-history").text
    for name in [
      "_id", "author", "authorId", "description", "isLive", "lengthSeconds", "published", "timeWatched", "title",
      "type",
      "videoId", "viewCount", "watchProgress",
    ] {
      #expect(history.split(separator: "\n").allSatisfy { $0.contains("\"\(name)\":") }, "\(name)")
    }
    #expect(!history.contains("null"))
  }
}
