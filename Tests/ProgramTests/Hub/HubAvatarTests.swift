import FixtureServer
import JSON
import TestSupport
import Testing

@Suite("Pictures of channels in the hub")
struct HubAvatarTests {
  private let sandbox: Sandbox
  private let hub: RunningHub
  private static let known = "UCsXVk37bltHxD1rDPwtNM8Q"
  private static let other = "UCHnyfMqiRRG1u-2MsSQLbXA"
  private static let avatar = "https://yt3.googleusercontent.com/abc=s88-c-k"

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.succeed("follow", HubAvatarTests.known, HubAvatarTests.other)
    var api = DataAPI(key: EnrichTests.key) { _ in DataAPI.Video(duration: "PT4M13S") }
    api.channel = { id in
      id == HubAvatarTests.known
        ? DataAPI.Channel(avatar: HubAvatarTests.avatar, subscribers: 22_900_000, videos: 5) : nil
    }
    sandbox.server.serve(api)
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    try sandbox.succeed("poll", "--rate", "0")
    hub = try RunningHub(sandbox, "--listen", "127.0.0.1:0", "--metube")
  }

  @Test("The API gives the picture and the counts, null where they are unknown")
  func api() throws {
    let known = try hub.get("/api/v1/channels/\(HubAvatarTests.known)").json
    #expect(known["avatarURL"]?.string == HubAvatarTests.avatar)
    #expect(known["subscribers"] == 22_900_000 && known["videoCount"] == 5)
    let other = try hub.get("/api/v1/channels/\(HubAvatarTests.other)").json
    #expect([other["avatarURL"], other["subscribers"], other["videoCount"]] == [.null, .null, .null])
  }

  @Test("The page shows it from the hosts that its policy names")
  func page() throws {
    let image = #"<img class="avatar" src="\#(HubAvatarTests.avatar)" alt="""#
    let list = try hub.get("/channels")
    #expect(list.text.contains(image) && list.text.contains(#"<span class="avatar"></span>"#))
    let channel = try hub.get("/channels/\(HubAvatarTests.known)")
    #expect(channel.text.contains(image) && channel.text.contains("<span>22.9M subscribers</span>"))
    #expect(try !hub.get("/channels/\(HubAvatarTests.other)").text.contains("avatar"))
    let policy = try #require(list.headers["content-security-policy"])
    #expect(
      policy.contains(
        "; img-src 'self' https://i.ytimg.com https://yt3.ggpht.com https://yt3.googleusercontent.com data:; "))
  }

  @Test("Readers and apps get it where they have a field for a URL")
  func dialects() throws {
    func pictures(_ list: [JSONValue]?, _ name: String) -> Set<String> {
      Set((list ?? []).map { $0[name]?.string ?? "null" })
    }
    let reader = try hub.get("/reader/api/0/subscription/list?output=json").json["subscriptions"]?.elements
    #expect(pictures(reader, "iconUrl") == [HubAvatarTests.avatar, ""])
    let app = try hub.send("POST", "/api/channels").json["channels"]?.elements
    #expect(pictures(app, "thumbnailUrl") == [HubAvatarTests.avatar, "null"])
    let web = try hub.get("/api/channels").json["items"]?.elements
    #expect(pictures(web, "avatar_url") == [HubAvatarTests.avatar, "null"])
    #expect(web?.compactMap { $0["subscriber_count"]?.number } == [22_900_000])
    let items = try hub.get("/api/feed?per_page=100").json["items"]?.elements
    #expect(pictures(items, "channel_avatar_url") == [HubAvatarTests.avatar, "null"])
  }
}
