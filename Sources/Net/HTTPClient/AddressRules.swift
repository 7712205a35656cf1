import Glibc

/// Which addresses and ports may be connected to for somebody else: for a URL that a user typed, or a page contained.
///
/// It knows nothing of what is transferred. It is checked when a connection is made and again when one is used, with the
/// address itself, so that neither a name that resolves to another address the next time nor a kept connection evades it.
package struct AddressRules: Hashable, Sendable {
  /// Whether this machine and private networks are allowed too, on any port, and a proxy may be used. False where a user
  /// could reach what is not theirs.
  package let allowsPrivateNetworks: Bool

  package init(allowsPrivateNetworks: Bool) { self.allowsPrivateNetworks = allowsPrivateNetworks }

  /// The ports of http and https.
  private static let webPorts: Set<UInt16> = [80, 443]

  /// Whether a port may be connected to.
  package func allows(port: UInt16) -> Bool { allowsPrivateNetworks || AddressRules.webPorts.contains(port) }

  /// Whether addresses of this scope may be connected to.
  package func allows(_ scope: AddressScope) -> Bool {
    switch scope {
    case .global: true
    case .privateNetwork: allowsPrivateNetworks
    case .special: false
    }
  }

  /// Whether an address and port may be connected to.
  func allows(_ endpoint: RedirectPolicy.Endpoint) -> Bool {
    allows(endpoint.address.scope) && allows(port: endpoint.port)
  }
}

/// How far an address reaches.
package enum AddressScope: Equatable, Sendable {
  /// The internet.
  case global
  /// This machine or a private network: loopback, RFC 1918, shared (carrier-grade NAT), unique local.
  case privateNetwork
  /// Nothing that serves anybody: link-local, where clouds keep secrets of a machine, multicast, documentation, reserved,
  /// and private addresses embedded in those of a translation.
  case special
}

extension NetworkAddress {
  /// How far the address reaches.
  var scope: AddressScope {
    if isPublic { return .global }
    let bytes = mapped ?? bytes
    let isPrivate =
      switch bytes.count {
      case 4: NetworkAddress.isPrivate4(bytes)
      case 16: bytes[0] & 0xfe == 0xfc || bytes == NetworkAddress.loopback6
      default: false
      }
    return isPrivate ? .privateNetwork : .special
  }

  /// The IPv4 address that an IPv6 socket shows as `::ffff:192.0.2.1`; nil if it is another one.
  private var mapped: [UInt8]? {
    let prefix: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
    return bytes.count == 16 && bytes.starts(with: prefix) ? Array(bytes[12...]) : nil
  }

  private static let loopback6: [UInt8] = Array(repeating: 0, count: 15) + [1]

  private static func isPrivate4(_ bytes: [UInt8]) -> Bool {
    switch (bytes[0], bytes[1]) {
    case (10, _), (127, _), (172, 16...31), (192, 168), (100, 64...127): true
    default: false
    }
  }

  /// Parses `192.0.2.1` or `2001:db8::1`, with or without a zone (inet_pton); nil if it is neither.
  init?(_ text: String) {
    let text = String(text.prefix { $0 != "%" })
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 {
      self.init(bytes: Array(bytes.prefix(4)))
    } else if inet_pton(AF_INET6, text, &bytes) == 1 {
      self.init(bytes: bytes)
    } else {
      return nil
    }
  }
}
