import Foundation
import Synchronization

/// A loopback server that responds to every request by a script, byte for byte, and misbehaves on demand.
final class ScriptedServer: Sendable {
  /// One action on a connection.
  enum Act: Sendable {
    case send([UInt8])
    case pause(milliseconds: Int)
    /// Wait until the client closes.
    case hang
    /// Send the same bytes repeatedly until the client closes.
    case sendForEver([UInt8], everyMilliseconds: Int)
    case close
    /// Close with a TCP reset.
    case reset
  }

  /// One request as received.
  struct Request: Sendable {
    /// The number of the connection, from 0.
    let connection: Int
    /// The request line and the header lines.
    let lines: [String]

    /// `/path?query`, or the whole URL if sent to a proxy.
    var target: String { String(lines[0].split(separator: " ")[1]) }

    func header(_ name: String) -> String? {
      let prefix = name.lowercased() + ": "
      return lines.first { $0.lowercased().hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
    }
  }

  let port: UInt16
  private let listener: Int32
  private let greeting: [Act]
  private let script: @Sendable (Request) -> [Act]
  private let log = Mutex<[Request]>([])

  /// A server that follows the script for each request, in order on each connection, after an optional greeting.
  init(greeting: [Act] = [], _ script: @escaping @Sendable (Request) -> [Act]) throws {
    (listener, port) = boundSocket()
    guard port != 0, listen(listener, 256) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    self.greeting = greeting
    self.script = script
    // The thread keeps the server alive while the tests run: a test's last use of it may precede its first request.
    Thread.detachNewThread { self.acceptConnections() }
  }

  private func acceptConnections() {
    var count = 0
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else { return }
      let number = count
      count += 1
      Thread.detachNewThread { self.serve(connection, number) }
    }
  }

  /// Every request so far, in the order of arrival.
  var requests: [Request] { log.withLock { $0 } }

  func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  private func serve(_ connection: Int32, _ number: Int) {
    var pending: [UInt8] = []
    for act in greeting { _ = perform(act, on: connection) }
    while let lines = readHead(connection, &pending) {
      let request = Request(connection: number, lines: lines)
      log.withLock { $0.append(request) }
      for act in script(request) where !perform(act, on: connection) {
        close(connection)
        return
      }
    }
    close(connection)
  }

  /// The lines of the next request's head; nil if the client closed.
  private func readHead(_ connection: Int32, _ pending: inout [UInt8]) -> [String]? {
    let end: [UInt8] = [13, 10, 13, 10]
    while true {
      if let range = pending.firstRange(of: end) {
        let text = String(decoding: pending[..<range.lowerBound], as: UTF8.self)
        pending.removeSubrange(..<range.upperBound)
        return text.components(separatedBy: "\r\n")
      }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0 else { return nil }
      pending += chunk.prefix(count)
    }
  }

  /// Performs one action; false if the connection must be closed.
  private func perform(_ act: Act, on connection: Int32) -> Bool {
    switch act {
    case .send(let bytes):
      return sendAll(bytes, to: connection)
    case .pause(let milliseconds):
      usleep(UInt32(milliseconds) * 1000)
      return true
    case .hang:
      var byte: UInt8 = 0
      while recv(connection, &byte, 1, 0) > 0 {}
      return false
    case .sendForEver(let bytes, let interval):
      while sendAll(bytes, to: connection) { usleep(UInt32(interval) * 1000) }
      return false
    case .close:
      return false
    case .reset:
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
      return false
    }
  }

  private func sendAll(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}

/// A loopback port on which nothing listens.
func unusedPort() -> UInt16 {
  let (descriptor, port) = boundSocket()
  close(descriptor)
  return port
}

/// A TCP socket bound to a loopback port chosen by the system; port 0 on failure.
private func boundSocket() -> (descriptor: Int32, port: UInt16) {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
    }
  }
  return (descriptor, isBound ? UInt16(bigEndian: address.sin_port) : 0)
}

extension ScriptedServer.Act {
  static func send(_ text: String) -> Self { .send(Array(text.utf8)) }

  /// A complete response with a body of known length.
  static func respond(_ status: String, headers: [String] = [], body: [UInt8] = []) -> Self {
    let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(body.count)", "", ""]
    return .send(Array(lines.joined(separator: "\r\n").utf8) + body)
  }

  static func respond(_ status: String, headers: [String] = [], text: String) -> Self {
    .respond(status, headers: headers, body: Array(text.utf8))
  }

  static func redirect(to location: String) -> Self { .respond("302 Found", headers: ["Location: \(location)"]) }
}
