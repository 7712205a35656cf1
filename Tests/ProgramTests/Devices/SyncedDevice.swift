import Core
import EventLog
import FixtureServer
import Glibc
import Library
import TestSupport
import Testing

@testable import App
@testable import Sync
@testable import metube_hub

/// A device with a home of its own, in the process of the test, and as the program.
final class SyncedDevice {
  let folder = TemporaryFolder()
  private let feeds: String
  /// The token for the hub; nil for a hub without users.
  let token: String?

  init(_ sandbox: Sandbox, token: String? = nil) {
    feeds = sandbox.server.baseURL
    self.token = token
  }

  /// Whether `METUBE_RSS_LARGE` is in the environment: more of everything.
  static let isLarge = getenv("METUBE_RSS_LARGE") != nil

  /// Whether a long test has to end: after nine minutes, with what it did until then.
  static var isLate: Bool { isLarge && ContinuousClock.now > end }
  private static let end = ContinuousClock.now + .seconds(540)

  /// The environment of the program on this device.
  func environment(_ port: UInt16) -> [String: String] {
    var variables = [
      "PATH": "/usr/bin:/bin", "HOME": folder.path + "/nobody", "TZ": "UTC", "no_proxy": "127.0.0.1",
      "METUBE_RSS_HOME": folder.path, "METUBE_RSS_FEEDS_URL": feeds, "SWIFT_BACKTRACE": "enable=no",
      "METUBE_RSS_HUB": "http://127.0.0.1:\(port)",
    ]
    variables["METUBE_RSS_HUB_TOKEN"] = token
    return variables
  }

  /// Runs the program.
  func run(_ port: UInt16, _ arguments: String...) throws -> Program.Outcome {
    try Program(environment: environment(port)).run(arguments)
  }

  /// The files of the device as a command opens them.
  func session() throws -> Session {
    try Session(Home(folder: folder.path, environment: [:]), reports: false)
  }

  /// Exchanges log lines with the hub at a port.
  @discardableResult
  func sync(_ port: UInt16, retries: Int = 0) throws -> SyncReport {
    let settings = try Settings(environment: environment(port), file: folder.path + "/none")
    let client = try #require(try HubClient(settings, url: nil, retries: retries, budget: .whole))
    return try session().sync(with: client) {}
  }

  /// Appends events as one action.
  @discardableResult
  func decide(_ bodies: EventBody...) throws -> [Event] { try session().commit { bodies } }

  /// Appends events while the clock shows another time.
  func decide(at milliseconds: UInt64, _ bodies: EventBody...) throws {
    let journal = try Journal(folders: folder.folders, device: nil, coverage: nil, clock: { milliseconds })
    try journal.refresh()
    _ = try journal.commit(action: nil, undoing: nil) { bodies }
  }

  var device: DeviceID { get throws { try #require(try session().library.device) } }

  /// The lines of all logs that hold events, each once.
  var events: Set<String> { SyncedDevice.events(in: folder) }

  /// The lines of the logs of a home that hold events, each once.
  static func events(in folder: TemporaryFolder) -> Set<String> {
    var lines: Set<String> = []
    for name in folder.names(in: "log") where name.hasSuffix(".jsonl") {
      let text = String(decoding: folder.read("log/\(name)") ?? [], as: UTF8.self)
      for line in text.split(separator: "\n") where !line.contains(#""kind":"logStarted""#) {
        lines.insert(String(line))
      }
    }
    return lines
  }
}

extension EventBody {
  static func mark(_ video: UInt64, _ status: Status) -> EventBody {
    .statusSet(StatusSet(video: Sample.video(video), status: status))
  }

  static func save(_ video: UInt64, _ isSaved: Bool) -> EventBody {
    .savedSet(SavedSet(video: Sample.video(video), saved: isSaved))
  }
}
