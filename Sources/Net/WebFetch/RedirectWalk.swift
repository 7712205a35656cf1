import Core
import HTTPClient

/// Follows the redirects of one request, as a state machine: it says what to transfer, and takes the outcome.
///
/// Each hop is a request of its own, checked by the rules as the first is. libcurl's own redirects would hide which of them
/// are permanent, and would go from https to http or not at all.
package struct RedirectWalk: Sendable {
  /// What to do next.
  package enum Step: Equatable, Sendable {
    case transfer(HTTPRequest)
    case finished(WebOutcome)
  }

  private let request: WebRequest
  /// The URL of the current hop; with credentials only if they may be sent there.
  private var url: WebURL
  private var hops: [WebResponse.Hop] = []
  private var elapsed = Duration.zero
  private var bytes = 0
  /// The rules for the current hop.
  private var rules: AddressRules

  package init(_ request: WebRequest) { (self.request, url, rules) = (request, request.url, request.rules) }

  /// The first step.
  package mutating func start() -> Step { transfer() }

  /// The step after the transfer ended.
  package mutating func take(_ outcome: HTTPOutcome) -> Step {
    elapsed += outcome.elapsed
    bytes += outcome.bytes
    switch outcome.result {
    case .failure(let failure): return finished(.failure(.transfer(failure, at: url)))
    case .success(let response) where RedirectWalk.redirects.contains(response.status): return follow(response)
    case .success(let response): return finished(.success(whole(response)))
    }
  }

  /// The outcome of a request that is given up.
  func abandoned() -> WebOutcome {
    WebOutcome(
      tag: request.tag, result: .failure(.transfer(.aborted, at: url)), elapsed: elapsed, bytes: bytes)
  }

  private static let redirects: Set<Int> = [301, 302, 303, 307, 308]

  private func transfer() -> Step {
    guard rules.allows(port: UInt16(url.port ?? (url.isSecure ? 443 : 80))) else {
      return finished(.failure(.forbiddenPort(url)))
    }
    let left = WebLimits.timeout - elapsed
    guard left > .zero else { return finished(.failure(.transfer(.timedOut(.queued), at: url))) }
    var next = HTTPRequest(tag: request.tag, url: url.requestText, maxBodyBytes: WebLimits.body)
    next.followsRedirects = false
    (next.rules, next.timeout) = (rules, left)
    (next.etag, next.lastModified) = (request.etag, request.lastModified)
    if let accept = request.accept { next.headers.append("Accept: \(accept)") }
    if let credentials = url.basicCredentials { next.headers.append("Authorization: Basic \(credentials)") }
    return .transfer(next)
  }

  private mutating func follow(_ response: HTTPResponse) -> Step {
    guard hops.count < WebLimits.redirects else {
      return finished(.failure(.tooManyRedirects(limit: WebLimits.redirects)))
    }
    guard let target = response.location.flatMap({ WebURL($0, relativeTo: url) }) else {
      return finished(.failure(.badRedirect(response.location)))
    }
    guard target.isSecure || !url.isSecure else { return finished(.failure(.downgrade(to: target.withoutCredentials))) }
    // What is on the internet does not lead into a private network, though the user may.
    if response.scope != .privateNetwork { rules = AddressRules(allowsPrivateNetworks: false) }
    hops.append(WebResponse.Hop(url: url.withoutCredentials, status: response.status))
    url = target.withCredentials(of: request.url)
    return transfer()
  }

  private func whole(_ response: HTTPResponse) -> WebResponse {
    let lasting = hops.prefix(while: \.isPermanent).count
    let permanent = lasting == 0 ? nil : lasting == hops.count ? url : hops[lasting].url
    return WebResponse(
      response: response, url: url, hops: hops, permanentURL: permanent?.withCredentials(of: request.url))
  }

  private func finished(_ result: Result<WebResponse, WebFailure>) -> Step {
    .finished(WebOutcome(tag: request.tag, result: result, elapsed: elapsed, bytes: bytes))
  }
}

extension WebURL {
  /// The URL with the user name and password of another one if that is of the same server, else with none: what a server
  /// writes into a redirect is not sent to anybody.
  fileprivate func withCredentials(of other: WebURL) -> WebURL {
    let isSame = host == other.host && port == other.port && (isSecure || !other.isSecure)
    guard isSame, let user = other.userInfo else { return withoutCredentials }
    let rest = withoutCredentials.text.dropFirst(scheme.utf8.count + 3)
    return WebURL("\(scheme)://\(user)@\(rest)") ?? withoutCredentials
  }

  /// `dXNlcjpwYXNz`, of `user:pass` (RFC 7617); nil without a user name.
  fileprivate var basicCredentials: String? {
    guard let userInfo else { return nil }
    let sides = userInfo.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let user = String(percentDecoding: sides[0].utf8)
    let password = sides.count > 1 ? String(percentDecoding: sides[1].utf8) : ""
    return Base64.encoded(Array("\(user):\(password)".utf8))
  }
}

/// Base64 (RFC 4648 §4).
enum Base64 {
  /// The bytes as text, padded.
  static func encoded(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0..<4 {
        text.append(index <= group.count ? letters[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
