import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// A hub on the files of a sandbox, and a client of it; ended when the test ends.
final class RunningHub {
  let port: UInt16
  private let running: Running
  private var isEnded = false

  /// Starts a hub that does not poll by itself, and waits until it responds.
  convenience init(_ sandbox: Sandbox, _ options: String...) throws { try self.init(sandbox, options) }

  convenience init(_ sandbox: Sandbox, _ options: [String]) throws {
    let address = options.contains("--listen") ? [] : ["--listen", "127.0.0.1:0"]
    try self.init(sandbox, command: ["serve", "--no-poll"] + options + address, environment: sandbox.environment)
  }

  /// Starts a command that serves, in another environment, and waits until it responds.
  init(_ sandbox: Sandbox, command: [String], environment: [String: String]) throws {
    let isFirst = sandbox.folder.read("hub-output") == nil
    let file = isFirst ? "hub-output" : "hub-output-\(UInt32.random(in: 0...UInt32.max))"
    let output = sandbox.folder.write([], to: file)
    let program = Program(path: Files.folderOfTests + "/metube-hub", environment: environment)
    running = try program.start(command, output: .file(output))
    var address = ""
    let process = running
    wait {
      address = String(decoding: sandbox.folder.read(file) ?? [], as: UTF8.self)
      return address.hasSuffix("/\n") || process.hasEnded
    }
    port = try #require(address.split(separator: ":").last.flatMap { UInt16($0.dropLast(2)) }, "\(address)")
  }

  deinit { if !isEnded { _ = try? end() } }

  /// What it has written to standard error so far.
  var reported: String { get throws { try running.reported } }

  /// The code for the first user that it reported last, as it is shown; waits for the first one.
  func setupCode() throws -> String {
    let line = #/with the code ([2-9A-Z-]+)\n/#
    try wait { try reported.contains(line) || running.hasEnded }
    let text = try reported
    return String(try #require(text.matches(of: line).last?.output.1, "\(text)"))
  }

  /// Its resident memory, KiB.
  var memory: Int {
    let status = String(decoding: Files.read("/proc/\(running.process)/status") ?? [], as: UTF8.self)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }

  /// How many arenas glibc has mapped beside the heap: each begins at a multiple of 64 MiB, of which the rest is reserved
  /// (malloc/arena.c).
  var arenas: Int {
    let maps = String(decoding: Files.read("/proc/\(running.process)/maps") ?? [], as: UTF8.self).split(separator: "\n")
    func range(_ line: Substring) -> Range<UInt64>? {
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt64($0, radix: 16) }
      return ends.count == 2 ? ends[0]..<ends[1] : nil
    }
    return zip(maps, maps.dropFirst()).count { line, next in
      guard line.contains(" rw-p "), next.contains(" ---p "), let used = range(line), let rest = range(next) else {
        return false
      }
      return used.lowerBound % (64 << 20) == 0 && rest.upperBound == used.lowerBound + 64 << 20
        && rest.lowerBound == used.upperBound
    }
  }

  /// The paths of the files that it has open, of those that are removed with ` (deleted)`, and their sizes.
  var openFiles: [(path: String, size: Int)] {
    let folder = "/proc/\(running.process)/fd"
    return TemporaryFolder.names(in: folder).compactMap { name in
      var path = [CChar](repeating: 0, count: 4096)
      let count = readlink("\(folder)/\(name)", &path, path.count)
      var status = stat()
      guard count > 0, stat("\(folder)/\(name)", &status) == 0 else { return nil }
      return (String(decoding: path[..<count].map(UInt8.init), as: UTF8.self), Int(status.st_size))
    }
  }

  /// Ends it as systemd does; returns its status and what it reported.
  func end() throws -> Program.Outcome {
    isEnded = true
    running.signal(SIGTERM)
    return try running.finish()
  }

  /// Ends it at once.
  func kill() {
    running.signal(SIGKILL)
    _ = try? running.finish()
    isEnded = true
  }

  /// The most memory that it had at once, bytes: proc_pid_status(5).
  var peakMemory: Int {
    let status = (try? String(contentsOfFile: "/proc/\(running.process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }

  /// How many bytes it has read from anything, whether or not from a disk: proc_pid_io(5).
  var bytesRead: Int {
    get throws {
      let text = String(decoding: Files.read("/proc/\(running.process)/io") ?? [], as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.hasPrefix("rchar:") }
      return try #require(line?.split(separator: " ").last.flatMap { Int($0) }, "\(text)")
    }
  }

  /// The `Host` header that belongs to it.
  var host: String { "127.0.0.1:\(port)" }

  /// Sends a request and reads the whole response.
  func send(
    _ method: String, _ target: String, _ headers: [String] = [], body: some Sequence<UInt8> = []
  ) throws -> HubResponse {
    let body = Array(body)
    var lines = ["\(method) \(target) HTTP/1.1", "Connection: close"] + headers
    if !headers.contains(where: { $0.lowercased().hasPrefix("host:") }) { lines.append("Host: \(host)") }
    if !body.isEmpty { lines.append("Content-Length: \(body.count)") }
    return try HubResponse(exchange(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body))
  }

  func get(_ target: String, _ headers: String...) throws -> HubResponse { try send("GET", target, headers) }

  /// Sends JSON.
  func send(_ method: String, _ target: String, json: String, _ headers: String...) throws -> HubResponse {
    try send(method, target, ["Content-Type: application/json"] + headers, body: json.utf8)
  }

  /// Sends bytes on a connection of their own and returns all that comes back until the other side closes it.
  func exchange(_ bytes: [UInt8]) throws -> [UInt8] {
    let connection = try HubConnection(port)
    connection.write(bytes)
    return connection.readAll()
  }
}

extension Sandbox {
  /// Runs the hub's program to its end.
  func hub(_ arguments: [String], input: String = "") throws -> Program.Outcome {
    let program = Program(path: Files.folderOfTests + "/metube-hub", environment: environment)
    return try program.run(arguments, input: Array(input.utf8))
  }

  /// The folder of a hub whose users have logs of their own.
  var hubData: String { folder.path + "/hub" }

  /// The password of every user.
  static let password = "correct horse"

  /// The options for a hub whose users have logs of their own.
  var hubOptions: [String] { schema?.options ?? ["--data", hubData] }

  /// The lines of a user's logs there; of the catalogue if nil.
  func hubLines(_ user: String?) throws -> [String] {
    try schema?.lines(user) ?? lines(user.map { "hub/users/\($0)" } ?? "hub/catalogue")
  }

  /// Adds a user with a log of their own.
  func addUser(_ name: String, _ options: String...) throws {
    let outcome = try hub(["user", "add", name] + hubOptions + options, input: Sandbox.password + "\n")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// The header with a new token of a user.
  func bearer(_ user: String, _ scope: String = "write") throws -> String {
    let outcome = try hub(["token", "add", user, "test", "--scope", scope] + hubOptions)
    return "Authorization: Bearer " + (try #require(outcome.lines.first, "\(outcome.errors)"))
  }

  /// Starts a hub whose users have logs of their own.
  func runHub(_ options: String...) throws -> RunningHub { try RunningHub(self, hubOptions + options) }
}

/// A connection to a port of this machine.
final class HubConnection {
  private let descriptor: Int32

  /// Connects; a narrow connection has small buffers and packets, as over a network, instead of megabytes.
  init(_ port: UInt16, isNarrow: Bool = false) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if isNarrow {
      var (buffer, packet): (Int32, Int32) = (64 << 10, 1400)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &buffer, socklen_t(MemoryLayout<Int32>.size))
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_MAXSEG, &packet, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = LoopbackListener.address(port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    try #require(code == 0, "\(String(cString: strerror(errno)))")
    // A hub that never responds fails the test.
    var timeout = timeval(tv_sec: 300, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  /// Writes what the other side takes.
  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Says that nothing more comes.
  func finishWriting() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads at most this many bytes; nothing once the other side has closed.
  func readSome(_ maximum: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: maximum)
    return Array(bytes[..<max(0, recv(descriptor, &bytes, maximum, 0))])
  }

  /// Whether something came, or the other side closed.
  var hasResponse: Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) == 1
  }

  /// The status of the response that has come, which stays unread; nil if none has.
  var responseStatus: Int? {
    var bytes = [UInt8](repeating: 0, count: 12)
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_PEEK | MSG_DONTWAIT))
    return count == bytes.count ? Int(String(decoding: bytes.dropFirst(9), as: UTF8.self)) : nil
  }

  /// Reads until the other side closes.
  func readAll() -> [UInt8] { read { _ in false } }

  /// Reads until a text has come, or the other side closes.
  func read(until text: String) -> String {
    String(decoding: read { String(decoding: $0, as: UTF8.self).contains(text) }, as: UTF8.self)
  }

  private func read(_ isEnough: ([UInt8]) -> Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while !isEnough(bytes) {
      let count = recv(descriptor, &piece, piece.count, 0)
      guard count > 0 else { break }
      bytes += piece[..<count]
    }
    return bytes
  }
}

extension RunningHub {
  /// Sends a request on a connection of its own, without waiting for the response.
  func begin(_ method: String, _ target: String, _ headers: [String], body: String) throws -> HubConnection {
    let connection = try HubConnection(port)
    let lines = ["\(method) \(target) HTTP/1.1", "Host: \(host)", "Content-Length: \(body.utf8.count)"] + headers
    connection.write(Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
    return connection
  }

  /// Opens an event stream and waits for its first event.
  func listen(_ headers: String...) throws -> HubConnection {
    // Closed by the hub once the stream ends, not after its timeout for idle connections.
    let connection = try begin("GET", "/api/v1/events", headers + ["Connection: close"], body: "")
    #expect(connection.read(until: "event: change").contains("text/event-stream"))
    return connection
  }
}

/// A response of the hub.
struct HubResponse {
  let status: Int
  /// By lower-case name.
  let headers: [String: String]
  let body: [UInt8]

  init(status: Int, headers: [String: String], body: [UInt8]) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  init(_ bytes: [UInt8]) throws {
    let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)), "\(String(decoding: bytes, as: UTF8.self))")
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    status = try #require(lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) })
    headers = Dictionary(
      lines.dropFirst().map { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        return (parts[0].lowercased(), String(parts.count > 1 ? parts[1].drop { $0 == " " } : ""))
      }, uniquingKeysWith: { $1 })
    body = Array(bytes[end.upperBound...])
  }

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON.
  var json: JSONValue {
    get throws { try #require(JSONValue(body), "\(status) \(text)") }
  }
}

extension JSONValue {
  /// The strings of a member of each element.
  func texts(_ name: String, of member: String) -> [String] {
    (self[name]?.elements ?? []).compactMap { $0[member]?.string }
  }
}
