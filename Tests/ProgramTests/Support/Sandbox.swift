import FixtureServer
import FoundationEssentials
import Testing

/// A person's folder, a server in YouTube's place, and the program between them; all of it gone when the test ends.
final class Sandbox {
  let folder = TemporaryFolder()
  let server: FixtureServer
  /// What the program finds in its environment.
  var environment: [String: String]

  init() throws {
    server = try FixtureServer.start(port: 0)
    environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder.path + "/nobody", "TZ": "UTC", "no_proxy": "127.0.0.1",
      "METUBE_RSS_HOME": folder.path, "METUBE_RSS_FEEDS_URL": server.baseURL,
      "SWIFT_BACKTRACE": "enable=no",
    ]
  }

  deinit { server.stop() }

  /// The program in this environment.
  var program: Program { Program(environment: environment) }

  /// Runs the program to its end.
  func run(
    _ arguments: String..., input: String = "", output: Program.Output = .captured
  ) throws -> Program.Outcome {
    try program.run(arguments, input: Array(input.utf8), output: output)
  }

  /// Runs the program, which is to succeed without a word on standard error, and returns its standard output.
  @discardableResult
  func succeed(_ arguments: String..., input: String = "") throws -> String {
    let outcome = try program.run(arguments, input: Array(input.utf8))
    #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    #expect(outcome.errors.isEmpty, "\(arguments)")
    return outcome.text
  }

  /// Polls as fast as the server answers.
  func poll(_ arguments: String...) throws -> Polled {
    let outcome = try program.run(["poll", "--rate", "0", "--format", "json"] + arguments)
    var polled = try JSONDecoder().decode(Polled.self, from: Data(outcome.output))
    (polled.exit, polled.told) = (outcome.status, outcome.errors)
    return polled
  }

  /// The videos that `list` shows in JSON, a line each, without a limit.
  func list(_ arguments: String...) throws -> [Listed] {
    let outcome = try program.run(["list", "--format", "jsonl", "--limit", "0"] + arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try outcome.lines.map { try JSONDecoder().decode(Listed.self, from: Data($0.utf8)) }
  }

  /// Every video that was ever found, Shorts too.
  func everything() throws -> [Listed] { try list("--all", "--shorts", "show", "--upcoming", "show") }

  /// The lines of the log, of all devices.
  var log: [String] {
    folder.names(in: "log").flatMap { name in
      String(decoding: folder.read("log/\(name)") ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// The events of a kind in the log, as text.
  func events(_ kind: String) -> [String] { log.filter { $0.contains("\"kind\":\"\(kind)\"") } }
}

/// What a poll says in JSON; the members are the contract of `poll --format json`.
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
  /// What was said on standard error.
  var told: String?
}

/// A video as `list --format jsonl` says it; the members are its contract.
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
}
