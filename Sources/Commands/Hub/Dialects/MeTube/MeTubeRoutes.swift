import Core
import JSON

/// The API of the MeTube app's own server, in its two generations. The app sends no credentials: the path begins with
/// `/k/` and a token, or the hub serves this machine alone and was started with `--metube`.
extension HubRoute {
  package static let meTube = meTube(below: "/k/{secret}") + meTube(below: "") + meTubeBelowSecret

  private static func meTube(below prefix: String) -> [HubRoute] {
    let app = "\(prefix)/api/users/{app}"
    return [
      // The newer generation: channels of everybody, and videos after a number.
      HubRoute(.post, "\(prefix)/api/channels/register", .write, body: .bytes) { try $0.appRegister($1) },
      HubRoute(.post, "\(prefix)/api/videos/query", .read, body: .bytes) { try $0.appVideos($1) },
      // The older one: a list of channels for each installation, and a feed by time.
      HubRoute(.post, "\(app)/channels", .write, body: .bytes) { try $0.appSetChannels($1) },
      HubRoute(.post, "\(app)/reconcile", .write, body: .bytes) { try $0.appReconcile($1) },
      HubRoute(.get, "\(app)/feed", .read) { try $0.appFeed($1) },
    ]
  }

  /// What is shared with other APIs without the prefix: `webAddChannel` and `/health`.
  private static let meTubeBelowSecret: [HubRoute] = [
    HubRoute(.post, "/k/{secret}/api/channels", .read, body: .bytes) { service, _ in try service.appChannels() },
    HubRoute(.get, "/k/{secret}/health", .read) { service, _ in try service.appHealth() },
  ]
}

/// Where a page of the older generation's feed continues: the last video, and the lower bound of the first request.
struct AppCursor: Equatable {
  var since: Timestamp?
  var after: VideoID

  init(since: Timestamp?, after: VideoID) { (self.since, self.after) = (since, after) }

  /// Parses `c692fd3a0.dQw4w9WgXcQ`, or `c.dQw4w9WgXcQ` without a bound; nil if malformed.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].first == "c", let video = VideoID(parts[1]) else { return nil }
    let bound = parts[0].dropFirst()
    guard bound.isEmpty || bound.count <= 12 && Int64(bound, radix: 16) != nil else { return nil }
    self.init(since: Int64(bound, radix: 16).map { Timestamp(seconds: $0) }, after: video)
  }

  /// Letters, digits, `-`, `_` and `.` alone: it stands in URLs as it is.
  var text: String { "c\(since.map { String($0.seconds, radix: 16) } ?? "").\(after)" }
}
