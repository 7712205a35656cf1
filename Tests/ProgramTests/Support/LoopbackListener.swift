import Foundation
import Testing

/// A socket that listens on loopback, on a port that the system chooses.
final class LoopbackListener: Sendable {
  let port: UInt16
  private let descriptor: Int32

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = LoopbackListener.address(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(descriptor, pointer, size) + listen(descriptor, 64) + getsockname(descriptor, pointer, &size)
      }
    }
    try #require(code == 0)
    port = UInt16(bigEndian: address.sin_port)
  }

  /// Calls `serve` with the descriptor of each connection, one after the other on one thread, until `stop`; `serve` or
  /// what it starts closes the descriptor.
  func start(_ serve: @escaping @Sendable (Int32) -> Void) {
    let descriptor = descriptor
    Thread.detachNewThread {
      while true {
        let client = accept(descriptor, nil, nil)
        guard client >= 0 else { break }
        serve(client)
      }
      close(descriptor)
    }
  }

  /// Accepts no further connections.
  func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// The address of a port on loopback.
  static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }
}
