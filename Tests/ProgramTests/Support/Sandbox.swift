import FixtureServer
import FoundationEssentials
import TestSupport
import Testing

/// A user's folder, a simulated YouTube, and the program between them; everything is removed when the test ends.
final class Sandbox {
  let folder = TemporaryFolder()
  let server: FixtureServer
  /// The environment of the program.
  var environment: [String: String]
  /// The tables of a hub whose users' logs are in PostgreSQL; nil if they are in files.
  private(set) var schema: TestSchema?

  init() throws {
    server = try FixtureServer.start(port: 0)
    environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder.path + "/nobody", "TZ": "UTC", "no_proxy": "127.0.0.1",
      "METUBE_RSS_HOME": folder.path, "METUBE_RSS_FEEDS_URL": server.baseURL,
      "SWIFT_BACKTRACE": "enable=no",
      // The server may run late on a busy machine; the defaults are for YouTube.
      "METUBE_RSS_TIMEOUT": "600", "METUBE_RSS_CONNECT_TIMEOUT": "600", "METUBE_RSS_STALL_TIMEOUT": "600",
    ]
  }

  deinit { server.stop() }

  /// From now on users of a hub have their logs in PostgreSQL, if tests use a server.
  func useDatabase() throws {
    guard TestSchema.server != nil else { return }
    let schema = TestSchema(self)
    self.schema = schema
    try schema.migrate()
  }

  /// The program in this environment.
  var program: Program { Program(environment: environment) }

  /// Runs the program to its end.
  func run(
    _ arguments: String..., input: String = "", output: Program.Output = .captured
  ) throws -> Program.Outcome {
    try program.run(arguments, input: Array(input.utf8), output: output)
  }

  /// Runs the program, expects success without output on standard error, and returns its standard output.
  @discardableResult
  func succeed(_ arguments: String..., input: String = "") throws -> String {
    let outcome = try program.run(arguments, input: Array(input.utf8))
    #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(arguments)")
    return outcome.text
  }

  /// Polls as fast as the server responds.
  func poll(_ arguments: String...) throws -> Polled {
    let outcome = try program.run(["poll", "--rate", "0", "--format", "json"] + arguments)
    var polled = try JSONDecoder().decode(Polled.self, from: Data(outcome.output))
    (polled.exit, polled.reported) = (outcome.status, outcome.errors)
    return polled
  }

  /// The videos that `list` shows as JSON lines, without a limit.
  func list(_ arguments: String...) throws -> [Listed] {
    let outcome = try program.run(["list", "--format", "jsonl", "--limit", "0"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try outcome.lines.map { try JSONDecoder().decode(Listed.self, from: Data($0.utf8)) }
  }

  /// Every video ever found, including Shorts.
  func everything() throws -> [Listed] { try list("--all", "--shorts", "show", "--upcoming", "show") }

  /// The log lines of all devices. What a killed process left of a line was moved to a file beside the log.
  var log: [String] {
    folder.names(in: "log").filter { $0.hasSuffix(".jsonl") }.flatMap { name in
      String(decoding: folder.read("log/\(name)") ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// The log lines of events of a kind.
  func events(_ kind: String) -> [String] { log.filter { $0.contains("\"kind\":\"\(kind)\"") } }
}

/// The JSON output of a poll; its fields are the contract of `poll --format json`.
struct Polled: Decodable {
  /// One feed that could not be read.
  struct Failure: Decodable {
    let channel: String
    let reason: String
    let status: Int?
  }

  let checked: Int
  let notDue: Int
  let failed: Int
  let new: Int
  let changed: Int
  let gaps: Int
  let outage: Bool
  let stopped: String?
  let seconds: Double
  let bytes: Int
  let pausedUntil: String?
  let pauseReason: String?
  let failures: [Failure]
  /// The exit status.
  var exit: Int32?
  /// The text on standard error.
  var reported: String?
}

/// A video in `list --format jsonl`; its fields are the contract.
struct Listed: Decodable, Equatable {
  let video: String
  let channel: String
  let channelTitle: String
  let title: String
  let url: String
  let published: String
  let found: String
  let status: String
  let snoozedUntil: String?
  let saved: Bool
  let short: String
  let live: String
  let durationSeconds: Int?
  let tags: [String]
  let thumbnail: String
  let savedAt: String?

  private enum CodingKeys: CodingKey {
    case video, channel, channelTitle, title, url, published, found, status, snoozedUntil, saved, short, live
    case durationSeconds, tags, thumbnail, savedAt
  }

  /// Reads a row; empty is what is null of a video that no feed has shown.
  init(from decoder: any Decoder) throws {
    let row = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) throws -> String { try row.decode(String?.self, forKey: key) ?? "" }
    (video, url) = (try row.decode(String.self, forKey: .video), try row.decode(String.self, forKey: .url))
    (channel, published, found) = (try text(.channel), try text(.published), try text(.found))
    (channelTitle, title) = (try text(.channelTitle), try text(.title))
    (status, short, live) = (try text(.status), try text(.short), try text(.live))
    snoozedUntil = try row.decode(String?.self, forKey: .snoozedUntil)
    saved = try row.decode(Bool.self, forKey: .saved)
    durationSeconds = try row.decode(Int?.self, forKey: .durationSeconds)
    (tags, thumbnail) = (try row.decode([String].self, forKey: .tags), try text(.thumbnail))
    savedAt = try row.decode(String?.self, forKey: .savedAt)
  }
}
