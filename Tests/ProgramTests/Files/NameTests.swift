import FixtureServer
import Testing

@Suite("Names resolved to channels over the network")
struct NameTests {
  private var sandbox: Sandbox
  private let channel = SyntheticChannel(number: 0)

  init() throws {
    sandbox = try Sandbox()
    sandbox.server.serve(channel.id, .feed(channel.feed(generation: 0).xml))
  }

  /// The number of requests for a path.
  private func requested(_ path: String) -> Int { sandbox.server.requests.count { $0.target.hasPrefix(path) } }

  private func serve(_ page: ChannelPage, at path: String) {
    sandbox.server.serve(path, page.response)
  }

  @Test("A handle is looked up at the next poll, which also requests its feed")
  func handle() throws {
    serve(ChannelPage(channel: channel.id), at: "/@lamps")
    try sandbox.succeed("import", "--tag", "light", "-", input: "https://www.youtube.com/@lamps\n")
    let polled = try sandbox.poll()
    #expect(polled.checked == 1 && polled.new > 0)
    #expect(try sandbox.run("channels", "--format", "ids").lines == [channel.id])
    #expect(sandbox.events("channelFollowed").last?.contains("\"tags\":[\"light\"]") == true)
    #expect(sandbox.server.requests.first?.headers["cookie"] == "SOCS=CAI")
    _ = try sandbox.poll("--force")
    #expect(requested("/@lamps") == 1)
  }

  @Test("Any one of the four fields of a page is enough", arguments: ChannelPage.Field.allCases)
  func fields(field: ChannelPage.Field) throws {
    var page = ChannelPage(channel: channel.id)
    page.fields = [field]
    serve(page, at: "/c/Lamps")
    try sandbox.succeed("follow", "youtube.com/c/Lamps")
    #expect(try sandbox.succeed("channels", "--resolve").contains("/c/Lamps is \(channel.id)"))
  }

  @Test("A legacy name is resolved by its feed, by its page only if the feed fails")
  func user() throws {
    sandbox.server.serve("lamps", .feed(channel.feed(generation: 0).xml))
    serve(ChannelPage(channel: channel.id), at: "/user/ladders")
    try sandbox.succeed("follow", "youtube.com/user/lamps", "youtube.com/user/ladders")
    let report = try sandbox.succeed("channels", "--resolve")
    #expect(report.contains("/user/lamps is \(channel.id)") && report.contains("/user/ladders is \(channel.id)"))
    #expect(requested("/user/lamps") == 0 && requested("/user/ladders") == 1)
  }

  /// Simulates the Data API with a valid key, for the names in `handles` and `users`.
  private mutating func serveAPI(handles: [String: String] = [:], users: [String: String] = [:]) {
    var api = DataAPI(key: "a-good-key") { _ in nil }
    (api.handles, api.users) = (handles, users)
    sandbox.server.serve(api)
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_KEY"] = "a-good-key"
  }

  @Test("With a key the Data API is used before a page, except for names it does not support")
  mutating func api() throws {
    serveAPI(handles: ["@lamps": channel.id], users: ["ladders": SyntheticChannel(number: 1).id])
    serve(ChannelPage(channel: SyntheticChannel(number: 2).id), at: "/@chairs")
    serve(ChannelPage(channel: SyntheticChannel(number: 3).id), at: "/c/Tables")
    try sandbox.succeed(
      "follow", "--tag", "home", "@lamps", "@chairs", "youtube.com/user/ladders", "youtube.com/c/Tables")
    let report = try sandbox.succeed("channels", "--resolve")
    #expect(report.contains("@lamps is \(channel.id)") && report.ranges(of: " is UC").count == 4)
    #expect(
      requested("/@lamps") + requested("/user/ladders") == 0 && requested("/@chairs") == 1
        && requested("/c/Tables") == 1)
    #expect(sandbox.server.unitsRequested == 3)
    #expect(try sandbox.succeed("channels", "--format", "jsonl").ranges(of: "[\"home\"]").count == 4)
  }

  @Test("A rejected key is reported once, and pages are read instead")
  mutating func badKey() throws {
    serveAPI()
    sandbox.environment["METUBE_RSS_API_KEY"] = "a-bad-key"
    serve(ChannelPage(channel: channel.id), at: "/@lamps")
    serve(ChannelPage(channel: SyntheticChannel(number: 1).id), at: "/@ladders")
    try sandbox.succeed("follow", "@lamps", "@ladders")
    let outcome = try sandbox.run("channels", "--resolve")
    #expect(outcome.status == 0 && outcome.text.contains("@ladders is "))
    #expect(outcome.errors.ranges(of: "rejected METUBE_RSS_API_KEY").count == 1)
    #expect(sandbox.server.unitsRequested == 1 && !outcome.errors.contains("a-bad-key"))
  }

  @Test("A name that leads nowhere is reported, kept, and looked up once a day")
  func missing() throws {
    try sandbox.succeed("follow", "@nobody")
    let first = try sandbox.run("channels", "--resolve")
    #expect(first.status == 1 && first.errors.contains("@nobody: HTTP 404"))
    let again = try sandbox.run("channels", "--resolve")
    #expect(again.status == 1 && again.errors.contains("@nobody: HTTP 404, looked up "))
    _ = try sandbox.poll()
    #expect(requested("/@nobody") == 1)
    let channels = try sandbox.succeed("channels")
    #expect(channels.contains("@nobody: HTTP 404, looked up ") && !channels.contains("by the next poll"))
    #expect(try sandbox.succeed("export", "opml").contains("@nobody"))
  }

  @Test(
    "A page that fails is reported, not held against the name, and retried after 15 minutes or with --force",
    arguments: [500, 503])
  func failing(status: Int) throws {
    sandbox.server.serve("/@lamps", .status(status))
    try sandbox.succeed("follow", "@lamps")
    let outcome = try sandbox.run("channels", "--resolve")
    #expect(outcome.status == 1 && outcome.text == "1 handle not yet looked up\n")
    #expect(outcome.errors.contains("@lamps: HTTP \(status); will retry after 15 minutes"))
    serve(ChannelPage(channel: channel.id), at: "/@lamps")
    #expect(try sandbox.poll().checked == 0)
    #expect(try sandbox.poll("--force").checked == 1)
  }

  @Test(
    "A page that is too large, or a redirect loop, delays no other name, and is requested once a day",
    arguments: [true, false])
  func badPage(isTooLarge: Bool) throws {
    // Not an argument: the body of 5 MiB would be printed as numbers.
    let large = Response.html(String(repeating: "x", count: 5 << 20), status: 200)
    sandbox.server.serve("/@aaa", isTooLarge ? large : .redirect(to: "/@aaa"))
    serve(ChannelPage(channel: channel.id), at: "/@bbb")
    try sandbox.succeed("follow", "@aaa", "@bbb")
    let polled = try sandbox.poll()
    #expect(polled.checked == 1 && polled.reported?.contains("@aaa: ") == true)
    #expect(polled.reported?.contains("will retry after a day") == true)
    sandbox.server.forgetRequests()
    _ = try sandbox.poll("--force")
    #expect(requested("/@aaa") == 0)
  }

  @Test("A 429 ends the lookups, delays the feeds and is not counted against a name")
  func tooMany() throws {
    sandbox.server.serve("/@one", .tooManyRequests(retryAfter: 60))
    try sandbox.succeed("follow", "@one", "@two")
    let outcome = try sandbox.run("channels", "--resolve")
    #expect(outcome.status == 75 && outcome.errors.contains("HTTP 429"))
    #expect(requested("/@two") == 0)
    #expect(try sandbox.run("channels", "--resolve").status == 75)
    #expect(requested("/@one") == 1)
  }

  @Test("A 403 for a name stops the poll, even with force, and the next one waits", arguments: [403, 429])
  func refused(status: Int) throws {
    sandbox.server.serve("/@one", .status(status))
    try sandbox.succeed("follow", "@one", channel.id)
    let polled = try sandbox.poll("--force")
    let reason = status == 403 ? "refused" : "tooMany"
    #expect(polled.exit == 75 && polled.stopped == reason && polled.checked == 0, "\(polled)")
    #expect(polled.pauseReason == reason)
    #expect(try sandbox.poll().exit == 75)
    #expect(sandbox.server.requests.count == 1)
  }

  @Test("A 403 for a name that comes seconds after the start stops the poll too")
  func refusedLate() throws {
    sandbox.server.serve("/@one", .status(403))
    try sandbox.succeed("follow", "@one", channel.id)
    // More than a second, so that the refusal is of a later one.
    sandbox.server.latency = 1100
    #expect(try sandbox.poll("--force").stopped == "refused")
    #expect(sandbox.server.requests.count == 1)
  }

  @Test("A 403 for the only thing followed, a name, ends with 75")
  func refusedAlone() throws {
    sandbox.server.serve("/@one", .status(403))
    try sandbox.succeed("follow", "@one")
    #expect(try sandbox.poll().exit == 75)
  }

  @Test("Undoing an import unfollows the channels its names resolved to, and drops the names")
  func undo() throws {
    serve(ChannelPage(channel: channel.id), at: "/@lamps")
    try sandbox.succeed("follow", "@lamps", "@nobody")
    _ = try sandbox.run("channels", "--resolve")
    try sandbox.succeed("undo", "--yes")
    #expect(try sandbox.run("channels", "--format", "ids").lines.isEmpty)
    #expect(!(try sandbox.succeed("export", "opml").contains("@nobody")))
  }

  @Test("A name can be unfollowed before it is resolved")
  func unfollow() throws {
    try sandbox.succeed("follow", "@lamps")
    #expect(try sandbox.succeed("unfollow", "https://youtube.com/@lamps") == "unfollowed @lamps\n")
    #expect(try sandbox.succeed("channels", "--resolve") == "no handles to look up\n")
  }
}
