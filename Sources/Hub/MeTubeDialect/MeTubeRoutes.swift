import Core
import HubCore
import HubReaders
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
