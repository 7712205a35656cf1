import Glibc
import Synchronization

/// A datagram socket that a service manager reads.
package final class NotifySocket: Sendable {
  package let name: String
  private let descriptor: Int32
  private let received = Mutex<[String]>([])

  /// At a path, or with an abstract name that begins with `@`: unix(7).
  package init(_ name: String) {
    self.name = name
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { path in
      path.copyBytes(from: Array(name.utf8))
      if name.hasPrefix("@") { path[0] = 0 }
    }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
    let descriptor = descriptor
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    precondition(code == 0, "\(name): \(String(cString: strerror(errno)))")
  }

  deinit { close(descriptor) }

  /// All that came so far. `recv`.
  package var messages: [String] {
    received.withLock { received in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count >= 0 {
        received.append(String(decoding: buffer[..<count], as: UTF8.self))
      }
      return received
    }
  }
}
