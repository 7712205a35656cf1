import App
import ArgumentParser
import Arguments
import Core
import EventLog
import Glibc
import JSON
import Library
import Messages
import Platform
import Sync

/// `pair`: makes this device one of a hub's.
struct PairCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", abstract: "Pair this device with your hub.",
    discussion: """
      metube-hub pair, or the settings on the hub's page, show the code. The hub's
      URL and this device's token go to the settings file, which only you can read.
      Then it exchanges marks and videos with the hub, as metube-rss sync does.

      Examples:
        metube-rss pair https://hub.example K7QF-H2MX
        metube-rss pair https://hub.example K7QF-H2MX --name 'laptop, kitchen'
      """)
  @OptionGroup var common: CommonOptions
  @Option(help: ArgumentHelp("What the hub calls this device (default: the name of this machine).", valueName: "name"))
  var name: String?
  @Argument(help: ArgumentHelp("The hub's address.", valueName: "url")) var url: String
  @Argument(help: ArgumentHelp("The code, valid for ten minutes.", valueName: "code")) var code: String

  static let sendsAfterwards = false
  func run(in session: Session, to output: inout Output) throws {
    guard let client = try HubClient(session.settings, url: url, retries: 0, budget: .whole) else { return }
    let device = try Session.reporting { try session.files.journal.establishDevice() }
    let response = try client.send(
      "/api/v1/pair",
      body: .json([
        "code": .string(code), "device": .string(device.description), "name": .string(name ?? PairCommand.host),
      ]))
    guard response.status == 201, let secret = response.json?["secret"]?.string, PairCommand.isToken(secret) else {
      throw Failure(.refused, "\(client.url): \(response.detail)")
    }
    try SettingsFile(session.settings.path).set([("METUBE_RSS_HUB", client.url), ("METUBE_RSS_HUB_TOKEN", secret)])
    let user = DisplayText(response.json?["user"]?.string ?? "").text
    output.write("paired with \(client.url)\(user.isEmpty ? "" : " as \(user)")\n")
    try output.finish()
    if client.sendsInTheClear {
      StandardError.report("\(client.url): without https, anybody on the way can read the token and the log")
    }
    let paired = try HubClient(session.settings, of: client.url, token: secret, retries: 3, budget: .whole)
    do { output.write(try session.sync(with: paired) {}.text) } catch let failure as Failure {
      throw Failure(failure.status, "\(failure.message); paired all the same: metube-rss sync fetches what the hub has")
    }
  }

  /// The name of this machine.
  private static var host: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether a text can stand in the settings file and in a header.
  private static func isToken(_ text: String) -> Bool {
    (1...200).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7f && !"\"'#\\".utf8.contains($0) }
  }
}

/// The settings file as this program changes it: line by line, leaving the others as they are.
struct SettingsFile {
  private let path: String

  init(_ path: String) { self.path = path }

  /// Sets variables, and makes the file private.
  func set(_ values: [(name: String, value: String)]) throws {
    let old = File.exists(path) ? String(decoding: try File.read(path, limit: 1 << 20), as: UTF8.self) : ""
    var lines = old.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    lines.removeAll { line in
      let name = line.prefix { $0 != "=" }.filter { $0 != " " && $0 != "\t" }
      return line.contains("=") && values.contains { $0.name == name }
    }
    lines += values.map { "\($0.name)=\($0.value)" }
    File.makeFolders(File.folder(of: path))
    // Before the token is in it.
    if !File.exists(path) { close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }
    guard chmod(path, 0o600) == 0 else { throw File.failure(path, "cannot be made private") }
    _ = try File.replace(path, with: Array((lines.joined(separator: "\n") + "\n").utf8))
  }
}
