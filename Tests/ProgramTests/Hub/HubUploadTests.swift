import Glibc
import JSON
import TestSupport
import Testing

/// Files that clients send slowly, many at once, or not to their end.
@Suite("Uploads")
struct HubUploadTests {
  private let sandbox: Sandbox
  private let hub: RunningHub
  private let ann: String
  private let bob: String
  /// Where the hub may have temporary files.
  private var temporary: String { sandbox.folder.path + "/temporary" }

  init() throws {
    sandbox = try Sandbox()
    try sandbox.useDatabase()
    sandbox.environment["TMPDIR"] = sandbox.folder.path + "/temporary"
    mkdir(sandbox.folder.path + "/temporary", 0o700)
    try sandbox.addUser("ann")
    try sandbox.addUser("bob")
    (ann, bob) = (try sandbox.bearer("ann"), try sandbox.bearer("bob"))
    hub = try sandbox.runHub("--timeout", "60")
  }

  /// The files that the hub stores now.
  private var stored: Int { hub.openFiles.count { $0.path.hasPrefix(temporary) } }
  private var storedBytes: Int { hub.openFiles.filter { $0.path.hasPrefix(temporary) }.reduce(0) { $0 + $1.size } }

  /// Begins an upload with a body that is announced to be a byte longer.
  private func begin(_ path: String, _ user: String, _ body: [UInt8], type: String = "text/plain") throws
    -> HubConnection
  {
    let connection = try HubConnection(hub.port)
    let lines = [
      "POST \(path) HTTP/1.1", "Host: \(hub.host)", "Connection: close", "Content-Type: \(type)",
      "Content-Length: \(body.count + 1)", user,
    ]
    connection.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    return connection
  }

  private static let line = Array("UCHnyfMqiRRG1u-2MsSQLbXA\n".utf8)
  private static let head = Array(
    "--xx\r\nContent-Disposition: form-data; name=\"file\"; filename=\"subs.txt\"\r\n\r\n".utf8)
  private static let form = "multipart/form-data; boundary=xx"

  @Test("An upload lies in no memory and under no name, by form or as a body, and ends with its connection")
  func streamed() throws {
    let before = hub.memory
    let content = [UInt8](repeating: 13, count: 40 << 20)
    var connections = [
      try begin("/import", ann, HubUploadTests.head + content, type: HubUploadTests.form),
      try begin("/api/v1/import", ann, content),
    ]
    wait { storedBytes >= content.count * 2 - 100 }
    #expect(storedBytes >= content.count * 2 - 100)
    #expect(hub.memory - before < 20 << 10, "\(hub.memory - before) KiB")
    #expect(TemporaryFolder.names(in: temporary).isEmpty)
    connections = []
    wait { stored == 0 }
    #expect(stored == 0)
    withExtendedLifetime(connections) {}
  }

  @Test("A form's file is imported also if its pieces come one by one")
  func pieces() throws {
    let body = HubUploadTests.head + HubUploadTests.line + Array("\r\n--xx--\r\n".utf8)
    let whole = try HubConnection(hub.port)
    let lines = [
      "POST /import HTTP/1.1", "Host: \(hub.host)", "Connection: close", "Content-Type: \(HubUploadTests.form)",
      "Content-Length: \(body.count)", ann,
    ]
    whole.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
    for byte in body { whole.write([byte]) }
    let response = try HubResponse(whole.readAll())
    #expect(response.status == 200 && response.text.contains("subs.txt: 1 read, 1 new"), "\(response.text)")
  }

  @Test("A history in CSV follows no channel on the hub either, and its titles are kept")
  func history() throws {
    let row = "AAAAAAAAAAA,UCHnyfMqiRRG1u-2MsSQLbXA,A lamp,2023-08-03T01:57:17+00:00\n"
    let body = Array("video_id,channel_id,title,watched\n\(row)".utf8)
    let response = try hub.send("POST", "/api/v1/import?allHistory=true", [ann], body: body)
    #expect(response.status == 200 && response.text.contains(#""new":0"#) && response.text.contains(#""watched":1"#))
    #expect(try hub.get("/api/v1/channels", ann).text.contains(#""channels":[]"#))
    #expect(try hub.get("/api/v1/history", ann).text.contains(#""title":"A lamp""#))
    #expect(try !hub.get("/api/v1/history", bob).text.contains("A lamp"))
    let list = try hub.send("POST", "/api/v1/import", [ann], body: Array("video,title\nAAAAAAAAAAA,A lamp\n".utf8))
    #expect(list.status == 422)
  }

  @Test("A user sends two files at once, the next ones wait for them, and other users do not")
  func turns() throws {
    let held = try (0..<2).map { _ in try begin("/api/v1/import", ann, HubUploadTests.line) }
    wait { stored == 2 }
    let third = try begin("/api/v1/import", ann, HubUploadTests.line)
    third.write([10])
    let other = try hub.send("POST", "/api/v1/import", [bob], body: HubUploadTests.line)
    #expect(other.status == 200)
    // His file may be open for a moment after the response.
    wait { stored == 2 }
    #expect(!third.hasResponse && stored == 2)
    held[0].write([10])
    #expect(try HubResponse(held[0].readAll()).status == 200)
    #expect(try HubResponse(third.readAll()).status == 200)
    held[1].write([10])
    #expect(try HubResponse(held[1].readAll()).status == 200)
  }

  @Test("Files of one user that could not be stored are refused before they come")
  func refused() throws {
    let held = try (0..<2).map { _ in try begin("/api/v1/import", ann, HubUploadTests.line) }
    wait { stored == 2 }
    var waiting: [HubConnection] = []
    var refusal: HubConnection?
    // How many wait is the hub's to say.
    while refusal == nil, waiting.count < 50 {
      waiting.append(try begin("/api/v1/import", ann, []))
      usleep(20_000)
      refusal = waiting.first { $0.hasResponse }
    }
    let response = try HubResponse(try #require(refusal).readAll())
    #expect(response.status == 429 && response.headers["retry-after"] != nil, "\(response.text)")
    #expect(stored == 2)
    #expect(try hub.send("POST", "/api/v1/import", [bob], body: HubUploadTests.line).status == 200)
    withExtendedLifetime(held) {}
  }
}
