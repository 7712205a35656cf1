/// Where redirects may lead, for all transfers of one fetcher.
final class RedirectPolicy {
  /// An address and port to connect to.
  struct Endpoint: Hashable {
    let address: NetworkAddress
    let port: UInt16
  }

  private let hosts: [String]?
  private let allowsOtherPorts: Bool
  /// The private endpoints connected to without a redirect: the user's own server, or the proxy, which redirects go
  /// through too and which is usually private.
  private var chosen: Set<Endpoint> = []

  /// `allowsOtherPorts` is whether redirects may lead to other ports of the private addresses that requests name.
  init(hosts: [String]?, allowsOtherPorts: Bool) {
    self.hosts = hosts.map { $0.map { $0.lowercased() } }
    self.allowsOtherPorts = allowsOtherPorts
  }

  /// Records an endpoint that a request itself names.
  func noteChosen(_ endpoint: Endpoint) {
    if !endpoint.address.isPublic { chosen.insert(endpoint) }
  }

  /// Whether a redirect may connect to this endpoint.
  func allows(_ endpoint: Endpoint) -> Bool {
    endpoint.address.isPublic || chosen.contains(endpoint)
      || allowsOtherPorts && chosen.contains { $0.address == endpoint.address }
  }

  /// Whether a redirect may lead to this host, a name or an address as in a URL.
  func allows(host: String) -> Bool {
    guard let hosts else { return true }
    let host = host.lowercased()
    return hosts.contains { host == $0 || host.hasSuffix("." + $0) }
  }
}

/// An IP address as bytes: 4 for IPv4, 16 for IPv6.
struct NetworkAddress: Hashable, Sendable {
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  /// Whether the address is globally reachable: not loopback, private, shared, link-local, multicast, reserved or
  /// documentation (IANA's special-purpose registries, RFC 6890). An IPv6 address that embeds an IPv4 one is judged by
  /// that.
  var isPublic: Bool {
    if let carried { return carried.isPublic }
    let blocks = bytes.count == 4 ? NetworkAddress.specialBlocks4 : NetworkAddress.specialBlocks6
    return !blocks.contains { contained(in: $0) }
  }

  /// The IPv4 address embedded in a mapped, NAT64 or 6to4 address; nil if there is none.
  private var carried: NetworkAddress? {
    guard let block = NetworkAddress.carryingBlocks.first(where: { contained(in: $0.block) }) else { return nil }
    return NetworkAddress(bytes: Array(bytes[block.offset..<block.offset + 4]))
  }

  private func contained(in block: Block) -> Bool {
    guard bytes.count == block.width else { return false }
    let whole = block.bits / 8
    guard bytes.prefix(whole).elementsEqual(block.prefix.prefix(whole)) else { return false }
    // Shifting by all eight bits leaves nothing that could differ.
    return (bytes[whole] ^ block.prefix[whole]) >> (8 - block.bits % 8) == 0
  }

  /// A network: the first `bits` of `prefix`, of addresses `width` bytes long.
  private struct Block {
    let width: Int
    let prefix: [UInt8]
    let bits: Int

    init(_ width: Int, _ prefix: [UInt8], _ bits: Int) {
      self.width = width
      self.prefix = prefix + Array(repeating: 0, count: width - prefix.count)
      self.bits = bits
    }
  }

  private static let specialBlocks4 = [
    Block(4, [0], 8),  // this network
    Block(4, [10], 8),  // private
    Block(4, [100, 64], 10),  // shared address space (carrier-grade NAT)
    Block(4, [127], 8),  // loopback
    Block(4, [169, 254], 16),  // link-local
    Block(4, [172, 16], 12),  // private
    Block(4, [192, 0, 0], 24),  // protocol assignments
    Block(4, [192, 0, 2], 24),  // documentation
    Block(4, [192, 168], 16),  // private
    Block(4, [198, 18], 15),  // benchmarks
    Block(4, [198, 51, 100], 24),  // documentation
    Block(4, [203, 0, 113], 24),  // documentation
    Block(4, [224], 3),  // multicast, reserved, broadcast
  ]

  private static let specialBlocks6 = [
    Block(16, [0], 8),  // unspecified, loopback, reserved
    Block(16, [0x00, 0x64, 0xff, 0x9b, 0x00, 0x01], 48),  // local NAT64
    Block(16, [0x01], 8),  // discard
    Block(16, [0x20, 0x01, 0x00], 23),  // protocol assignments, Teredo
    Block(16, [0x20, 0x01, 0x0d, 0xb8], 32),  // documentation
    Block(16, [0x3f, 0xff], 20),  // documentation
    Block(16, [0xfc], 7),  // unique local
    Block(16, [0xfe, 0x80], 10),  // link-local
    Block(16, [0xfe, 0xc0], 10),  // site-local
    Block(16, [0xff], 8),  // multicast
  ]

  private static let carryingBlocks = [
    (block: Block(16, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff], 96), offset: 12),  // mapped
    (block: Block(16, [0x00, 0x64, 0xff, 0x9b], 96), offset: 12),  // NAT64
    (block: Block(16, [0x20, 0x02], 16), offset: 2),  // 6to4
  ]
}
