import Foundation
import Synchronization
import TestSupport
import Testing

/// A proxy on loopback that cuts a connection after so many bytes, of both directions together.
final class CuttingProxy: Sendable {
  let port: UInt16
  private let listener: Int32
  private let target: UInt16
  private let left = Mutex(Int.max)
  private let passed = Mutex(0)

  init(to target: UInt16) throws {
    self.target = target
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = CuttingProxy.loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, size) + listen(listener, 64) + getsockname(listener, pointer, &size)
      }
    }
    try #require(code == 0)
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { self.accept() }
  }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Cuts the next connections after this many bytes.
  func cut(after bytes: Int) {
    left.withLock { $0 = bytes }
    passed.withLock { $0 = 0 }
  }

  /// How many bytes passed since.
  var count: Int { passed.withLock { $0 } }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return address
  }

  private func accept() {
    while true {
      let client = Glibc.accept(listener, nil, nil)
      guard client >= 0 else { break }
      Thread.detachNewThread { self.serve(client) }
    }
    close(listener)
  }

  private func serve(_ client: Int32) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer {
      close(client)
      close(server)
    }
    var address = CuttingProxy.loopback(target)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(server, $0, size) }
    }
    guard code == 0 else { return }
    var ends = [
      pollfd(fd: client, events: Int16(POLLIN), revents: 0), pollfd(fd: server, events: Int16(POLLIN), revents: 0),
    ]
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while poll(&ends, 2, -1) > 0 {
      for (end, other) in [(0, server), (1, client)] where ends[end].revents != 0 {
        let count = recv(ends[end].fd, &piece, piece.count, 0)
        guard count > 0 else { return }
        let allowed = left.withLock { left in
          defer { left -= min(left, count) }
          return min(left, count)
        }
        passed.withLock { $0 += allowed }
        var sent = 0
        while sent < allowed {
          let written = piece[sent..<allowed].withUnsafeBytes {
            send(other, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
          }
          guard written > 0 else { return }
          sent += written
        }
        guard allowed == count else { return }
      }
    }
  }
}
