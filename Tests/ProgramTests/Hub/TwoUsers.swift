import FixtureServer
import Glibc
import HubReaders
import JSON
import TestSupport
import Testing

/// A hub with two users, each with a log of their own, beside one catalogue; the base of the suites that need it.
class TwoUsers {
  let sandbox: Sandbox
  private(set) var hub: RunningHub
  /// The headers with a token that may write.
  let ann: String
  let bob: String
  static let (science, other) = ("UCsXVk37bltHxD1rDPwtNM8Q", "UCHnyfMqiRRG1u-2MsSQLbXA")

  /// Whether this is about files, and PostgreSQL has nothing to do with it.
  class var isOfFiles: Bool { false }

  init() throws {
    sandbox = try Sandbox()
    if !Self.isOfFiles { try sandbox.useDatabase() }
    sandbox.server.serveFeeds(in: Files.packageRoot + "/Fixtures/feeds/channels")
    try sandbox.addUser("ann")
    try sandbox.addUser("bob")
    (ann, bob) = (try sandbox.bearer("ann"), try sandbox.bearer("bob"))
    hub = try sandbox.runHub()
  }

  /// Ends the hub, of which one at a time may serve a folder, and starts another one in the environment of now.
  func restartHub() throws {
    _ = try hub.end()
    hub = try sandbox.runHub()
  }

  func follow(_ channels: String..., by user: String, more: String = "") throws {
    let list = channels.map { "\"\($0)\"" }.joined(separator: ",")
    let response = try hub.send("POST", "/api/v1/channels", json: "{\"channels\":[\(list)]\(more)}", user)
    #expect(response.status == 200, "\(response.text)")
  }

  /// Whether the hub polls, which it does for a while after its run is logged.
  private var isPolling: Bool {
    var info = stat()
    guard stat(sandbox.folder.path + "/hub/catalogue/state/poll.lock", &info) == 0,
      let locks = Files.read("/proc/locks")
    else { return false }
    return String(decoding: locks, as: UTF8.self).contains(":\(info.st_ino) ")
  }

  /// Polls, and waits until that is over.
  func poll() throws {
    if let schema = sandbox.schema {
      let outcome = try schema.hub("poll", "--once", "--rate", "0")
      #expect(outcome.status == 0, "\(outcome.errors)")
      return
    }
    func runs() throws -> Int { try sandbox.hubLines(nil).count { $0.contains("\"kind\":\"runFinished\"") } }
    let before = try runs()
    #expect(try hub.send("POST", "/api/v1/poll", [ann]).status == 202)
    try wait { try runs() > before && !isPolling }
    #expect(try runs() > before)
  }

  /// Starts a poll that may have nothing but names to look up, which ends without a line in the log; with a database it
  /// is over when this returns.
  func lookUpNames() throws {
    if let schema = sandbox.schema {
      _ = try schema.hub("poll", "--once", "--rate", "0")
    } else {
      #expect(try hub.send("POST", "/api/v1/poll", [ann]).status == 202)
    }
  }

  func videos(_ user: String, _ query: String = "") throws -> [String] {
    try hub.get("/api/v1/videos?limit=500\(query)", user).json.texts("videos", of: "video")
  }

  func mark(_ video: String, _ member: String, by user: String) throws -> HubResponse {
    try hub.send("POST", "/api/v1/marks", json: #"{"marks":[{"video":"\#(video)",\#(member)}]}"#, user)
  }
  /// The ids of everything that Ann decided, by the variable part of a route that takes them, and texts of hers.
  struct Hers: Sendable {
    var parts: [String: String]
    var secrets: [String]
    var position: String
    var action: String

    /// Whether a response names nothing of hers but what the request named: a feed has its filter as its title.
    func isHidden(from response: HubResponse, to request: String) -> Bool {
      shown(secrets, by: response, to: request) == nil
    }

    /// What only she decided, also if others follow the same channel.
    var decisions: [String] { ["Her list", "her note", "herword", parts["{rule}"] ?? "-"] }

    /// The first of some texts that a response has and its request did not name; nil if there is none.
    func shown(_ texts: [String], by response: HubResponse, to request: String) -> String? {
      let request = request.replacing("%20", with: " ").replacing("+", with: " ")
      return texts.first { response.text.contains($0) && !request.contains($0) }
    }
  }

  func decide() throws -> Hers {
    try follow(TwoUsers.science, by: ann, more: #","tag":["herTag"]"#)
    try follow(TwoUsers.other, by: bob)
    try poll()
    let page = try hub.get("/api/v1/videos?limit=1", ann).json
    let video = try #require(page["videos"]?.elements?.first)
    let id = try #require(video["video"]?.string)
    let marked = try mark(id, #""saved":true,"note":"her note","collection":"Her list""#, by: ann).json
    #expect(marked["changed"] == 3)
    let rule = try hub.send("POST", "/api/v1/rules", json: #"{"verdict":"block","contains":"herword"}"#, ann).json
    let ruleID = try #require(rule["rule"]?.string)
    let session = try hub.get("/api/v1/sessions", logIn("ann")).json
    return Hers(
      parts: [
        "{video}": id, "{channel}": TwoUsers.science, "{collection}": "Her%20list", "{rule}": ruleID,
        // Preferences have no IDs; this is the name of none.
        "{preference}": "herPreference",
        "{log}": try #require(hub.get("/api/v1/logs", ann).json.texts("logs", of: "log").first), "{token}": "1",
        "{user}": "1",
        "{session}": try #require(session["sessions"]?.elements?.first?["id"]?.string),
      ],
      secrets: [
        id, TwoUsers.science, "Her list", "her note", "herTag", ruleID, "herword",
        try #require(video["title"]?.string),
      ],
      position: try #require(page["token"]?.string), action: try #require(marked["action"]?.string))
  }

  /// Logs in; returns the cookie.
  func logIn(_ user: String) throws -> String {
    let response = try hub.send(
      "POST", "/api/v1/session", json: #"{"name":"\#(user)","password":"\#(Sandbox.password)"}"#)
    return "Cookie: " + (try #require(response.headers["set-cookie"]).prefix { $0 != ";" })
  }
}

extension Sandbox {
  /// The lines of the logs of a home within the sandbox.
  func lines(_ home: String) -> [String] {
    folder.names(in: home + "/log").flatMap { name in
      String(decoding: folder.read("\(home)/log/\(name)") ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }
}
