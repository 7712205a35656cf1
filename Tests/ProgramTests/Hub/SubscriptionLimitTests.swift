import JSON
import TestSupport
import Testing

/// A hub on which a user may follow three channels.
@Suite("The most subscriptions of a user")
struct SubscriptionLimitTests {
  private let sandbox: Sandbox
  private let hub: RunningHub
  private let ann: String

  private static let ids = ["UCsXVk37bltHxD1rDPwtNM8Q", "UCHnyfMqiRRG1u-2MsSQLbXA", "UC3I2GFN_F8WudD_2jUZbojA"]
  private static let fourth = "UC6nSFpj9HTCZ5t-N3Rm3-HA"

  init() throws {
    sandbox = try Sandbox()
    try sandbox.useDatabase()
    try sandbox.addUser("ann")
    ann = try sandbox.bearer("ann")
    hub = try sandbox.runHub("--subscriptions", "3")
  }

  private func follow(_ ids: [String]) throws -> HubResponse {
    let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
    return try hub.send("POST", "/api/v1/channels", json: "{\"channels\":[\(list)]}", ann)
  }

  private func followed() throws -> [String] {
    try hub.get("/api/v1/channels", ann).json.texts("channels", of: "channel").sorted()
  }

  @Test("What exceeds it is refused with words at every door, whole, and what is followed stays")
  func doors() throws {
    #expect(try follow(SubscriptionLimitTests.ids + [SubscriptionLimitTests.fourth]).status == 422)
    #expect(try followed().isEmpty, "nothing of it")
    #expect(try follow(SubscriptionLimitTests.ids).status == 200)
    let refused = try follow([SubscriptionLimitTests.fourth])
    #expect(refused.status == 422 && refused.text.contains("this hub allows 3"), "\(refused.text)")
    let url = "https://www.youtube.com/channel/\(SubscriptionLimitTests.fourth)"
    let miniflux = try hub.send("POST", "/v1/feeds", json: "{\"feed_url\":\"\(url)\"}", ann)
    #expect(try miniflux.status >= 400 && miniflux.json["error_message"]?.string?.contains("this hub allows 3") == true)
    let reader = try hub.send(
      "POST", "/reader/api/0/subscription/edit", [ann, "Content-Type: application/x-www-form-urlencoded"],
      body: "ac=subscribe&s=feed/\(url)".utf8)
    #expect(reader.status >= 400 && reader.text.contains("this hub allows 3"), "\(reader.text)")
    let imported = try hub.send("POST", "/api/v1/import", [ann], body: "\(SubscriptionLimitTests.fourth)\n".utf8)
    #expect(imported.status == 422 && imported.text.contains("this hub allows 3"), "\(imported.text)")
    let handle = try hub.send("POST", "/api/v1/channels", json: #"{"channels":["@somebody"]}"#, ann)
    #expect(handle.status == 422, "\(handle.text)")
    #expect(try followed() == SubscriptionLimitTests.ids.sorted())
  }

  @Test("Following what is followed already, and another one after unfollowing, are possible at the limit")
  func again() throws {
    #expect(try follow(SubscriptionLimitTests.ids).status == 200)
    #expect(try follow(SubscriptionLimitTests.ids).status == 200)
    #expect(try hub.send("DELETE", "/api/v1/channels/\(SubscriptionLimitTests.ids[0])", [ann]).status == 200)
    #expect(try follow([SubscriptionLimitTests.fourth]).status == 200)
  }

  @Test("The limit is a number from 1")
  func invalid() throws {
    let outcome = try sandbox.hub(["serve", "--subscriptions", "0"])
    #expect(outcome.status == 64 && outcome.errors.contains("--subscriptions"))
  }
}
