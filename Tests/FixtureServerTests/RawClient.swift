import Glibc
import Testing

@testable import FixtureServer

/// A client that exposes the raw bytes of a response, which no HTTP library does.
struct RawClient {
  /// How the response ended.
  enum End: Equatable { case closed, reset, silence }

  private let descriptor: Int32

  /// A connection to the server.
  init(_ server: FixtureServer) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = server.port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        if connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) != 0 {
          Issue.record("no connection: \(String(cString: strerror(errno)))")
        }
      }
    }
  }

  /// Sends these bytes unchanged.
  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Sends a GET with these additional header lines.
  func get(_ target: String, _ lines: String...) {
    send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n")
  }

  /// Reads up to `limit` bytes, and returns how the response ended if fewer came. Silence is this many milliseconds
  /// without a byte: by default more than any busy machine needs.
  func read(atMost limit: Int = .max, silence milliseconds: Int = 120_000) -> (bytes: [UInt8], end: End?) {
    var timeout = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < limit {
      let count = recv(descriptor, &piece, min(piece.count, limit - bytes.count), 0)
      if count == 0 { return (bytes, .closed) }
      if count < 0 { return (bytes, errno == ECONNRESET ? .reset : .silence) }
      bytes += piece.prefix(count)
    }
    return (bytes, nil)
  }

  /// Closes the connection.
  func close() { Glibc.close(descriptor) }
}

/// One response, parsed.
struct RawResponse {
  var status: String
  var headers: [String: String]
  var body: [UInt8]
  var end: RawClient.End?

  /// The response to one GET on its own connection, read until the server ends it or falls silent.
  init(_ server: FixtureServer, get target: String, _ lines: String...) {
    let client = RawClient(server)
    defer { client.close() }
    client.send("GET \(target) HTTP/1.1\r\nConnection: close\r\n" + lines.map { "\($0)\r\n" }.joined() + "\r\n")
    let (bytes, end) = client.read()
    self.init(bytes)
    self.end = end
  }

  /// Parses a response from the wire.
  init(_ bytes: [UInt8]) {
    let split = bytes.indices.first { bytes[$0...].starts(with: Array("\r\n\r\n".utf8)) } ?? bytes.count
    var lines = String(decoding: bytes[..<split], as: UTF8.self).split(separator: "\r\n").map(String.init)
    status = lines.isEmpty ? "" : lines.removeFirst()
    headers = [:]
    for line in lines {
      let name = line.prefix { $0 != ":" }
      headers[name.lowercased()] = String(line.dropFirst(name.count + 2))
    }
    body = Array(bytes[min(split + 4, bytes.count)...])
  }
}
