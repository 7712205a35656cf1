// The MeTube app's own network code against metube-hub; see judge-app.sh, which compiles it beside the app's two files.
// `judge-app URL COMMAND [ARGUMENT…]`; lines on standard output.
import Foundation

// What the app's files need of its logger.
enum LogCategory { case feed }
enum LogLevel { case info, warning, error, success }
func appLog(_ message: String, category: LogCategory, level: LogLevel, context: [String: Any] = [:]) {}

@main
struct App {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard words.count >= 2, let url = URL(string: words[0]) else { exit(64) }
    let (newer, older) = (MeTubeAPIService(baseURL: url), HubServerService(baseURL: words[0]))
    func word(_ place: Int) -> String { words.count > place ? words[place] : "" }
    switch words[1] {
    case "channels":
      for channel in try await newer.fetchAllChannels() { print(channel.channelId, channel.title ?? "-") }
    case "query":
      // As the app does it: 500 at a time, until fewer come.
      var after = Int(word(2)) ?? 0
      while true {
        let page = try await newer.queryVideos(afterSeq: after, limit: MeTubeAPIConfig.defaultVideoLimit)
        for video in page.videos { print(video.seq, video.videoId, video.channelId, video.durationSeconds ?? -1) }
        after = page.maxSeqReturned
        if page.videos.count < MeTubeAPIConfig.defaultVideoLimit { break }
      }
      print("last", after)
    case "health":
      let stats = try await older.checkHealth().stats
      print(stats.channels, stats.videos)
    case "register":
      let ids = (readLine(strippingNewline: true) ?? "").split(separator: " ").map(String.init)
      try await older.registerChannels(userId: word(2), channelIds: ids)
    case "reconcile":
      print(try await older.reconcileChannels(userId: word(2)))
    case "feed":
      var cursor: String?
      repeat {
        let page = try await older.fetchFeed(
          userId: word(2), since: Int(word(4)).map { Date(timeIntervalSince1970: TimeInterval($0)) }, cursor: cursor,
          limit: Int(word(3)) ?? 50)
        for video in page.videos { print(video.videoId, Int(video.publishedAt.timeIntervalSince1970)) }
        cursor = page.nextCursor
      } while cursor != nil
    default: exit(64)
    }
  }
}
