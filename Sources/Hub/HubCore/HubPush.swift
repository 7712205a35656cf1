import App
import Core
import Glibc
import HTTPClient
import Messages
import Platform

/// What the server's WebSub subscriber needs from the log, the polling state and the network.
package enum HubPush {
  /// A followed channel.
  package struct Target: Sendable {
    package var channel: String
    /// Where to subscribe; nil if its feed names no permitted hub.
    package var source: PushSource?
    /// When its feed was requested last, seconds; nil if never.
    package var requested: Int64?
  }

  /// How a hub responded.
  package enum Response: Equatable, Sendable {
    /// 2xx: it will verify the request.
    case accepted
    /// It rejects this request: another 4xx.
    case refused(Int)
    /// It is unavailable, or limits requests; with the seconds of Retry-After.
    case failed(String, retryAfter: Int64?)
  }
}

/// What a subscriber of WebSub does by the terminal's settings.
package struct PushClient: Sendable {
  private let settings: Settings

  package init(_ settings: Settings) { self.settings = settings }

  /// Where to subscribe to a channel: where its feed says, if requests may go there; nil if there is nothing to try.
  package func source(of channel: ChannelID, named: PushSource?) throws -> PushSource? {
    if let named, try named.isSafe(feedsURL: settings.feedsURL()) { return named }
    return settings["FEEDS_URL"] == nil ? .youTube(channel) : nil
  }

  /// Sends a request to a hub. Redirects with 307 and 308 repeat it.
  package func send(_ form: [(name: String, value: String)], toHub hub: String) throws -> HubPush.Response {
    var connection = try HTTPSettings(settings, jobs: 1)
    // Only redirects of feeds must stay on YouTube's hosts.
    connection.redirectHosts = nil
    connection.allowsPrivateAddresses = try PushSource.isSameHost(hub, settings.feedsURL()) || hasProxy(connection)
    let body = form.map { "\($0.name)=\($0.value.percentEncoded(keeping: ""))" }.joined(separator: "&")
    var request = HTTPRequest(tag: 0, url: hub, maxBodyBytes: PushClient.maxHubBytes)
    request.method = .post(body)
    var (isSent, result): (Bool, Result<HTTPResponse, HTTPFailure>?) = (false, nil)
    let interrupt = Interrupt()
    do {
      let http = try HTTPSession(connection)
      try http.run(
        wakeDescriptor: interrupt.descriptor, isAborted: { interrupt.isSignalled() },
        next: {
          defer { isSent = true }
          return isSent ? .done : .request(request)
        }, finished: { result = $0.result })
    } catch { throw UserMessages.failure(error) }
    switch result {
    case .success(let response) where (200..<300).contains(response.status): return .accepted
    case .success(let response) where (400..<500).contains(response.status) && response.status != 429:
      return .refused(response.status)
    case .success(let response):
      return .failed("HTTP \(response.status)", retryAfter: response.retryAfter.map { $0.seconds(at: Clock.now()) })
    case .failure(let failure): return .failed(UserMessages.fetch(failure), retryAfter: nil)
    case nil: return .failed("interrupted", retryAfter: nil)
    }
  }

  private static let maxHubBytes = 65_536

  /// Whether a proxy, which is usually at a private address, may be in use.
  private func hasProxy(_ connection: HTTPSettings) -> Bool {
    if let proxy = connection.proxy { return !proxy.isEmpty }
    return Environment.variables().contains { name, value in
      ["http_proxy", "https_proxy", "all_proxy"].contains(name.lowercased()) && !value.isEmpty
    }
  }
}

extension HubService {
  /// The followed channels, whose news a hub may announce.
  package func pushTargets() throws -> [HubPush.Target] {
    try refresh()
    let memory = try session.pollState()
    let client = PushClient(session.settings)
    return try session.state.followed.compactMap { channel in
      guard let id = channel.id.channel else { return nil }
      let known = memory.feeds[channel.id]
      return HubPush.Target(
        channel: id.description, source: try client.source(of: id, named: known?.push),
        requested: known?.requested?.seconds)
    }
  }

  /// Stores until when, in seconds, each channel's news is announced, if that has changed.
  package func setPushed(_ pushed: [String: Int64]) throws {
    let wanted = Dictionary(
      pushed.compactMap { id, until in SubscriptionID(id).map { ($0, Timestamp(seconds: until)) } }
    ) { $1 }
    let file = PushedFeeds(session.home)
    if file.read() != wanted { try file.write(wanted) }
  }

  /// Removes what `setPushed` stored, for a server that receives no pushes.
  package static func forgetPushed(_ files: HubFiles) throws { unlink(PushedFeeds.path(in: try files.home(of: nil))) }
}
