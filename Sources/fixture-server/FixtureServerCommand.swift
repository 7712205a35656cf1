import ArgumentParser
import FixtureServer
import Glibc

/// `fixture-server`: YouTube's stand-in for the demo and the benchmarks.
@main
struct FixtureServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fixture-server",
    abstract: "Serves feeds on 127.0.0.1 as YouTube does.",
    discussion: """
      GET /feeds/videos.xml?channel_id=ID is answered with FOLDER/ID.xml, read at each request, or with the feed of a \
      synthetic channel. GET /__generation?n=G moves the synthetic channels on to generation G: every count of views \
      has moved, and from 2 on one channel in a hundred has a new video.
      """)

  @Argument(help: "Where the feeds lie, each as ID.xml.")
  var folder: String?

  @Option(help: "Serve so many synthetic channels.")
  var generate: Int?

  @Option(help: "The generation of the synthetic channels to begin with.")
  var generation = 0

  @Option(help: "Print the ids of so many synthetic channels, one a line, and end.")
  var listIds: Int?

  @Option(help: "Print so many synthetic channels as Google Takeout's subscriptions.csv, and end.")
  var listCSV: Int?

  @Option(help: "The port; 0 is any free one.")
  var port: UInt16 = 0

  @Option(help: "Write the port to this file once requests are answered.")
  var portFile: String?

  @Option(help: "Milliseconds before each answer.")
  var latency: Int32 = 0

  @Flag(help: "Send ETags, and 304 to who has them.")
  var etags = false

  @Option(
    help: .init(
      "Let shares of the channels fail, in percent: 404=5,500=3,hang=1.",
      discussion: "A status, or one of \(FaultShares.names.joined(separator: ", "))."))
  var faults: FaultShares?

  @Option(help: "Stop after so many seconds.")
  var exitAfter: UInt32 = 3600

  func validate() throws {
    guard [folder != nil, generate != nil, listIds != nil, listCSV != nil].count(where: { $0 }) == 1 else {
      throw ValidationError("Say one of FOLDER, --generate, --list-ids and --list-csv.")
    }
    guard [generate, listIds, listCSV].allSatisfy({ $0 ?? 0 >= 0 }), generation >= 0, latency >= 0 else {
      throw ValidationError("A number is below 0.")
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
    if let generate { server.serveSynthetic(SyntheticChannel.first(generate), generation: generation) }
    if let portFile { try write("\(server.port)\n", to: portFile) }
    print("listening on \(server.baseURL)")
    fflush(nil)  // whoever waits for the line reads it through a pipe
    sleep(exitAfter)
  }
}

extension FaultShares: ExpressibleByArgument {
  /// The shares an argument says; see `FaultShares.init(_:)`.
  public init?(argument: String) { self.init(argument) }
}

/// Writes a whole file under another name and renames it, so that nobody reads half of it. `rename`.
private func write(_ text: String, to path: String) throws {
  guard let file = fopen("\(path).part", "w") else { throw ValidationError("\(path) cannot be written.") }
  let isWritten = fputs(text, file) >= 0
  guard fclose(file) == 0, isWritten, rename("\(path).part", path) == 0 else {
    throw ValidationError("\(path) cannot be written.")
  }
}
