import FixtureServer
import Glibc
import TestSupport
import Testing

@Suite("Pictures and counts of channels from the Data API")
struct ChannelEnrichTests {
  private let sandbox: Sandbox
  private static let avatar = "https://yt3.ggpht.com/ytc/abc=s88-c-k-c0x00ffffff-no-rj"

  init() throws {
    sandbox = try Sandbox()
    sandbox.environment["METUBE_RSS_API_URL"] = sandbox.server.baseURL
    sandbox.environment["METUBE_RSS_API_KEY"] = EnrichTests.key
    serve { _ in DataAPI.Channel(avatar: ChannelEnrichTests.avatar, subscribers: 1_230_000, videos: 212) }
  }

  private func serve(_ channel: @escaping @Sendable (String) -> DataAPI.Channel?) {
    var api = DataAPI(key: EnrichTests.key) { _ in DataAPI.Video(duration: "PT4M13S") }
    api.channel = channel
    sandbox.server.serve(api)
  }

  private var channelRequests: Int { sandbox.server.requests.count { $0.path == "/youtube/v3/channels" } }

  @Test("50 channels cost a unit, once in 30 days; videos come first, and the poll's end does the same")
  func units() throws {
    try sandbox.follow(120)
    _ = try sandbox.poll("--jobs", "16")
    #expect(channelRequests == 3 && sandbox.server.unitsRequested == 36 + 3)
    #expect(sandbox.events("channelEnriched").count == 120)
    let again = try sandbox.succeed("enrich")
    #expect(again == "0 videos looked up, 0 updated; 0 units used, 4961 left today\n")
    // The log tells another device, which has no state of its own yet.
    unlink("\(sandbox.folder.path)/state/api")
    #expect(try sandbox.succeed("enrich").hasPrefix("0 videos looked up, 0 updated; 0 units used"))
    let kinds = sandbox.log.filter { $0.contains("Enriched\"") }.map { $0.contains("videoEnriched") }
    #expect(kinds == kinds.filter(\.self) + kinds.filter { !$0 })
    #expect(try sandbox.succeed("channels", "--format", "csv").contains(",\(ChannelEnrichTests.avatar),1230000,212\n"))
    let json = try sandbox.succeed("channels", "--format", "jsonl")
    #expect(json.contains(#","avatarURL":"\#(ChannelEnrichTests.avatar)","subscribers":1230000,"videoCount":212}"#))
    #expect(try sandbox.succeed("channels").contains("1.23M"))
    try sandbox.succeed("log", "verify")
  }

  @Test("A hidden count, a hostile picture and a deleted channel leave out only themselves")
  func partial() throws {
    let channels = try sandbox.follow(3)
    serve { id in
      switch id {
      case channels[0].id: DataAPI.Channel(avatar: ChannelEnrichTests.avatar, subscribers: nil, videos: 7)
      case channels[1].id: DataAPI.Channel(avatar: "https://169.254.169.254/x", subscribers: 842, videos: 1)
      default: nil
      }
    }
    let reported = try sandbox.succeed("enrich")
    #expect(reported == "0 videos looked up, 0 updated; 3 channels looked up; 1 unit used, 4999 left today\n")
    let lines = sandbox.events("channelEnriched").joined()
    #expect(sandbox.events("channelEnriched").count == 2 && !lines.contains("169.254"))
    #expect(lines.contains(#""avatar":"\#(ChannelEnrichTests.avatar)","videos":7"#))
    #expect(lines.contains(#""subscribers":842,"videos":1"#) && !lines.contains(channels[2].id))
    #expect(try sandbox.succeed("enrich").contains("; 0 units used"))
    #expect(try sandbox.succeed("channels").split(separator: "\n").count { $0.contains("842") } == 1)
  }

  @Test("status says how many channels are to be looked up, until they were")
  func status() throws {
    try sandbox.follow(2)
    #expect(try sandbox.succeed("status").contains("\nData API: 0 of 5000 units used today; 2 channels to look up\n"))
    #expect(try sandbox.succeed("status", "--format", "json").contains(",\"apiChannelsDue\":2,"))
    try sandbox.succeed("enrich")
    #expect(try sandbox.succeed("status").contains("\nData API: 1 of 5000 units used today\n"))
    sandbox.environment["METUBE_RSS_API_KEY"] = nil
    #expect(try sandbox.succeed("status", "--format", "json").contains(",\"apiChannelsDue\":null,"))
  }

  @Test("A server error is repeated; a lasting failure keeps the videos that came before")
  func failures() throws {
    try sandbox.follow(threeVideos)
    let api = sandbox.events("channelEnriched").count
    #expect(api == 1, "the poll looked it up")
    let channels = SyntheticChannel.first(4)
    try sandbox.succeed("import", "-", input: channels.map { $0.id + "\n" }.joined())
    sandbox.server.forgetRequests()
    sandbox.server.fail(.status(503), on: .all, times: .first(2))
    #expect(try sandbox.succeed("enrich").contains("3 channels looked up; 3 units used"))
    #expect(channelRequests == 3)
    try sandbox.succeed("import", "-", input: SyntheticChannel.first(6).map { $0.id + "\n" }.joined())
    sandbox.server.fail(.response(DataAPI.badKey), on: .all, times: .always)
    let outcome = try sandbox.run("enrich")
    #expect(outcome.status == 69 && outcome.errors.contains("API_KEY_INVALID"), "\(outcome.errors)")
    #expect(outcome.text.hasPrefix("0 videos looked up, 0 updated; 1 unit used"))
    #expect(sandbox.events("channelEnriched").count == 4)
  }

  @Test("The day's budget ends it")
  func budget() throws {
    try sandbox.follow(120)
    sandbox.environment["METUBE_RSS_API_BUDGET"] = "2"
    let outcome = try sandbox.run("enrich")
    #expect(outcome.status == 75 && outcome.errors.contains("today's budget of 2 units is used up"))
    #expect(outcome.text.contains("100 channels looked up; 2 units used, 0 left"))
    #expect(sandbox.events("channelEnriched").count == 100)
  }
}
