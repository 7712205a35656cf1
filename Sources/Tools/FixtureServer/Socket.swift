import Glibc

/// A failed system call with its `errno`.
package struct SocketError: Error, Equatable {
  /// The name of the call, as in section 2 of the manual.
  package let call: String
  /// The value of `errno` after the call.
  package let code: Int32

  /// The error of the call that just failed.
  init(_ call: String) {
    self.call = call
    code = errno
  }
}

/// A TCP socket by its descriptor. It does not own the descriptor: its creator calls `close()` once.
struct Socket: Hashable, Sendable {
  /// The descriptor.
  let descriptor: Int32

  /// A socket listening on 127.0.0.1, and its port; port 0 picks any free port. `socket`, `bind`, `listen`.
  static func listening(port: UInt16) throws(SocketError) -> (socket: Socket, port: UInt16) {
    let listener = Socket(descriptor: socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
    guard listener.descriptor >= 0 else { throw SocketError("socket") }
    do throws(SocketError) {
      listener.set(SO_REUSEADDR, at: SOL_SOCKET, to: Int32(1))
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      guard withAddress(&address, { bind(listener.descriptor, $0, $1.pointee) }) == 0 else { throw SocketError("bind") }
      guard listen(listener.descriptor, 1024) == 0 else { throw SocketError("listen") }
      guard withAddress(&address, { getsockname(listener.descriptor, $0, $1) }) == 0 else {
        throw SocketError("getsockname")
      }
      return (listener, UInt16(bigEndian: address.sin_port))
    } catch {
      listener.close()
      throw error
    }
  }

  /// The next connection; nil once the socket is shut down. `accept`.
  func accept() -> Socket? {
    while true {
      let connection = Socket(descriptor: Glibc.accept(descriptor, nil, nil))
      if connection.descriptor >= 0 {
        _ = fcntl(connection.descriptor, F_SETFD, FD_CLOEXEC)
        connection.set(Int32(TCP_NODELAY), at: Int32(IPPROTO_TCP), to: Int32(1))
        return connection
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(10_000)  // clears when other connections end
      default: return nil
      }
    }
  }

  /// Up to 16 KiB of received data; empty at the end of the connection or on any error. `recv`.
  func receive() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, count in
      var received = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      while received < 0 && errno == EINTR { received = recv(descriptor, buffer.baseAddress, buffer.count, 0) }
      count = max(received, 0)
    }
  }

  /// Sends all of `bytes`; false if the connection ended first. `send`.
  func send(_ bytes: [UInt8]) -> Bool {
    let noSignal = Int32(MSG_NOSIGNAL)
    return bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let sent = Glibc.send(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, noSignal)
        if sent < 0 && errno == EINTR { continue }
        guard sent > 0 else { return false }
        rest = rest.dropFirst(sent)
      }
      return true
    }
  }

  /// Waits this long, -1 for ever; false if either side ended the connection meanwhile. `poll`.
  func staysOpen(milliseconds: Int32) -> Bool {
    var state = pollfd(descriptor: descriptor)
    return poll(&state, 1, milliseconds) == 0
  }

  /// Makes `close()` reset the connection with RST. `SO_LINGER`, socket(7).
  func resetOnClose() { set(SO_LINGER, at: SOL_SOCKET, to: linger(l_onoff: 1, l_linger: 0)) }

  /// Shuts down both directions, which wakes every thread waiting on the socket. `shutdown`.
  func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Closes the descriptor. `close`.
  func close() { Glibc.close(descriptor) }

  private func set<Value>(_ option: Int32, at level: Int32, to value: Value) {
    withUnsafeBytes(of: value) { bytes in
      _ = setsockopt(descriptor, level, option, bytes.baseAddress, socklen_t(bytes.count))
    }
  }

  private static func withAddress(
    _ address: inout sockaddr_in, _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> Int32 {
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
    }
  }
}

extension pollfd {
  /// Polls only for the end of the connection, by either side.
  fileprivate init(descriptor: Int32) { self.init(fd: descriptor, events: pollfd.peerClosed, revents: 0) }

  /// `POLLRDHUP` of poll(2), which glibc declares only with `_GNU_SOURCE`.
  private static let peerClosed: Int16 = 0x2000
}
