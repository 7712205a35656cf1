import Core
import FixtureServer
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

  @Test("What exceeds it is refused with a message at every door, whole, and what is followed stays")
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

  /// Lets a device of Ann's follow channels, one after the other, and exchange that.
  private func device(following count: Int) throws -> (device: SyncedDevice, ids: [String]) {
    let token = try #require(sandbox.bearer("ann").split(separator: " ").last)
    let device = SyncedDevice(sandbox, token: String(token))
    let channels = SyntheticChannel.first(count)
    for channel in channels {
      sandbox.server.serve(channel.id, .feed(channel.feed(generation: 0).xml))
      let id = try #require(SubscriptionID(channel.id))
      try device.decide(.channelFollowed(ChannelFollowed(subscription: id, title: nil, tags: nil)))
    }
    try device.sync(hub.port)
    return (device, channels.map(\.id))
  }

  /// The feeds that a poll requests.
  private func polled() throws -> [String] {
    sandbox.server.forgetRequests()
    if let schema = sandbox.schema {
      #expect(try schema.hub("poll", "--once", "--rate", "0").status == 0)
    } else {
      func runs() throws -> Int { try sandbox.hubLines(nil).count { $0.contains("\"kind\":\"runFinished\"") } }
      let before = try runs()
      #expect(try hub.send("POST", "/api/v1/poll", [ann]).status == 202)
      try wait { try runs() > before }
    }
    return Set(sandbox.server.requests.map(\.key)).sorted()
  }

  @Test("Lists and polls take what a device followed first; its log stays whole, and status says how many are left out")
  func devices() throws {
    let (device, ids) = try device(following: 10)
    #expect(try followed() == ids.prefix(3).sorted())
    #expect(try hub.get("/v1/feeds", ann).json.elements?.count == 3)
    #expect(try hub.get("/api/v1/channels/\(ids[5])", ann).status == 404)
    let status = try hub.get("/api/v1/status", ann).json
    #expect(status["subscriptions"]?.number == 3 && status["leftOut"]?.number == 7)
    #expect(try polled() == ids.prefix(3).sorted())
    // Nothing of the log is lost, and another device gets all of it.
    let other = SyncedDevice(sandbox, token: device.token)
    try other.sync(hub.port)
    #expect(device.events.isSubset(of: other.events))
    // Room for the next one, as for what is followed on the hub.
    #expect(try follow([SubscriptionLimitTests.fourth]).status == 422)
    #expect(try hub.send("DELETE", "/api/v1/channels/\(ids[0])", [ann]).status == 200)
    #expect(try followed() == ids[1...3].sorted())
    #expect(try polled() == [ids[3]])
  }

  @Test("The limit is a number from 1")
  func invalid() throws {
    let outcome = try sandbox.hub(["serve", "--subscriptions", "0"])
    #expect(outcome.status == 64 && outcome.errors.contains("--subscriptions"))
  }
}
