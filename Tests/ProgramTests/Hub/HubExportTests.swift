import Core
import Exporters
import FixtureServer
import Importers
import JSON
import TestSupport
import Testing

/// Exports and archives of the users of a hub.
class HubExportScene: TwoUsers {
  static let personal = [
    "freetube-history", "freetube-playlists", "newpipe-backup", "takeout-history", "takeout-playlists", "invidious",
    "archive",
  ]

  /// The lines of an archive.
  private func lines(_ archive: [UInt8]) throws -> String {
    var bytes: [UInt8] = []
    let reader = HomeArchive.Reader(begin: { _ in }, take: { bytes += $0 }, end: {})
    #expect(try HomeArchive.read(ImportSource(archive), limits: .archive, reader))
    return String(decoding: bytes, as: UTF8.self)
  }

  /// What a user decided, by the API.
  private func decided(_ user: String) throws -> [String] {
    let videos = try hub.get("/api/v1/videos?all=true&shorts=show&noRules=true&limit=500", user).json
    let shown = (videos["videos"]?.elements ?? []).map { video in
      ["video", "title", "status", "saved", "tags", "published", "found"].map { "\(video[$0] ?? "-")" }.joined()
    }
    let rules = try hub.get("/api/v1/rules", user).text
    // Without their numbers, which are each user's.
    let collections = try hub.get("/api/v1/collections", user).json.texts("collections", of: "collection")
    let video = try #require(videos["videos"]?.elements?.first?["video"]?.string)
    let note = try hub.get("/api/v1/videos/\(video)", user).json["note"]
    return shown + collections + [rules, "\(note ?? "-")"]
  }

  func archive() throws {
    let hers = try decide()
    let response = try hub.get("/api/v1/export/archive", ann)
    #expect(response.status == 200 && response.headers["content-type"] == "application/zip")
    #expect(response.headers["content-disposition"] == "attachment; filename=\"metube-rss.zip\"")
    let text = try lines(response.body)
    #expect(text.contains("her note") && text.contains("herTag") && text.contains("herword"))
    #expect(text.contains("\"kind\":\"videoFound\""), "with what she sees of the catalogue")
    #expect(!text.contains(TwoUsers.other), "a channel of another user")
    let his = try lines(hub.get("/api/v1/export/archive", bob).body)
    #expect(hers.secrets.allSatisfy { !his.contains($0) })
    // A third user, who has nothing, gets everything; and once is enough.
    try sandbox.addUser("cleo")
    let cleo = try sandbox.bearer("cleo")
    for expected in ["new", "nothing"] {
      let report = try hub.send("POST", "/api/v1/import", [cleo], body: response.body).json
      let counts = try #require(report["archive"])
      #expect(report["format"] == "archive" && counts["events"]?.number ?? 0 > 10, "\(report)")
      #expect((counts["new"]?.number == 0) == (expected == "nothing"), "\(expected): \(report)")
      #expect(try decided(cleo) == decided(ann), "\(expected)")
    }
    // She herself has all of it.
    let again = try hub.send("POST", "/api/v1/import", [ann], body: response.body).json
    #expect(again["archive"]?["new"] == 0, "\(again)")
  }

  func home() throws {
    _ = try decide()
    let home = try Sandbox()
    let file = home.folder.write(try hub.get("/api/v1/export/archive", ann).body, to: "ann.zip")
    let outcome = try home.run("import", file)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    let video = try #require(home.list("--no-rules").first)
    #expect(video.saved && video.tags == ["herTag"])
    #expect(try home.succeed("show", video.video).contains("her note"))
    // It says that from now on this home has a log of its own.
    #expect(try home.run("watched", video.video).status == 0)
    let back = try home.run("export", "archive")
    #expect(back.status == 0)
    let report = try hub.send("POST", "/api/v1/import", [ann], body: back.output).json
    // The first event of the home's own log.
    #expect(report["archive"]?["new"] == 1, "\(report)")
    #expect(try hub.get("/api/v1/videos/\(video.video)", ann).json["status"] == "watched")
  }

  func access(_ format: String) throws {
    let hers = try decide()
    let path = "/api/v1/export/\(format)"
    #expect(try hub.get(path).status == 401)
    let reader = try sandbox.bearer("bob", "read")
    let response = try hub.get(path, reader)
    #expect(response.status == 200 && response.headers["cache-control"] == "no-store")
    #expect(hers.secrets.allSatisfy { !response.text.contains($0) })
    let left = try hub.get(path, ann).headers["left-out"]
    #expect(format == "archive" ? left == nil : left?.contains("1 note, 1 rule") == true, "\(left ?? "-")")
    #expect(try hub.send("HEAD", path, [ann]).status == 200)
  }

  func hostile() throws {
    var (zip, bytes) = (ZipWriter(at: Timestamp(seconds: 1_800_000_000)), [UInt8]())
    for (name, text) in [("metube-rss.json", #"{"archive":"metube-rss","version":1}"#), ("log/aaaaaaaa.jsonl", "{}\n")]
    {
      zip.begin(name, to: &bytes)
      zip.add(Array(text.utf8), to: &bytes)
      try zip.end(to: &bytes)
    }
    try zip.finish(to: &bytes)
    let response = try hub.send("POST", "/api/v1/import", [ann], body: bytes)
    #expect(
      response.status == 422 && response.text.contains("line 1 is damaged; nothing was imported"), "\(response.text)")
  }
}

/// On PostgreSQL if there is a server.
@Suite("Exports of a hub")
final class HubExportTests: HubExportScene {
  @Test("An archive moves all of a user to another, twice without effect, and has nothing of others")
  func archives() throws { try archive() }

  @Test("A home of the terminal and a user exchange archives")
  func homes() throws { try home() }

  @Test("Every export is refused without access and holds what is the user's", arguments: HubExportScene.personal)
  func accesses(_ format: String) throws { try access(format) }

  @Test("A hostile archive is refused with 422 and one sentence")
  func refused() throws { try hostile() }
}

@Suite("Exports of a hub on files")
final class HubFileExportTests: HubExportScene {
  override class var isOfFiles: Bool { true }

  @Test("An archive moves all of a user to another, twice without effect, and has nothing of others")
  func archives() throws { try archive() }

  @Test("A home of the terminal and a user exchange archives")
  func homes() throws { try home() }

  @Test("Every export is refused without access and holds what is the user's", arguments: HubExportScene.personal)
  func accesses(_ format: String) throws { try access(format) }

  @Test("A hostile archive is refused with 422 and one sentence")
  func refused() throws { try hostile() }
}
