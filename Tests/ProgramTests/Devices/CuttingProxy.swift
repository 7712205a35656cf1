import Foundation
import Synchronization

/// A proxy on loopback that cuts a connection after this many bytes, of both directions together.
final class CuttingProxy: Sendable {
  private let listener: LoopbackListener
  private let target: UInt16
  private let left = Mutex(Int.max)
  private let passed = Mutex(0)
  private let isHanging = Mutex(false)
  private let swallowed = Mutex(0)

  init(to target: UInt16) throws {
    self.target = target
    listener = try LoopbackListener()
    listener.start { client in Thread.detachNewThread { self.serve(client) } }
  }

  var port: UInt16 { listener.port }

  func stop() { listener.stop() }

  /// Cuts the next connections after this many bytes.
  func cut(after bytes: Int) {
    left.withLock { $0 = bytes }
    passed.withLock { $0 = 0 }
  }

  /// How many bytes passed since.
  var count: Int { passed.withLock { $0 } }

  /// Lets the server hang from now on: what clients send goes nowhere, and connections stay open.
  func hang() { isHanging.withLock { $0 = true } }

  /// How many bytes clients sent since.
  var swallowedCount: Int { swallowed.withLock { $0 } }

  private func serve(_ client: Int32) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer {
      close(client)
      close(server)
    }
    var address = LoopbackListener.address(target)
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
        if isHanging.withLock({ $0 }) {
          if end == 0 { swallowed.withLock { $0 += count } }
          continue
        }
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
