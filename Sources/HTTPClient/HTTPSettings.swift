/// Settings for every transfer of a fetcher.
package struct HTTPSettings: Equatable, Sendable {
  /// The IP version to connect with.
  package enum IPVersion: Equatable, Sendable {
    case any, v4, v6
  }

  /// `metube-rss/1.0 (+https://…)`
  package let userAgent: String
  /// Maximum number of simultaneous transfers.
  package var jobs = 4
  /// For DNS, the connection and the TLS handshake together.
  package var connectTimeout = Duration.seconds(15)
  /// For one request, including its redirects.
  package var totalTimeout = Duration.seconds(60)
  /// A transfer slower than `stallBytesPerSecond` for this long is cancelled; in whole seconds.
  package var stallTime = Duration.seconds(20)
  package var stallBytesPerSecond = 50
  /// Maximum size of the headers of one request, including those of redirects, in bytes.
  package var maxHeaderBytes = 65_536
  /// `http://proxy.example:3128`; nil uses `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` from the
  /// environment, an empty string disables the proxy.
  package var proxy: String?
  /// A file of PEM certificates to trust in addition to the system's.
  package var caFile: String?
  package var ipVersion = IPVersion.any
  /// The hosts a redirect may lead to, including their subdomains; nil is any host.
  package var redirectHosts: [String]?
  /// Whether a redirect may lead to another port of an address that is not public and that a request names, as needed
  /// if the user's own server on a home network redirects to HTTPS.
  package var allowsOtherPorts = false

  /// The default settings with this user agent.
  package init(userAgent: String) { self.userAgent = userAgent }
}

extension Duration {
  /// The duration in milliseconds, rounded up; at most `Int32.max`.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < Int64(Int32.max) / 1000 else { return Int(Int32.max) }
    return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
