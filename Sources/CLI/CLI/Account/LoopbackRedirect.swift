import Core
import Glibc
import Platform

/// Waits on a port of this machine for the browser that Google sends back: RFC 8252 §7.3.
///
/// Anything may connect: other requests, wrong states, idle and endless connections are answered or dropped, and do not
/// keep the browser out.
final class LoopbackRedirect {
  /// What came back.
  enum Outcome: Equatable {
    case code(String)
    /// Google's term: `access_denied`.
    case denied(String)
  }

  /// Where Google leads back to: `http://127.0.0.1:40123`.
  let url: String
  private let listener: Int32
  private var connections: [(descriptor: Int32, bytes: [UInt8])] = []

  /// Listens on a free port. Throws if none can be had. `socket`, `bind`, `listen`.
  init() throws {
    let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && listen(socket, 16) == 0 && getsockname(socket, $0, &length) == 0
      }
    }
    guard socket >= 0, isListening else {
      defer { if socket >= 0 { close(socket) } }
      throw Failure(.disk, "cannot listen on 127.0.0.1: \(String(cString: strerror(errno))); try --device")
    }
    listener = socket
    url = "http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))"
  }

  deinit {
    close(listener)
    for connection in connections { close(connection.descriptor) }
  }

  /// How long the person may take, milliseconds.
  private static let timeout = 600_000
  private static let maxConnections = 32
  private static let maxBytes = 16_384

  /// Waits for the request with this state. Throws on a timeout or an interrupt. `poll`.
  func wait(for state: String) throws -> Outcome {
    let interrupt = Interrupt()
    let end = Clock.steady() + LoopbackRedirect.timeout
    while Clock.steady() < end {
      var watched = ([listener, interrupt.descriptor] + connections.map(\.descriptor)).map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let ready = poll(&watched, nfds_t(watched.count), 1000)
      if interrupt.isSignalled() { throw Failure(.partial, "interrupted; not logged in") }
      guard ready > 0 else { continue }
      for index in connections.indices.reversed() where watched[index + 2].revents != 0 {
        if let outcome = read(index, state) { return outcome }
      }
      if watched[0].revents != 0 { accept() }
    }
    throw Failure(.partial, "nobody logged in within ten minutes; not logged in")
  }

  private func accept() {
    let descriptor = Glibc.accept(listener, nil, nil)
    guard descriptor >= 0 else { return }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    // The oldest has had its time.
    if connections.count == LoopbackRedirect.maxConnections { close(connections.removeFirst().descriptor) }
    connections.append((descriptor, []))
  }

  /// Reads from a connection, and responds once the head is complete.
  private func read(_ index: Int, _ state: String) -> Outcome? {
    let descriptor = connections[index].descriptor
    var piece = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &piece, piece.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return nil }
    connections[index].bytes += piece[..<max(0, count)]
    let bytes = connections[index].bytes
    // Closing with a part of the head unread would reset the connection, and the browser would not show the response.
    let isComplete = bytes.firstRange(of: Array("\r\n\r\n".utf8)) != nil
    guard isComplete || count <= 0 || bytes.count > LoopbackRedirect.maxBytes else { return nil }
    connections.remove(at: index)
    defer { close(descriptor) }
    guard isComplete else { return nil }
    let outcome = LoopbackRedirect.outcome(of: bytes, state)
    let text =
      switch outcome {
      case .code: "Google sent you back. You may close this page and return to the terminal."
      case .denied: "You are not logged in. You may close this page."
      case nil: "This is not the page of the login that is under way."
      }
    let reply = """
      HTTP/1.1 \(outcome == nil ? "404 Not Found" : "200 OK")\r\nContent-Type: text/plain; charset=utf-8\r\n\
      Content-Length: \(text.utf8.count)\r\nCache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n\
      Connection: close\r\n\r\n\(text)
      """
    // If the browser is gone, it is not read.
    _ = Array(reply.utf8).withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    shutdown(descriptor, Int32(SHUT_WR))
    return outcome
  }

  /// What a request `GET /?state=…&code=… HTTP/1.1` says; nil if it is another one.
  static func outcome(of bytes: [UInt8], _ state: String) -> Outcome? {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
    guard parts.count == 3, parts[0] == "GET", parts[1].hasPrefix("/?") else { return nil }
    let pairs = parts[1].dropFirst(2).split(separator: "&").map { pair in
      let name = pair.prefix { $0 != "=" }
      return (String(name), String(percentDecoding: pair.dropFirst(name.count + 1).utf8))
    }
    let values = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    guard values["state"] == state else { return nil }
    if let code = values["code"], !code.isEmpty { return .code(code) }
    return .denied(values["error"] == "access_denied" ? "access_denied" : "unknown_error")
  }
}
