import Glibc

/// What the process reports to the service manager that started it: one datagram each, sd_notify(3).
package struct ServiceNotifier: Sendable {
  /// That of this process. Read first, before there are threads, so that no child gets the variables.
  package static let current = ServiceNotifier(
    socket: Environment.take("NOTIFY_SOCKET"), watchdog: Environment.take("WATCHDOG_USEC"),
    of: Environment.take("WATCHDOG_PID"))

  /// The path of the socket; one that begins with `@` has no file. Nil without a service manager.
  private let socket: String?
  /// How often the service manager wants to hear that the process works; nil for never.
  package let watchdog: Duration?

  /// From `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`, which may be those of a process that started this one.
  package init(socket: String?, watchdog: String?, of process: String?) {
    self.socket = socket
    let isOurs = process.map { $0 == "\(getpid())" } ?? true
    self.watchdog = isOurs ? watchdog.flatMap { Int64($0) }.flatMap { $0 > 0 ? .microseconds($0) : nil } : nil
  }

  /// It serves.
  package func ready(_ status: String) { send("READY=1\nSTATUS=\(ServiceNotifier.line(status))") }

  /// What it does or waits for, in one line: `systemctl status` shows it.
  package func status(_ text: String) { send("STATUS=\(ServiceNotifier.line(text))") }

  /// It begins to end.
  package func stopping() { send("STOPPING=1") }

  /// It still works.
  package func isAlive() { send("WATCHDOG=1") }

  private static func line(_ text: String) -> String { String(text.map { $0.isNewline ? " " : $0 }) }

  /// Sends a message; without a service manager that reads it, nothing happens. `socket`, `sendto`.
  private func send(_ message: String) {
    guard let socket, socket.hasPrefix("/") || socket.hasPrefix("@"), var address = sockaddr_un(named: socket) else {
      return
    }
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // A message that is never read must not block the process.
    var limit = timeval(tv_sec: 2, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let size = socklen_t(MemoryLayout<sa_family_t>.size + socket.utf8.count)
    let bytes = Array(message.utf8)
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, size)
      }
    }
  }
}

extension sockaddr_un {
  /// The address of a socket; `@` begins an abstract name, whose first byte is 0. Nil if the name is too long. unix(7).
  fileprivate init?(named name: String) {
    self.init()
    sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(name.utf8)
    let isStored = withUnsafeMutableBytes(of: &sun_path) { path in
      guard bytes.count < path.count else { return false }
      path.copyBytes(from: bytes)
      if bytes.first == UInt8(ascii: "@") { path[0] = 0 }
      return true
    }
    guard isStored else { return nil }
  }
}
