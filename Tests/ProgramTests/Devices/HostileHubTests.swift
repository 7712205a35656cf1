import Core
import EventLog
import HTTPClient
import JSON
import Library
import TestSupport
import Testing

@testable import App
@testable import HubCore
@testable import Platform
@testable import Sync

/// Hubs that keep a device busy for nothing, by a clock of the test.
@Suite("Hubs that waste a device's time")
final class HostileHubTests {
  private let device: SyncedDevice
  private var paths: [String] = []
  private var now = 0

  init() throws {
    device = SyncedDevice(try Sandbox())
    try device.decide(.mark(1, .watched))
  }

  /// A log as a hub lists it.
  private func log(_ name: String, _ length: Int) -> JSONValue {
    [
      "log": .string(name), "device": .string(name), "generation": 1, "length": .number(Double(length)),
      "checksum": .string(String(repeating: "a", count: 32)), "damaged": false,
    ]
  }

  /// Exchanges lines with a hub that lists these logs, and sends what `lines` returns; nil if that never ends.
  private func sync(_ logs: [JSONValue], lines: @escaping (String) -> [UInt8]?) throws -> SyncReport {
    let transport = HubTransport(
      send: { request in
        let path = request.url.dropFirst("https://hub.example".count).prefix { $0 != "?" }
        self.paths.append(String(path))
        if case .send = request.method {
          let list: JSONValue = ["logs": .array(logs)]
          return (.success(HubClient.Response(status: 200, body: list.bytes)), 0)
        }
        if let body = lines(String(path)) { return (.success(HubClient.Response(status: 200, body: body)), body.count) }
        self.now += Int((request.timeout ?? .seconds(60)) / .milliseconds(1))
        return (.failure(.stalled(.receiving)), 0)
      }, now: { self.now }, wait: { self.now += $0 })
    let client = HubClient("https://hub.example", token: nil, retries: 3, budget: .whole, transport)
    return try device.session().sync(with: client) {}
  }

  @Test("200 of 20,000 logs that a hub lists are exchanged, and that is reported")
  func many() throws {
    let logs = (0..<20_000).map { log("aaa\(10_000 + $0)", 4096) }
    let report = try sync(logs) { _ in [] }
    #expect(report.problem?.message.contains("lists 20000 logs; only 200") == true, "\(report.problem?.message ?? "")")
    #expect(report.problem?.status == .invalidInput)
    #expect(paths.count <= 210, "\(paths.count) requests")
  }

  @Test("A log of which the hub sends nothing is requested once, and the exchange fails")
  func empty() throws {
    let report = try sync([log("aaaaaaaa", 1 << 30)]) { _ in [] }
    #expect(paths.count { $0 == "/api/v1/logs/aaaaaaaa" } == 1, "\(paths)")
    #expect(report.problem?.message.contains("1073741824 bytes, but sends nothing after byte 0") == true)
    #expect(report.problem?.status == .temporaryFailure)
  }

  @Test("A response that drips ends the exchange after 15 seconds in all, and a later one does not wait for it again")
  func drip() throws {
    let failure = #expect(throws: Failure.self) { try sync([log("aaaaaaaa", 5000)]) { _ in nil } }
    #expect(failure?.status == .temporaryFailure && failure?.message.contains("stalled") == true)
    #expect(now == 15_000)
    let state = HubState("https://hub.example", in: try device.session().home)
    #expect(state.failingSince != nil && state.problem?.contains("stalled") == true)
  }

  @Test("The progress of an exchange says how much there is in all")
  func progress() throws {
    func mark(_ name: String, _ megabytes: UInt64) throws -> LogMark {
      let end = LogEnd(length: megabytes * 1_000_000, checksum: String(repeating: "a", count: 32))
      return LogMark(
        log: name, device: try #require(DeviceID(name.prefix(8))), generation: 1, end: end, isDamaged: false)
    }
    var report = SyncReport()
    #expect(report.progress == "0 MB sent, 0 MB received")
    let theirs = try [mark("aaaaaaaa", 77), mark("bbbbbbbb", 5), mark("cccccccc", 3)]
    report.expect(LogTable(logs: theirs), try [mark("bbbbbbbb", 2), mark("cccccccc", 9)])
    (report.sent, report.received) = (1_000_000, 40_500_000)
    #expect(report.progress == "1 of 6 MB sent, 40 of 80 MB received")
    (report.sent, report.received) = (6_000_000, 80_100_000)
    #expect(report.progress == "6 MB sent, 80 MB received")
  }
}
