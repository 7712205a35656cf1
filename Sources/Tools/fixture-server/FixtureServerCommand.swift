import ArgumentParser
import FixtureServer
import Glibc

/// `fixture-server`: simulates YouTube for the demo and the benchmarks.
@main
struct FixtureServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fixture-server",
    abstract: "Serve feeds on 127.0.0.1 as YouTube does.",
    discussion: """
      GET /feeds/videos.xml?channel_id=ID returns FOLDER/ID.xml, read at each request, or the feed of a synthetic \
      channel. GET /__generation?n=G switches the synthetic channels to generation G: every view count changes, and \
      from 2 on one channel in a hundred has a new video. With --api it also serves a Data API with the key \
      fixture-key, in which every video lasts 4:13, was viewed 12,345 times, and every channel has \
      1,230,000 subscribers, and a search finds what is served; and Google's login for the client fixture-client with the secret \
      fixture-secret, whose account follows the synthetic channels.
      """)

  @Argument(help: "The folder of feeds, each named ID.xml.")
  var folder: String?

  @Option(help: "Serve this file at /web/NAME, as a feed of another site; may be given several times.")
  var web: [String] = []

  @Option(help: "Serve this many synthetic channels.")
  var generate: Int?

  @Option(help: "The first generation of the synthetic channels.")
  var generation = 0

  @Option(help: "Print the IDs of this many synthetic channels, one per line, and exit.")
  var listIds: Int?

  @Option(help: "Print this many synthetic channels as Google Takeout's subscriptions.csv, and exit.")
  var listCSV: Int?

  @Option(help: "The port to listen on; 0 picks any free port.")
  var port: UInt16 = 0

  @Option(help: "Write the port to this file once the server is ready.")
  var portFile: String?

  @Option(help: "Delay before each response, milliseconds.")
  var latency: Int32 = 0

  @Flag(help: "Send ETags, and 304 to clients that have the current one.")
  var etags = false

  @Option(
    help: .init(
      "Make shares of the channels fail, in percent: 404=5,500=3,hang=1.",
      discussion: "A status, or one of \(FaultShares.names.joined(separator: ", "))."))
  var faults: FaultShares?

  @Flag(help: "Also serve a Data API and a Google login.")
  var api = false

  @Option(help: "Exit after this many seconds.")
  var exitAfter: UInt32 = 3600

  func validate() throws {
    guard [folder != nil, generate != nil, listIds != nil, listCSV != nil].count(where: { $0 }) == 1 else {
      throw ValidationError("Give exactly one of FOLDER, --generate, --list-ids and --list-csv.")
    }
    guard [generate, listIds, listCSV].allSatisfy({ $0 ?? 0 >= 0 }), generation >= 0, latency >= 0 else {
      throw ValidationError("Numbers must not be negative.")
    }
  }

  func run() throws {
    if let count = listIds {
      for channel in SyntheticChannel.first(count) { print(channel.id) }
    } else if let count = listCSV {
      print("Channel Id,Channel Url,Channel Title")
      for channel in SyntheticChannel.first(count) {
        print("\(channel.id),http://www.youtube.com/channel/\(channel.id),\(channel.title)")
      }
    } else {
      try serve()
    }
  }

  private func serve() throws {
    let server = try FixtureServer.start(port: port)
    defer { server.stop() }
    server.latency = latency
    server.sendsETags = etags
    faults?.shares.forEach { server.fail($0.fault, on: $0.scope, times: .always) }
    if let folder { server.serveFeeds(in: folder) }
    for path in web { server.serveWebFeed(path) }
    if let generate { server.serveSynthetic(SyntheticChannel.first(generate), generation: generation) }
    if api {
      let login = GoogleLogin(client: "fixture-client", secret: "fixture-secret")
      server.serve(login)
      var video = DataAPI.Video(duration: "PT4M13S")
      video.views = 12_345
      var data = DataAPI(key: "fixture-key") { [video] _ in video }
      data.channel = { id in
        DataAPI.Channel(
          avatar: "https://yt3.ggpht.com/ytc/\(id)=s88-c-k-c0x00ffffff-no-rj", subscribers: 1_230_000, videos: 212)
      }
      data.subscriptions = SyntheticChannel.first(generate ?? 0).map { .init(channel: $0.id, title: $0.title) }
      data.searched = searched
      data.isValid = { login.isValid($0) }
      server.serve(data)
    }
    if let portFile { try write("\(server.port)\n", to: portFile) }
    print("listening on \(server.baseURL)")
    fflush(nil)  // a pipe would buffer the line until exit
    sleep(exitAfter)
  }
}

extension FixtureServerCommand {
  /// What the Data API's search finds: the synthetic channels and their videos, or those of the folder's feeds.
  private var searched: [DataAPI.Searched] {
    var found: [DataAPI.Searched] = []
    for channel in SyntheticChannel.first(generate ?? 0) {
      found.append(.init(video: nil, channel: channel.id, channelTitle: channel.title, title: channel.title))
      found += channel.feed(generation: 0).entries.map {
        .init(video: $0.video, channel: channel.id, channelTitle: channel.title, title: $0.title)
      }
    }
    return found + (folder.map { DataAPI.searched(in: $0) } ?? [])
  }
}

extension FaultShares: ExpressibleByArgument {
  /// Parses the option's value; see `FaultShares.init(_:)`.
  public init?(argument: String) { self.init(argument) }
}

/// Writes a file under a temporary name and renames it, so that readers never see half of it. `rename`.
private func write(_ text: String, to path: String) throws {
  guard let file = fopen("\(path).part", "w") else { throw ValidationError("Cannot write \(path).") }
  let isWritten = fputs(text, file) >= 0
  guard fclose(file) == 0, isWritten, rename("\(path).part", path) == 0 else {
    throw ValidationError("Cannot write \(path).")
  }
}
