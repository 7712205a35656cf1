import Glibc

/// What counts as one client wherever something is limited by address.
package enum AddressBlock {
  /// An IPv4 address itself, also if it is mapped into IPv6 (`::ffff:192.0.2.1`), and of an IPv6 address its /64
  /// (`2001:db8:0:1::/64`): a client with one address there has 2^64. Other text stays as it is.
  package static func containing(_ address: String) -> String {
    // Without the zone of a link-local address: `fe80::1%eth0`.
    let plain = String(address.prefix { $0 != "%" })
    var bytes = in6_addr()
    guard plain.contains(":"), inet_pton(AF_INET6, plain, &bytes) == 1 else { return address }
    let parts = withUnsafeBytes(of: &bytes) { Array($0) }
    if parts[..<10].allSatisfy({ $0 == 0 }), parts[10...11].allSatisfy({ $0 == 0xFF }) {
      return parts[12...].map { String($0) }.joined(separator: ".")
    }
    let groups = stride(from: 0, to: 8, by: 2).map { String(Int(parts[$0]) << 8 | Int(parts[$0 + 1]), radix: 16) }
    return groups.joined(separator: ":") + "::/64"
  }
}
