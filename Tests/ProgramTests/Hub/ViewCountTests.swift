import FixtureServer
import Glibc
import JSON
import TestSupport
import Testing

@Suite("View counts")
final class ViewCountTests: TwoUsers {
  /// Serves a Data API with a view count of `video` alone, and restarts the hub with a key.
  private func serve(_ video: String, _ views: Int) throws {
    sandbox.server.serve(
      DataAPI(key: EnrichTests.key) { id in
        var known = DataAPI.Video(duration: "PT5M")
        known.views = id == video ? views : nil
        return known
      })
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    try restartHub()
  }

  private func views(_ video: String, _ user: String) throws -> JSONValue? {
    try hub.get("/api/v1/videos/\(video)", user).json["viewCount"]
  }

  @Test("come from enrichment to those who see the video, and are in no log")
  func enrichment() throws {
    try follow(TwoUsers.science, by: ann)
    try poll()
    let known = try videos(ann)
    try serve(known[0], 12_345_678_901)
    try lookUpNames()
    try wait { try views(known[0], ann) == 12_345_678_901 }
    #expect(try views(known[1], ann) == .null)
    #expect(try hub.get("/api/v1/videos?limit=1", ann).json["videos"]?.elements?.first?["viewCount"] == 12_345_678_901)
    let items = try hub.get("/api/feed?per_page=1", ann).json["items"]?.elements
    #expect(items?.first?["view_count"] == 12_345_678_901)
    for page in ["/", "/videos/\(known[0])"] { #expect(try !hub.get(page, ann).text.contains("12345678901")) }
    // Bob would learn that somebody follows the channel.
    #expect(try mark(known[0], #""saved":true"#, by: bob).status == 200)
    #expect(try views(known[0], bob) == .null)
    for user in [nil, "ann", "bob"] {
      #expect(try !sandbox.hubLines(user).contains { $0.contains("12345678901") })
    }
  }

  @Test("survive a new read model, and are unknown once their own file is gone")
  func readModel() throws {
    guard sandbox.schema == nil else { return }
    try follow(TwoUsers.science, by: ann)
    try poll()
    let video = try videos(ann)[0]
    try serve(video, 7)
    #expect(try hub.send("POST", "/api/v1/poll", [ann]).status == 202)
    try wait { try views(video, ann) == 7 }
    let names = sandbox.folder.names(in: "hub/catalogue/cache") + sandbox.folder.names(in: "hub/users/ann/cache")
    #expect(names.contains("views.db"))
    for user in ["catalogue", "users/ann"] {
      for name in sandbox.folder.names(in: "hub/\(user)/cache") where name.hasPrefix("read") {
        unlink(sandbox.hubData + "/\(user)/cache/\(name)")
      }
    }
    try restartHub()
    #expect(try views(video, ann) == 7)
    sandbox.folder.write("not a database".utf8, to: "hub/catalogue/cache/views.db")
    try wait { try views(video, ann) == .null }
    unlink(sandbox.hubData + "/catalogue/cache/views.db")
    try wait { try views(video, ann) == .null }
  }
}
