/// What holds for every transfer of a fetcher.
package struct FetchSettings: Equatable, Sendable {
  /// The sort of address to connect to.
  package enum IPVersion: Equatable, Sendable {
    case any, v4, v6
  }

  /// `metube-rss/1.0 (+https://…)`
  package let userAgent: String
  /// Transfers at once.
  package var jobs = 4
  /// For the name, the connection and the TLS handshake together.
  package var connectTimeout = Duration.seconds(15)
  /// For one request with its redirects.
  package var totalTimeout = Duration.seconds(60)
  /// A transfer slower than `stallBytesPerSecond` for this long is given up; counted in whole seconds.
  package var stallTime = Duration.seconds(20)
  package var stallBytesPerSecond = 50
  /// The most bytes of headers of one request, those of redirects included.
  package var maxHeaderBytes = 65_536
  /// `http://proxy.example:3128`; nil leaves it to `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` in the
  /// environment, an empty text is no proxy at all.
  package var proxy: String?
  /// A file of PEM certificates to trust besides the system's.
  package var caFile: String?
  package var ipVersion = IPVersion.any
  /// The hosts a redirect may lead to, each with its subdomains; nil is any host.
  package var redirectHosts: [String]?
  /// Whether a redirect may lead to an address that is not public, as it must where the person's own server is at home.
  package var allowsPrivateRedirects = false

  /// The usual settings under this name.
  package init(userAgent: String) { self.userAgent = userAgent }
}
