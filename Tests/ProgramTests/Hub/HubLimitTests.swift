import Glibc
import TestSupport
import Testing

/// Clients that are slow, idle or do not read; the hub's timeout is a second or a few instead of 30.
@Suite("Slow clients of the hub")
struct HubLimitTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    // 2 MB as OPML: more than the buffers on the way take.
    let channels = (0..<8_000).map { number in
      let digits = String(number)
      return "UC" + String(repeating: "0", count: 21 - digits.count) + digits + "A"
    }
    try sandbox.succeed("import", "-", input: channels.joined(separator: "\n") + "\n")
  }

  private func download(_ hub: RunningHub) throws -> HubConnection {
    let connection = try HubConnection(hub.port, isNarrow: true)
    let request = "GET /api/v1/export/opml HTTP/1.1\r\nHost: \(hub.host)\r\nConnection: close\r\n\r\n"
    connection.write(Array(request.utf8))
    return connection
  }

  private func connections(of hub: RunningHub) throws -> Int? {
    let line = try hub.get("/metrics").text.split(separator: "\n").first { $0.hasPrefix("metube_hub_connections ") }
    return line?.split(separator: " ").last.flatMap { Int($0) }
  }

  /// Waits until only the connection that asks is open.
  private func expectClosed(_ hub: RunningHub) throws {
    try wait { try connections(of: hub) == 1 }
    #expect(try connections(of: hub) == 1)
  }

  @Test("A download takes as long as its client reads")
  func slowReader() throws {
    let hub = try RunningHub(sandbox, "--timeout", "8")
    let whole = try hub.get("/api/v1/export/opml")
    #expect(whole.body.count > 1 << 20)
    let connection = try download(hub)
    var bytes: [UInt8] = []
    while true {
      // 20 s for all of it.
      usleep(200_000)
      let piece = connection.readSome(20 << 10)
      guard !piece.isEmpty else { break }
      bytes += piece
    }
    #expect(try HubResponse(bytes).body == whole.body)
  }

  @Test("A client that does not read is cut off")
  func noReader() throws {
    let hub = try RunningHub(sandbox, "--timeout", "1")
    let whole = try hub.get("/api/v1/export/opml").body.count
    let connection = try download(hub)
    try expectClosed(hub)
    #expect(connection.readAll().count < whole)
  }

  @Test("Connections without a request, with half a head, and idle ones are closed")
  func idle() throws {
    // Long enough for a busy machine to write in time.
    let hub = try RunningHub(sandbox, "--timeout", "5")
    let silent = try HubConnection(hub.port)
    let half = try HubConnection(hub.port)
    half.write(Array("GET /health HTTP/1.1\r\nHost: \(hub.host)\r\nX-".utf8))
    let idle = try HubConnection(hub.port)
    idle.write(Array("GET /health HTTP/1.1\r\nHost: \(hub.host)\r\n\r\n".utf8))
    #expect(silent.readAll().isEmpty)
    #expect(!String(decoding: half.readAll(), as: UTF8.self).contains(" 200 "))
    #expect(String(decoding: idle.readAll(), as: UTF8.self).hasPrefix("HTTP/1.1 200"))
  }

  @Test("A head that comes byte by byte is not waited for")
  func slowHead() throws {
    let hub = try RunningHub(sandbox, "--timeout", "1")
    let connection = try HubConnection(hub.port)
    connection.write(Array("GET /health HTTP/1.1\r\nHost: \(hub.host)\r\nX: ".utf8))
    wait {
      connection.write([UInt8(ascii: "a")])
      return connection.hasResponse
    }
    #expect(!String(decoding: connection.readAll(), as: UTF8.self).contains(" 200 "))
  }

  @Test(
    "A body that arrives byte by byte times out, whether or not it is used",
    arguments: ["/api/v1/marks", "/api/v1/poll"])
  func slowBody(_ path: String) throws {
    let hub = try RunningHub(sandbox, "--timeout", "5")
    let connection = try HubConnection(hub.port)
    let head = "POST \(path) HTTP/1.1\r\nHost: \(hub.host)\r\nContent-Type: application/json\r\n"
    connection.write(Array("\(head)Content-Length: 1000000\r\n\r\n".utf8))
    wait {
      connection.write([UInt8(ascii: " ")])
      return connection.hasResponse
    }
    let response = String(decoding: connection.readAll(), as: UTF8.self)
    #expect(response.hasPrefix("HTTP/1.1 408"), "\(response)")
  }
}
