import Core
import JSON

/// YouTube's oEmbed (https://oembed.com): title and channel name of one video, without a key.
package enum OEmbed {
  /// The path and query of the request about a video.
  package static func target(of video: YouTubeVideoID) -> String {
    "/oembed?format=json&url=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3D\(video)"
  }

  /// The maximum size of a response in bytes; real ones have less than 1 kB.
  package static let maximum = 64 << 10
  /// The maximum length of a title or name in characters; YouTube allows 100.
  private static let longest = 300

  /// Reads a response; nil if it says nothing of a video.
  ///
  /// `{"title":"A title","author_name":"A channel","author_url":"https://www.youtube.com/@handle","type":"video",…}`
  package static func read(_ body: [UInt8], about video: VideoID) -> VideoDescribed? {
    guard body.count <= maximum, let response = JSONValue(body), response["type"]?.string == "video",
      let title = text(response["title"])
    else { return nil }
    var described = VideoDescribed(video: video, title: title, source: VideoDescribed.youTube)
    described.channelTitle = text(response["author_name"])
    if let address = response["author_url"]?.string, case .subscription(let id, _)? = try? ChannelReference(address) {
      described.channel = id.channel
    }
    return described
  }

  /// A text with something to see in it; nil for any other value.
  private static func text(_ value: JSONValue?) -> String? {
    guard let text = value?.string, text.count <= longest, !DisplayText(text).isBlank else { return nil }
    return text
  }
}

/// Per-machine state of what oEmbed was requested for in vain.
package struct OEmbedState: Equatable, Sendable {
  /// When each video without a result was last requested.
  package var tried: [VideoID: Timestamp] = [:]
  /// The end of the pause after a request failed.
  package var rest: Timestamp?

  /// The state before the first request.
  package init() {}

  /// How long until a video that YouTube does not describe is requested again, and how long nothing is requested after a
  /// failure, seconds.
  private static let (again, pause): (Int64, Int64) = (30 * 86_400, 6 * 3600)

  /// Whether requests rest at a moment; a time further away is from before a clock was set back.
  package func isResting(at now: Timestamp) -> Bool {
    rest.map { (1...OEmbedState.longestRest).contains($0.seconds(since: now)) } ?? false
  }

  private static let longestRest: Int64 = 86_400

  /// Whether a video may be requested.
  package func isDue(_ video: VideoID, at now: Timestamp) -> Bool {
    tried[video].map { !(0..<OEmbedState.again).contains(now.seconds(since: $0)) } ?? true
  }

  /// Notes that YouTube does not describe a video; forgets those of long ago.
  package mutating func noteMissing(_ video: VideoID, at now: Timestamp) {
    tried = tried.filter { (0..<OEmbedState.again).contains(now.seconds(since: $0.value)) }
    tried[video] = now
  }

  /// Notes that requests fail, and for how many seconds the server wants none, if it says.
  package mutating func noteFailure(at now: Timestamp, retryAfter seconds: Int64?) {
    rest = now.adding(seconds: min(max(seconds ?? 0, OEmbedState.pause), OEmbedState.longestRest))
  }
}
