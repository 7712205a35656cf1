import FixtureServer
import HubStore
import JSON
import Library
import SQLDrivers
import Synchronization
import TestSupport
import Testing

/// Several pollers on one database that look up titles of videos that no feed has shown.
@Suite(.enabled(if: SharedPollScene.address != nil, "METUBE_RSS_TEST_POSTGRES is not set"))
final class TitleLookupTests: TwoUsers {
  private let id = "9bZkp7q19f0"
  private let other = "dQw4w9WgXcQ"

  private func serve(_ response: Response) { sandbox.server.route("/oembed") { _ in response } }

  private static let song = Response.json(
    """
    {"title":"A song","author_name":"A singer","author_url":"https://www.youtube.com/channel/\(TwoUsers.science)",
    "type":"video"}
    """, status: 200)

  private var requests: [String] { sandbox.server.requests.map(\.target).filter { $0.hasPrefix("/oembed") } }

  private func poll(_ options: String...) throws {
    let schema = try #require(sandbox.schema)
    let outcome = try sandbox.hub(["poll", "--once", "--rate", "0"] + options + schema.options)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  private func title(_ user: String, _ video: String? = nil) throws -> String? {
    try hub.get("/api/v1/videos/\(video ?? id)", user).json["title"]?.string
  }

  @Test("One request is for all users who decided on a video, also later; nobody else sees anything")
  func sharing() throws {
    serve(TitleLookupTests.song)
    for user in [ann, bob] { #expect(try mark(id, #""saved":true"#, by: user).status == 200) }
    try poll()
    #expect(try title(ann) == "A song" && title(bob) == "A song" && requests.count == 1)
    try sandbox.addUser("eve")
    let eve = try sandbox.bearer("eve")
    try poll()
    #expect(try hub.get("/api/v1/videos/\(id)", eve).status == 404)
    #expect(try mark(id, #""note":"later""#, by: eve).status == 200)
    try poll()
    #expect(try title(eve) == "A song" && requests.count == 1)
    // What was decided once and no longer is requested no more.
    #expect(try mark(other, #""saved":true"#, by: ann).status == 200)
    #expect(try mark(other, #""saved":false"#, by: ann).status == 200)
    try poll()
    #expect(requests.count == 1)
    for user in ["ann", "bob", "eve"] {
      #expect(try sandbox.hubLines(user).count { $0.contains("videoDescribed") } == 1)
    }
    #expect(try sandbox.hubLines(nil).allSatisfy { !$0.contains("A song") })
  }

  @Test("What a feed shows a user is not requested")
  func seen() throws {
    serve(TitleLookupTests.song)
    try follow(TwoUsers.science, by: ann)
    try poll()
    for video in try videos(ann).prefix(2) { #expect(try mark(video, #""saved":true"#, by: ann).status == 200) }
    try poll()
    #expect(requests.isEmpty)
  }

  @Test("What YouTube does not describe is not requested again for a month")
  func missing() throws {
    serve(.status(404))
    for video in [id, other] { #expect(try mark(video, #""saved":true"#, by: ann).status == 200) }
    for _ in 0..<2 { try poll() }
    #expect(try mark(id, #""note":"x""#, by: ann).status == 200)
    try poll()
    #expect(requests.count == 2 && Set(requests).count == 2)
    #expect(try title(ann) == "")
  }

  @Test("A poller leaves a failing server alone, and a video that failed is not requested again for hours")
  func failing() throws {
    serve(.status(503))
    for video in [id, other] { #expect(try mark(video, #""saved":true"#, by: ann).status == 200) }
    try poll()
    #expect(requests.count == 1)
    for _ in 0..<3 { try poll() }
    #expect(requests.count == 2 && Set(requests).count == 2)
  }

  @Test("Of a user who is removed nothing is left to look up")
  func removed() throws {
    serve(.status(404))
    #expect(try mark(id, #""saved":true"#, by: bob).status == 200)
    try poll()
    let database = try #require(sandbox.schema).connect()
    #expect(try database.integer("SELECT count(*) FROM title_request") == 1)
    #expect(try sandbox.hub(["user", "remove", "bob"] + sandbox.hubOptions).status == 0)
    #expect(try database.integer("SELECT count(*) FROM title_request") == 0)
    #expect(try database.integer("SELECT count(*) FROM title_progress WHERE owner = 2") == 0)
  }

  @Test("A name that no user has any more makes no user")
  func unknown() throws {
    let database = try #require(sandbox.schema).connect()
    let before = try database.integer("SELECT count(*) FROM owner")
    #expect(throws: DatabaseError.self) { try PostgresLibrary(database, ofKnown: "robert") { 0 } }
    #expect(try database.integer("SELECT count(*) FROM owner") == before)
  }

  @Test("A setting forbids it; an invalid one is refused")
  func forbidden() throws {
    serve(TitleLookupTests.song)
    #expect(try mark(id, #""saved":true"#, by: ann).status == 200)
    sandbox.environment["METUBE_RSS_OEMBED"] = "no"
    try poll()
    #expect(requests.isEmpty)
    sandbox.environment["METUBE_RSS_OEMBED"] = "perhaps"
    let refused = try sandbox.hub(["poll", "--once"] + #require(sandbox.schema).options)
    #expect(refused.status == 64 && refused.errors.contains("METUBE_RSS_OEMBED"), "\(refused.errors)")
  }

  @Test("With a key fifty share a unit of the Data API, and oEmbed is not requested; no NUL stops it")
  func api() throws {
    serve(TitleLookupTests.song)
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    var video = DataAPI.Video(duration: "PT4M13S")
    video.snippet = [
      "title": #"A\u0000 song"#, "channelId": TwoUsers.other, "channelTitle": "A singer",
      "publishedAt": "2012-07-15T07:46:32Z",
    ]
    let known = video
    sandbox.server.serve(DataAPI(key: EnrichTests.key) { [id] in $0 == id ? known : nil })
    for user in [ann, bob] {
      for video in [id, other] { #expect(try mark(video, #""saved":true"#, by: user).status == 200) }
    }
    try poll()
    #expect(sandbox.server.unitsRequested == 1 && requests.isEmpty)
    for user in [ann, bob] {
      let row = try hub.get("/api/v1/videos/\(id)", user).json
      #expect(row["durationSeconds"] == 253 && row["published"] == "2012-07-15T07:46:32Z", "\(row)")
      #expect(row["title"]?.string?.hasSuffix("song") == true && row["channelTitle"] == "A singer")
      #expect(try title(user, other) == "")
    }
    try poll()
    #expect(sandbox.server.unitsRequested == 1)
  }

  @Test("Pollers at once send one request for each video")
  func pollers() throws {
    serve(TitleLookupTests.song)
    let videos = (0..<12).map { "AAAAAAAA\(10 + $0)A" }
    for user in [ann, bob] {
      for video in videos { #expect(try mark(video, #""saved":true"#, by: user).status == 200) }
    }
    let program = Program(path: Files.folderOfTests + "/metube-hub", environment: sandbox.environment)
    let options = try #require(sandbox.schema).options
    let running = try (0..<3).map { _ in try program.start(["poll", "--once", "--rate", "0"] + options) }
    for poller in running {
      let outcome = try poller.finish()
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    }
    #expect(requests.count == 12 && Set(requests).count == 12)
    try poll()
    for user in [ann, bob] { for video in videos { #expect(try title(user, video) == "A song") } }
    #expect(requests.count == 12)
  }
}
