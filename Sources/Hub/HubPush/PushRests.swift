import Core
import HubStore

/// Until when no request is sent to hubs of WebSub that failed: each of them pauses by itself.
///
/// A hub is a scheme, a host and a port, whatever the path: `https://hub.example:8443`.
package struct PushRests {
  private var byHub: [String: (until: Int64, failures: Int)] = [:]

  package init() {}

  /// The maximum number of hubs that are remembered; feeds may name any number.
  package static let maximum = 1000
  /// The longest pause that a hub can ask for, in seconds.
  private static let longest: Int64 = 86_400

  /// Whether no request is sent to the hub with this URL at a time.
  package func isResting(_ url: String, at now: Int64) -> Bool {
    byHub[PushRests.hub(of: url)].map { $0.until > now } ?? false
  }

  /// Records that a hub responded as it should.
  package mutating func noteAccepted(_ url: String) { byHub[PushRests.hub(of: url)] = nil }

  /// Records that a hub failed, and what it said of when to try again, in seconds; returns for how many it rests.
  package mutating func noteFailure(_ url: String, retryAfter: Int64?, at now: Int64) -> Int64 {
    let hub = PushRests.hub(of: url)
    let failures = (byHub[hub]?.failures ?? 0) + 1
    let wait = min(max(PushSubscription.wait(after: failures), retryAfter ?? 0), PushRests.longest)
    if byHub.count >= PushRests.maximum, byHub[hub] == nil,
      let first = byHub.min(by: { $0.value.until < $1.value.until })
    {
      byHub[first.key] = nil
    }
    byHub[hub] = (now + wait, failures)
    return wait
  }

  /// `https://hub.example:8443` of `https://hub.example:8443/subscribe?a=b`.
  package static func hub(of url: String) -> String {
    let host = url.firstRange(of: "://")?.upperBound ?? url.startIndex
    return url[..<(url[host...].firstIndex { "/?#".contains($0) } ?? url.endIndex)].lowercased()
  }
}
