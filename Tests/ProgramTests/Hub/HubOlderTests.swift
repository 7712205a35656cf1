import FixtureServer
import ReadModel
import TestSupport
import Testing

/// Older videos of a channel, found by a form of the page.
@Suite("Older videos on the page")
final class HubOlderTests: TwoUsers {
  @Test("They take units of the budget that pollers share, where that is kept in a database")
  func units() throws {
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    sandbox.environment["METUBE_RSS_API_BUDGET"] = "2"
    var api = DataAPI(key: EnrichTests.key) { _ in DataAPI.Video(duration: "PT1M") }
    api.lists["UU" + TwoUsers.science.dropFirst(2)] = [
      DataAPI.Entry(video: "list-00000A", title: "An old one", published: "2010-01-01T00:00:00Z")
    ]
    sandbox.server.serve(api)
    try follow(TwoUsers.science, by: ann)
    let cookie = try logIn("ann")
    let hub = try sandbox.runHub()
    let path = "/channels/\(TwoUsers.science)"
    #expect(try hub.get(path, cookie).text.contains("of the 2 API units left today"))
    func find() throws -> HubResponse {
      let headers = [cookie, "Origin: http://\(hub.host)", "Content-Type: application/x-www-form-urlencoded"]
      return try hub.send("POST", path, headers, body: "action=older".utf8)
    }
    #expect(try find().status == 303)
    #expect(try videos(ann, "&status=skipped") == ["list-00000A"])
    #expect(sandbox.server.unitsRequested == 2)
    #expect(try hub.get(path, cookie).text.contains("of the 0 API units left today"))
    let refused = try find()
    #expect(refused.status == 503 && refused.text.contains("budget of 2 units is used up"), "\(refused.status)")
    #expect(sandbox.server.unitsRequested == 2)
    guard let schema = sandbox.schema else { return }
    #expect(try schema.connect().integer("SELECT units FROM api_key") == 2)
    try schema.expectNone(of: [EnrichTests.key], also: [])
    #expect(sandbox.folder.read("state/api") == nil)
    let other = try schema.connect()
    #expect(try other.integer("SELECT pg_try_advisory_lock('api_key'::regclass::oid::bigint)::integer") == 1)
    let second = try find()
    #expect(second.status == 503 && second.text.contains("fetched for somebody else"), "\(second.text)")
    try other.run("UPDATE api_key SET refusal = 'API_KEY_INVALID', paused_until = unix_time() + 3600")
    wait { (try? hub.get("/status", cookie).text.contains("no requests until")) == true }
    #expect(try hub.get("/status", cookie).text.contains("(API_KEY_INVALID)"))
  }
}
