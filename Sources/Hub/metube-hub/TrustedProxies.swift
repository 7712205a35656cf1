import ArgumentParser
import HTTPTypes
import Hummingbird
import NIOCore

/// Proxies that are believed when they say who sent a request: for limits by address, and the log of requests.
struct TrustedProxies: Sendable {
  private let addresses: Set<String>

  init(_ addresses: [ProxyAddress]) { self.addresses = Set(addresses.map(\.text)) }

  /// Whether an address is a proxy's.
  func contain(_ address: String) -> Bool { addresses.contains(address) }

  /// The address of the client: of the other side, or what a proxy adds at the end of `X-Forwarded-For`.
  func client(of request: Request, on channel: any Channel) -> String {
    var client = channel.remoteAddress?.ipAddress ?? ""
    // Each proxy appends the address that it sees, so only what a trusted one appended is believed.
    var named = request.headers[values: TrustedProxies.header].joined(separator: ",").split(separator: ",")[...]
    while addresses.contains(client), let last = named.popLast(), let address = ProxyAddress.canonical(last) {
      client = address
    }
    return client
  }

  private static let header = HTTPField.Name("X-Forwarded-For") ?? .accept
}

/// The IP address of a proxy.
struct ProxyAddress: ExpressibleByArgument {
  /// As the system writes it.
  let text: String

  init?(argument: String) {
    guard let text = ProxyAddress.canonical(argument) else { return nil }
    self.text = text
  }

  /// An address as the system writes it; nil if invalid.
  static func canonical(_ text: some StringProtocol) -> String? {
    let plain = String(text.filter { $0 != " " && $0 != "\t" })
    return (try? SocketAddress(ipAddress: plain, port: 0))?.ipAddress
  }
}
