/// Where redirects may lead, for all transfers of one fetcher.
final class RedirectPolicy {
  /// An address and port to connect to.
  struct Endpoint: Hashable {
    let address: NetworkAddress
    let port: UInt16
  }

  private let hosts: [String]?
  private let allowsPrivate: Bool
  /// The private endpoints connected to without a redirect: the user's own server, or the proxy, which redirects go
  /// through too and which is usually private.
  private var chosen: Set<Endpoint> = []

  init(hosts: [String]?, allowsPrivate: Bool) {
    self.hosts = hosts.map { $0.map { $0.lowercased() } }
    self.allowsPrivate = allowsPrivate
  }

  /// Records an endpoint that a request itself names.
  func noteChosen(_ endpoint: Endpoint) {
    if !endpoint.address.isPublic { chosen.insert(endpoint) }
  }

  /// Whether a redirect may connect to this endpoint.
  func allows(_ endpoint: Endpoint) -> Bool {
    allowsPrivate || endpoint.address.isPublic || chosen.contains(endpoint)
  }

  /// Whether a redirect may lead to this host, a name or an address as in a URL.
  func allows(host: String) -> Bool {
    guard let hosts else { return true }
    let host = host.lowercased()
    return hosts.contains { host == $0 || host.hasSuffix("." + $0) }
  }
}
