import FixtureServer
import ReadModel
import SQLDrivers
import TestSupport
import Testing

/// Older videos of a channel, found by a form of the page.
@Suite("Older videos on the page")
final class HubOlderTests: TwoUsers {
  /// Has the Data API know an old video of a channel, within a budget of units; follows the channel.
  private func prepare(budget: Int, _ users: String...) throws {
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    sandbox.environment["METUBE_RSS_API_BUDGET"] = "\(budget)"
    var api = DataAPI(key: EnrichTests.key) { _ in DataAPI.Video(duration: "PT1M") }
    api.lists["UU" + TwoUsers.science.dropFirst(2)] = [
      DataAPI.Entry(video: "list-00000A", title: "An old one", published: "2010-01-01T00:00:00Z")
    ]
    sandbox.server.serve(api)
    for user in users { try follow(TwoUsers.science, by: user) }
  }

  private static let path = "/channels/\(TwoUsers.science)"

  /// Presses the button of the channel.
  private func find(_ hub: RunningHub, _ cookie: String) throws -> HubResponse {
    let headers = [cookie, "Origin: http://\(hub.host)", "Content-Type: application/x-www-form-urlencoded"]
    return try hub.send("POST", HubOlderTests.path, headers, body: "action=older".utf8)
  }

  @Test("Older videos take units of the budget that pollers share, where that is kept in a database")
  func units() throws {
    try prepare(budget: 2, ann)
    let cookie = try logIn("ann")
    try restartHub()
    #expect(try hub.get(HubOlderTests.path, cookie).text.contains("of the 2 API units left today"))
    #expect(try find(hub, cookie).status == 303)
    #expect(try videos(ann, "&status=skipped") == ["list-00000A"])
    #expect(sandbox.server.unitsRequested == 2)
    #expect(try hub.get(HubOlderTests.path, cookie).text.contains("of the 0 API units left today"))
    let refused = try find(hub, cookie)
    #expect(refused.status == 503 && refused.text.contains("budget of 2 units is used up"), "\(refused.status)")
    #expect(sandbox.server.unitsRequested == 2)
    guard let schema = sandbox.schema else { return }
    #expect(try schema.connect().integer("SELECT units FROM api_key") == 2)
    try schema.expectNone(of: [EnrichTests.key], also: [])
    #expect(sandbox.folder.read("state/api") == nil)
    let other = try schema.connect()
    #expect(try other.integer("SELECT pg_try_advisory_lock('api_key'::regclass::oid::bigint)::integer") == 1)
    let second = try find(hub, cookie)
    #expect(second.status == 503 && second.text.contains("fetched for somebody else"), "\(second.text)")
    try other.run("UPDATE api_key SET refusal = 'API_KEY_INVALID', paused_until = unix_time() + 3600")
    wait { (try? hub.get("/status", cookie).text.contains("no requests until")) == true }
    #expect(try hub.get("/status", cookie).text.contains("(API_KEY_INVALID)"))
  }

  @Test(
    "With a database each user may request them 10 times in 24 hours, in all processes together",
    .enabled(if: TestSchema.server != nil, "needs METUBE_RSS_TEST_POSTGRES"))
  func limit() throws {
    try prepare(budget: 100, ann, bob)
    let (hers, his) = (try logIn("ann"), try logIn("bob"))
    let hubs = [try sandbox.runHub(), try sandbox.runHub()]
    for number in 0..<10 { #expect(try find(hubs[number % 2], hers).status == 303) }
    let units = sandbox.server.unitsRequested
    for hub in hubs {
      let refused = try find(hub, hers)
      #expect(refused.status == 429 && refused.text.contains("10 times in 24 hours; try again in about"))
      let wait = try #require(refused.headers["retry-after"].flatMap { Int($0) })
      #expect((1...86_400).contains(wait), "\(wait)")
    }
    #expect(sandbox.server.unitsRequested == units, "refused before a request is sent")
    #expect(try find(hubs[1], his).status == 303, "a limit for each user")

    let database = try #require(sandbox.schema).connect()
    try database.run(
      .postgres("UPDATE older_request SET times = times[2:] || unix_time() - 83400 WHERE cardinality(times) = 10"))
    let last = try #require(try find(hubs[0], hers).headers["retry-after"].flatMap { Int($0) })
    #expect((1...3000).contains(last), "the earliest of the ten decides")
    try database.run(
      .postgres("UPDATE older_request SET times[10] = times[10] - 3000 WHERE cardinality(times) = 10"))
    #expect(try find(hubs[0], hers).status == 303)
    #expect(try find(hubs[1], hers).status == 429)
  }

  @Test(
    "What fails before a unit is taken does not count",
    .enabled(if: TestSchema.server != nil, "needs METUBE_RSS_TEST_POSTGRES"))
  func uncounted() throws {
    try prepare(budget: 100, ann)
    let (hub, cookie) = (try sandbox.runHub(), try logIn("ann"))
    let database = try #require(sandbox.schema).connect()
    let counted = { try database.integer("SELECT sum(cardinality(times))::bigint FROM older_request") }
    #expect(try find(hub, cookie).status == 303)
    #expect(try counted() == 1)
    // Another process is about to send one.
    try database.execute("SELECT pg_advisory_lock('api_key'::regclass::oid::bigint)")
    #expect(try find(hub, cookie).text.contains("fetched for somebody else"))
    try database.execute("SELECT pg_advisory_unlock('api_key'::regclass::oid::bigint)")
    try database.run("UPDATE api_key SET refusal = 'API_KEY_INVALID', paused_until = unix_time() + 3600")
    #expect(try find(hub, cookie).status >= 400)
    #expect(try counted() == 1)
    // A unit is taken, whatever the response is.
    try database.run("UPDATE api_key SET refusal = NULL, paused_until = NULL")
    sandbox.server.serve(DataAPI(key: "another key") { _ in nil })
    #expect(try find(hub, cookie).status >= 400)
    #expect(try counted() == 2)
  }
}
