import Core
import EventLog
import Glibc
import Library
import TestSupport
import Testing

@testable import HubAPI
@testable import HubCore
@testable import Platform
@testable import Sync

/// How much a hub keeps of what devices send.
@Suite("Limits of logs")
final class ExchangeLimitTests {
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox() }

  /// A device's log with some marks: its name, and its bytes.
  private func log(marks: UInt64 = 3, _ device: SyncedDevice? = nil) throws -> (name: String, bytes: [UInt8]) {
    let device = device ?? SyncedDevice(sandbox)
    for number in 1...marks { try device.decide(.mark(number, .watched)) }
    let name = try device.device.description
    return (name, try #require(device.folder.read("log/\(name).jsonl")))
  }

  private func service(_ change: (inout ExchangeLimits) -> Void) throws -> HubService {
    let service = try HubService(.home(sandbox.folder.path), user: nil)
    change(&service.limits)
    return service
  }

  private func send(
    _ bytes: some Sequence<UInt8>, to name: String, _ service: HubService, whole: LogEnd? = nil,
    offset: Int = 0, checksum: String = ""
  ) throws -> (status: Int, text: String) {
    var query = [(name: "offset", value: "\(offset)"), (name: "checksum", value: checksum)]
    if let whole {
      query += [(name: "wholeLength", value: "\(whole.length)"), (name: "wholeChecksum", value: whole.checksum)]
    }
    let call = HubCall(parts: ["log": name], query: query, body: Array(bytes), file: nil, url: "")
    let response = service.response(of: try #require(HubRoute.named("addLogLines")), to: call)
    return (response.status, String(decoding: response.body, as: UTF8.self))
  }

  private var stored: [String] { sandbox.folder.names(in: "log") + sandbox.folder.names(in: "state/incoming") }

  /// The end of a log as it would be announced.
  private func end(of bytes: [UInt8]) throws -> LogEnd {
    try LogEnd(ofFile: sandbox.folder.write(bytes, to: "whole"))
  }

  @Test("A log above the limit is refused, and one that grows above it")
  func length() throws {
    let (name, bytes) = try log()
    let service = try service { $0.logBytes = UInt64(bytes.count - 1) }
    let refused = try send(bytes, to: name, service)
    #expect(refused.status == 413 && refused.text.contains("compact"), "\(refused.text)")
    let first = try #require(bytes.firstIndex(of: 10)) + 1
    #expect(try send(bytes[..<first], to: name, service).status == 200)
    let start = try end(of: Array(bytes[..<first]))
    #expect(try send(bytes[first...], to: name, service, offset: first, checksum: start.checksum).status == 413)
    #expect(try send(bytes[..<first], to: name, service, whole: end(of: bytes)).status == 413)
    #expect(stored == [name + ".jsonl"])
  }

  @Test("A user has at most so many logs; those that are there still grow")
  func count() throws {
    let device = SyncedDevice(sandbox)
    let (first, second) = (try log(device), try log())
    let service = try service { $0.logs = 1 }
    #expect(try send(first.bytes, to: first.name, service).status == 200)
    let refused = try send(second.bytes, to: second.name, service)
    #expect(refused.status == 507 && refused.text.contains("Insufficient Storage"), "\(refused.text)")
    #expect(try send(second.bytes, to: second.name, service, whole: end(of: second.bytes)).status == 507)
    try device.decide(.mark(9, .watched))
    let grown = try #require(device.folder.read("log/\(first.name).jsonl"))
    let end = try end(of: first.bytes)
    let more = try send(
      grown[first.bytes.count...], to: first.name, service, offset: first.bytes.count, checksum: end.checksum)
    #expect(more.status == 200, "\(more.text)")
    #expect(stored == [first.name + ".jsonl"])
  }

  @Test("All that is stored for a user is limited, and what is staged of it; abandoned parts are removed")
  func total() throws {
    let (first, second) = (try log(), try log())
    let half = try #require(first.bytes[..<(first.bytes.count / 2)].lastIndex(of: 10)) + 1
    let full = try service { $0.bytes = UInt64(first.bytes.count + 10) }
    #expect(try send(first.bytes, to: first.name, full).status == 200)
    #expect(try send(second.bytes, to: second.name, full).status == 507)
    let service = try service { $0.stagedBytes = UInt64(half + 10) }
    #expect(try send(first.bytes[..<half], to: first.name, service, whole: end(of: first.bytes)).status == 200)
    let refused = try send(second.bytes[..<half], to: second.name, service, whole: end(of: second.bytes))
    #expect(refused.status == 507 && refused.text.contains("after a day"), "\(refused.text)")
    let parts = sandbox.folder.names(in: "state/incoming").filter { $0.hasSuffix(".part") }
    let part = sandbox.folder.path + "/state/incoming/" + (try #require(parts.first))
    func list() throws -> Int {
      let call = HubCall(parts: [:], query: [], body: [], file: nil, url: "")
      return service.response(of: try #require(HubRoute.named("listLogs")), to: call).status
    }
    func age(_ seconds: Int) {
      var times = [timeval(tv_sec: time(nil) - seconds, tv_usec: 0), timeval(tv_sec: time(nil) - seconds, tv_usec: 0)]
      #expect(utimes(part, &times) == 0)
    }
    age(86_000)
    _ = try list()
    #expect(try send(second.bytes[..<half], to: second.name, service, whole: end(of: second.bytes)).status == 507)
    age(86_500)
    #expect(try list() == 200)
    let taken = try send(second.bytes[..<half], to: second.name, service, whole: end(of: second.bytes))
    #expect(taken.status == 200, "\(taken.text)")
    #expect(parts.count == 1 && !stored.contains(parts[0]))
  }

  @Test("The last two copies that received logs replaced are kept")
  func copies() throws {
    let device = SyncedDevice(sandbox)
    let service = try service { _ in }
    let (name, bytes) = try log(device)
    #expect(try send(bytes, to: name, service).status == 200)
    for number in 0..<5 as Range<UInt64> {
      try device.decide(.mark(10 + number, .watched))
      let bytes = try #require(device.folder.read("log/\(name).jsonl"))
      let response = try send(bytes, to: name, service, whole: end(of: bytes))
      #expect(response.status == 200 && response.text.contains("replaced"), "\(response.text)")
    }
    #expect(sandbox.folder.names(in: "backups").count == 2, "\(sandbox.folder.names(in: "backups"))")
  }

  @Test("A device whose log a full hub does not take says so, and gets the others'")
  func full() throws {
    let other = SyncedDevice(sandbox)
    let (name, bytes) = try log(other)
    sandbox.folder.write(bytes, to: "log/\(name).jsonl")
    for number in 1..<ExchangeLimits.usual.logs {
      let id = try #require(DeviceID("aaaaa\(number + 100)"))
      let folder = TemporaryFolder()
      let journal = try Journal(folders: folder.folders, device: id, coverage: nil, clock: Clock.milliseconds)
      _ = try journal.commit(action: nil, undoing: nil) { [.mark(UInt64(number), .watched)] }
      sandbox.folder.write(try #require(folder.read("log/\(id).jsonl")), to: "log/\(id).jsonl")
    }
    let hub = try RunningHub(sandbox)
    let device = SyncedDevice(sandbox)
    try device.decide(.mark(1, .skipped))
    let report = try device.sync(hub.port)
    #expect(report.problem?.message.contains("100 logs are kept") == true, "\(String(describing: report.problem))")
    #expect(device.events.count == 3 + 99 + 1)
    #expect(try device.run(hub.port, "status").text.contains("100 logs are kept"))
  }
}
