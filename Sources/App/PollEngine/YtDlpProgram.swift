import App
import Core
import HTTPClient
import Messages
import Platform

/// yt-dlp(1) with our settings and without the person's own configuration, which may download. What it writes is treated
/// as hostile: a run is bounded in time and size.
struct YtDlpProgram {
  let interrupt = Interrupt()
  private let environment: [String: String]
  private let version: [String]
  /// The time limit of one run, seconds.
  private let limit: Int

  init(_ settings: Settings) throws {
    limit = max(1, Int(try HTTPSettings(settings, jobs: 1).totalTimeout.components.seconds))
    var environment = Environment.withoutSecrets()
    // Not as an argument, which other users see: it may contain a password.
    if let proxy = try settings.proxy() {
      for name in ["http_proxy", "https_proxy"] { environment[name] = proxy }
    }
    self.environment = environment
    version = settings["IP"].map { ["--force-ipv\($0)"] } ?? []
  }

  /// The largest output of one run; a hundred entries have about 200 kB.
  private static let maxBytes = 8 << 20

  /// Runs it with these options about some addresses, until a moment of the monotonic clock at the latest.
  func run(_ options: [String], _ addresses: String..., until deadline: Int?) -> ChildProcess.Capture {
    run(options, addresses, until: deadline)
  }

  /// Runs the program for any number of URLs.
  func run(_ options: [String], _ addresses: [String], until deadline: Int?) -> ChildProcess.Capture {
    let arguments =
      ["yt-dlp", "--ignore-config"] + options + [
        "--no-warnings", "--no-cache-dir", "--retries", "1", "--extractor-retries", "1", "--socket-timeout", "20",
      ] + version + ["--"] + addresses
    let seconds = deadline.map { max(1, min(limit, ($0 - Clock.steady()) / 1000)) } ?? limit
    return ChildProcess(arguments: arguments, environment: environment).captured(
      within: seconds, limit: YtDlpProgram.maxBytes, interrupt: interrupt)
  }

  /// Why a run failed: its last error, or how it ended.
  static func reason(_ capture: ChildProcess.Capture) -> String {
    let ending = capture.ending.complaint ?? ""
    let lines = String(decoding: capture.errors.suffix(4096), as: UTF8.self).split(whereSeparator: \.isNewline)
    guard case .exited = capture.ending, let said = lines.last(where: { $0.hasPrefix("ERROR: ") }) ?? lines.last else {
      return ending
    }
    let message = said.hasPrefix("ERROR: ") ? said.dropFirst(7) : said
    return "\(DisplayText(String(message)).cut(to: 300).text) (\(ending))"
  }

  /// That it could not be started.
  static func missing(_ ending: ChildProcess.Ending) -> Failure {
    Failure(PollError.ytDlpMissing(reason: ending.complaint ?? ""))
  }
}
