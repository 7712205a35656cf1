import Core
import Glibc
import SlowCheck
import TestSupport
import Testing

@testable import EventLog

/// A sandbox with the log of invented videos, and the expected output of `list`.
final class GeneratedSandbox {
  let sandbox: Sandbox
  private(set) var log: RandomLog
  private(set) var library = SlowLibrary([])
  private var written = 0

  static let isLarge = getenv("METUBE_RSS_LARGE") != nil

  init(seed: UInt64, videos: Int = isLarge ? 50_000 : 1200) throws {
    sandbox = try Sandbox()
    log = RandomLog(seed: seed, videos: videos)
    mkdir(sandbox.folder.path + "/log", 0o700)
    append()
  }

  /// The current time, after all generated events.
  var now: Timestamp { Timestamp(seconds: Int64(time(nil))) }

  /// Changes the log as its devices would, and writes what is new in it.
  func change(_ body: (inout RandomLog) -> Void) {
    body(&log)
    append()
  }

  private func append() {
    for device in RandomLog.devices {
      var lines = LineWriter()
      for event in log.events[written...] where event.id.device == device { lines.write(event) }
      guard let file = fopen("\(sandbox.folder.path)/log/\(device).jsonl", "a") else { preconditionFailure("no log") }
      fwrite(lines.bytes, 1, lines.bytes.count, file)
      fclose(file)
      chmod("\(sandbox.folder.path)/log/\(device).jsonl", 0o600)
    }
    for event in log.events[written...] { library.take(event) }
    written = log.events.count
  }

  /// Applies what the program itself changed to the slow check.
  func take(_ body: EventBody) {
    let id = EventID(reading: UInt64(time(nil)) * 1000 << 16, device: RandomLog.devices[0])
    library.take(Event(id: id, action: id, body: body))
  }

  /// The expected output of `list`.
  func result(_ question: GeneratedQuery) -> [String] {
    library.result(of: question, at: now, blocked: library.blocked(at: now)).videos.map(\.description)
  }

  /// The actual output of `list`.
  func list(_ question: GeneratedQuery, _ more: String...) throws -> [String] {
    let outcome = try sandbox.program.run(
      ["list", "--format", "ids"] + question.arguments + more)
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(question.arguments): \(outcome.errors)")
    return outcome.lines
  }
}
