import App
import Core
import HTTPClient
import Messages
import Platform
import YouTube

/// A request to YouTube's oEmbed about one video.
package struct OEmbedRequest {
  private let feedsURL: String
  private let interrupt = Interrupt()

  /// A request as the settings of a session say.
  package init(_ settings: Settings) throws { feedsURL = try settings.feedsURL() }

  /// What became of it.
  package enum Outcome {
    case described(VideoDescribed)
    /// YouTube describes no such video: it is private, removed, or not to be embedded; or the response is of no use.
    case missing
    /// It failed, and others would; the server may say for how many seconds to send none.
    case failed(retryAfter: Int64?)
    /// The user or the deadline ended it.
    case ended
  }

  /// Sends the request, until `deadline` on the monotonic clock. Throws if libcurl as a whole fails.
  package func send(about id: VideoID, with fetcher: HTTPSession, until deadline: Int?) throws -> Outcome {
    guard let video = id.youTube else { return .missing }
    var request = HTTPRequest(tag: 0, url: feedsURL + OEmbed.target(of: video), maxBodyBytes: OEmbed.maximum)
    request.headers = ["Accept: application/json"]
    switch try fetcher.result(of: request, interrupt, until: deadline) {
    case .failure(.aborted): return .ended
    case .failure(let failure): return failure.hasResponse ? .missing : .failed(retryAfter: nil)
    case .success(let response):
      if response.status == 200, let described = OEmbed.read(response.body, about: id) { return .described(described) }
      guard response.status == 429 || response.status >= 500 else { return .missing }
      return .failed(retryAfter: response.retryAfter.map { $0.seconds(at: Clock.now()) })
    }
  }
}
