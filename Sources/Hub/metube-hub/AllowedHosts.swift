import HTTPTypes
import NIOCore

/// The names under which the hub is addressed. Others are refused: a page of another site may let its own name point to
/// this machine (DNS rebinding).
struct AllowedHosts: Sendable {
  private let publicAuthority: String?

  /// Whether any IP address is accepted: no name of another site is one.
  private let takesAddresses: Bool

  init(_ publicURL: PublicURL?, takesAddresses: Bool) {
    (publicAuthority, self.takesAddresses) = (publicURL?.authority, takesAddresses)
  }

  /// Whether a request names one host, whichever.
  static func isNamedOnce(_ request: HTTPRequest) -> Bool {
    request.authority != nil && request.headerFields[HTTPField.Name.host] == nil
  }

  /// Whether a request names one of them, once.
  func allow(_ request: HTTPRequest) -> Bool {
    guard AllowedHosts.isNamedOnce(request), let authority = request.authority?.lowercased() else { return false }
    if authority == publicAuthority { return true }
    var name = authority[...]
    if let colon = name.lastIndex(of: ":"), !name.hasSuffix("]") {
      guard let port = Int(name[colon...].dropFirst()), (1...65_535).contains(port) else { return false }
      name = name[..<colon]
    }
    if ["localhost", "127.0.0.1", "[::1]"].contains(name) { return true }
    guard takesAddresses else { return false }
    if name.hasPrefix("["), name.hasSuffix("]") { name = name.dropFirst().dropLast() }
    return (try? SocketAddress(ipAddress: String(name), port: 0)) != nil
  }
}

extension HTTPField.Name {
  /// A second `Host` line; the first is the authority.
  fileprivate static let host = HTTPField.Name("host") ?? .accept
}

/// Whether a request that changes something comes from a page of the hub itself or from a program, never from a page of
/// another site, which browsers let send requests too.
enum RequestOrigin {
  static func isOwn(_ request: HTTPRequest) -> Bool {
    let fields = request.headerFields
    // Browsers send it to loopback and over TLS, also where a form's origin is withheld; a page cannot set it.
    if let site = fields[site] { return site == "same-origin" || site == "none" }
    guard let origin = fields[.origin] else { return true }
    let parts = origin.lowercased().split(separator: "://", maxSplits: 1)
    return parts.count == 2 && parts[1] == (request.authority ?? "").lowercased()
  }

  private static let site = HTTPField.Name("Sec-Fetch-Site") ?? .origin
}
