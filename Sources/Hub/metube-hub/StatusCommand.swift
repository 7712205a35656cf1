import App
import ArgumentParser
import Core
import Glibc
import HubCore
import HubStore
import JSON
import Platform
import SharedPollers

/// `status`: how a running hub is.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show whether the hub runs: its URL, users, connections and polls.",
    discussion: """
      It queries the hub that runs on the same files, through a socket in the state
      folder that only its owner may use. With --database it counts the processes
      that serve it and the pollers, and says when the last of these was seen. What
      is damaged in the logs is listed with what mends it. Exit status 74: a log is
      damaged; 1: no hub runs.

      Examples:
        metube-hub status
        metube-hub status --json
      """)
  @OptionGroup var hub: HubOptions
  @Flag(name: .long, help: "Print the JSON object that the hub sends.") var json = false

  func run() throws {
    guard let folder = try hub.location.files?.accounts else { return try showDatabase() }
    let path = StatusSocket.path(in: folder)
    guard let bytes = StatusCommand.read(path), let status = JSONValue(bytes) else {
      throw Failure(.partial, "no hub runs on these files")
    }
    let damage = status["damage"]?.elements ?? []
    let isDamaged = Failure(.disk, "damaged logs: \(damage.count)")
    guard !json else {
      print(String(decoding: bytes, as: UTF8.self))
      if !damage.isEmpty { throw isDamaged }
      return
    }
    let waiting: [(name: String, value: JSONValue?)] =
      status["setup"] == true
      ? [("setup", "waits for its first user: metube-hub setup, or the code in its journal")] : []
    let rows: [(name: String, value: JSONValue?)] = [
      ("url", status["url"]), ("started", status["started"]), ("users", status["users"]),
      ("connections", status["connections"]), ("listeners", status["listeners"]),
      ("last poll", status["polling"] == true ? .string("now") : status["lastPoll"]), ("next poll", status["nextPoll"]),
    ]
    StatusCommand.show(rows + waiting)
    StatusCommand.show(damage)
    if !damage.isEmpty { throw isDamaged }
  }

  /// What is damaged, a line each.
  private static func show(_ damage: [JSONValue]) {
    for finding in damage {
      let whose = finding["user"]?.string.map { "\($0), " } ?? ""
      print("damaged      \(whose)\(finding["what"]?.string ?? ""); mend it: \(finding["remedy"]?.string ?? "")")
    }
  }

  /// The figures of a hub's database.
  private func showDatabase() throws {
    let accounts = try hub.accounts()
    let figures = try accounts.figures()
    let pollers = try PollerLife(accounts.database)
    var rows: [(name: String, value: JSONValue?)] = [
      ("processes", .number(Double(figures.processes))), ("users", .number(Double(figures.users))),
      ("catalogue", .number(Double(figures.lines))), ("pollers", .number(Double(pollers.working))),
      ("damaged", .number(Double(figures.damaged))), ("pollerSeen", pollers.seen.map { .string($0.rfc3339) }),
    ]
    let damage = figures.damaged == 0 ? [] : try hub.requiredDatabase().damage().map(\.json)
    if json {
      rows.append(("damage", .array(damage)))
      let value = JSONValue.object(rows.map { JSONValue.Member(name: $0.name, value: $0.value ?? .null) })
      print(String(decoding: value.bytes, as: UTF8.self))
    } else {
      for (name, label) in [("catalogue", "log lines"), ("pollerSeen", "poller seen")] {
        if let row = rows.firstIndex(where: { $0.name == name }) { rows[row].name = label }
      }
      StatusCommand.show(rows)
      StatusCommand.show(damage)
    }
    if !damage.isEmpty { throw Failure(.disk, "damaged logs: \(damage.count)") }
    guard figures.processes > 0 else { throw Failure(.partial, "no process of the hub serves this database") }
  }

  private static func show(_ rows: [(name: String, value: JSONValue?)]) {
    for (name, value) in rows {
      print(name + String(repeating: " ", count: 13 - name.count) + text(value ?? .null))
    }
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    // Programs get times as the hub sends them.
    case .string(let text):
      isatty(STDOUT_FILENO) == 1 ? Timestamp(rfc3339: text)?.local ?? DisplayText(text).text : DisplayText(text).text
    case .number(let number): String(Int(number))
    default: "none"
    }
  }

  /// All that a socket sends; nil if it has no listener.
  static func read(_ path: String) -> [UInt8]? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let room = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < room else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0 else { return nil }
    // A hub that hangs fails the command.
    var timeout = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(descriptor, &piece, piece.count, 0)
      guard count > 0 else { return count == 0 ? bytes : nil }
      bytes += piece[..<count]
    }
  }
}
