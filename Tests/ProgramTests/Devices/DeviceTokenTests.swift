import Core
import EventLog
import FixtureServer
import Glibc
import Gzip
import HubStore
import JSON
import Library
import ReadModel
import SQLDrivers
import TestSupport
import Testing

@testable import App
@testable import Platform
@testable import Sync
@testable import metube_hub

/// Which log a token may write, what is taken from it, and how a device gets it.
@Suite("Tokens of devices")
final class DeviceTokenTests: TwoUsers {
  /// A device of a user with a token of its own.
  private func device(_ user: String) throws -> SyncedDevice {
    SyncedDevice(sandbox, token: String(try sandbox.bearer(user).dropFirst("Authorization: Bearer ".count)))
  }

  private func send(
    _ body: [UInt8], to log: String, _ header: String, _ query: String = "?offset=0", more: [String] = []
  ) throws -> HubResponse {
    try hub.send("POST", "/api/v1/logs/\(log)\(query)", [header, "Content-Type: application/jsonl"] + more, body: body)
  }

  /// The whole log of a device.
  private func log(_ device: SyncedDevice) throws -> [UInt8] {
    try #require(try device.folder.read("log/\(device.device).jsonl"))
  }

  /// The logs that the hub has of a user, as files are called.
  private func names(_ user: String) throws -> [String] {
    guard let schema = sandbox.schema else { return sandbox.folder.names(in: "hub/users/\(user)/log") }
    var names: [String] = []
    try schema.connect().forEach(
      "SELECT log.name || '.jsonl' FROM log JOIN owner ON owner.n = owner WHERE owner.name = ?", user
    ) { names.append($0.text(0)) }
    return names
  }

  @Test("A token writes the log of its first device, and no other's")
  func bound() throws {
    let (first, second) = (try device("ann"), try device("ann"))
    try first.decide(.mark(1, .watched))
    try first.sync(hub.port)
    try second.decide(.mark(2, .watched))
    let token = "Authorization: Bearer \(first.token ?? "")"
    // Its own is now that of the first; the second one's token wrote the other.
    try second.sync(hub.port)
    let refused = try send(log(second), to: "\(second.device)", token)
    #expect(refused.status == 403 && refused.text.contains("another token"), "\(refused.text)")
    #expect(try send(log(first), to: "\(first.device)", "Authorization: Bearer \(second.token ?? "")").status == 403)
    // Another user's device, whether or not it has a token.
    try #expect(send(log(first), to: "\(first.device)", bob).status == 403)
    #expect(try hub.get("/api/v1/logs", bob).json["logs"]?.elements == [])
    #expect(try hub.get("/api/v1/logs/\(first.device)?offset=0", bob).status == 404)
    #expect(try names("bob").isEmpty)
    // One that no token writes may be returned by any device of the user.
    let lost = SyncedDevice(sandbox)
    try lost.decide(.mark(3, .watched))
    try #expect(send(log(lost), to: "\(lost.device)", token).status == 200)
    let lostName = try lost.device.description
    #expect(try names("ann").contains(lostName + ".jsonl"))
  }

  @Test("No token becomes that of the hub's own log, which devices only bring back to a restored hub", .ofFiles)
  func hubsOwn() throws {
    let device = try device("ann")
    try device.decide(.mark(1, .watched))
    try device.sync(hub.port)
    try follow(TwoUsers.science, by: ann)
    let own = try #require(names("ann").first { $0 != (try? device.device.description).map { $0 + ".jsonl" } })
    let path = "hub/users/ann/log/\(own)"
    let old = try #require(sandbox.folder.read(path))
    // A token without a device does not get it, nor does one that is paired.
    for _ in 0..<2 {
      let table = try #require(LogTable(hub.get("/api/v1/logs", ann).json))
      let mark = try #require(table.logs.first { own.hasPrefix($0.log) })
      let query = "?offset=\(mark.end.length)&checksum=\(mark.end.checksum)"
      #expect(try send([], to: mark.log, sandbox.bearer("ann"), query).status == 200)
    }
    let code = try #require(sandbox.hub(["pair", "ann"] + sandbox.hubOptions).lines.first)
    func pair(_ id: String) throws -> Int {
      try hub.send("POST", "/api/v1/pair", json: #"{"code":"\#(code)","device":"\#(id)"}"#).status
    }
    #expect(try pair(String(own.prefix(8))) == 403)
    #expect(try pair("cccccccc") == 201, "the code was not used up")
    // What the page decided comes back from the device.
    try follow(TwoUsers.other, by: ann)
    try device.sync(hub.port)
    let whole = try #require(sandbox.folder.read(path))
    hub.kill()
    sandbox.folder.write(old, to: path)
    unlink(sandbox.folder.path + "/hub/users/ann/state/extent")
    let restored = try sandbox.runHub()
    try device.sync(restored.port)
    #expect(sandbox.folder.read(path) == whole)
  }

  @Test("Users who began with copies of one home both go on", .ofFiles)
  func sharedHome() throws {
    let home = SyncedDevice(sandbox)
    try home.decide(.mark(1, .watched))
    for name in ["cid", "dora"] { try sandbox.addUser(name, "--from", home.folder.path) }
    let lines = try log(home)
    for name in ["cid", "dora"] {
      let known = try #require(LogTable(hub.get("/api/v1/logs", sandbox.bearer(name)).json)).logs
      #expect(known.map(\.end.length) == [UInt64(lines.count)])
      let query = "?offset=\(lines.count)&checksum=\(known[0].end.checksum)"
      let response = try send([], to: known[0].log, sandbox.bearer(name), query)
      // The token of one of them writes it.
      #expect(response.status == (name == "cid" ? 200 : 403), "\(response.text)")
      #expect(name == "cid" || response.text.contains("another token"))
    }
    #expect(try send(lines, to: "\(home.device)", ann).status == 403)
  }

  @Test("Only the token of a device writes: not a reader's, not a session, not a client without a login")
  func roles() throws {
    let device = try device("ann")
    try device.decide(.mark(1, .watched))
    let (name, lines) = (try device.device.description, try log(device))
    #expect(try send(lines, to: name, sandbox.bearer("ann", "read")).status == 403)
    #expect(try send(lines, to: name, logIn("ann")).status == 403)
    #expect(try send(lines, to: name, "X-Nobody: 1").status == 401)
    #expect(try names("ann").isEmpty)
    try device.sync(hub.port)
    #expect(try hub.get("/api/v1/logs/\(name)?offset=0", sandbox.bearer("ann", "read")).body == lines)
    #expect(try hub.get("/api/v1/logs", "X-Nobody: 1").status == 401)
  }

  @Test("Tampered, foreign and future lines, and lines without end, are refused whole")
  func hostile() throws {
    let (device, other) = (try device("ann"), SyncedDevice(sandbox))
    for number in 1...5 as ClosedRange<UInt64> { try device.decide(.mark(number, .watched)) }
    try other.decide(.mark(1, .watched))
    let (name, lines) = (try device.device.description, try log(device))
    func expectRefused(_ body: [UInt8], _ status: Int, _ text: String, more: [String] = []) throws {
      let response = try send(body, to: name, ann, more: more)
      #expect(response.status == status && response.text.contains(text), "\(response.status) \(response.text)")
      #expect(try names("ann").isEmpty, "nothing is taken")
    }
    for index in stride(from: 3, to: lines.count, by: 61) where lines[index] != 10 {
      var tampered = lines
      tampered[index] ^= 1
      try expectRefused(tampered, 422, "damaged")
    }
    try expectRefused(log(other), 422, "another device")
    try expectRefused(Array(lines.dropLast()), 422, "incomplete")
    try expectRefused(Array(lines[(lines.firstIndex(of: 10) ?? 0)...].dropFirst()), 422, "first line")
    let future = Array((Seal.line(#"{"v":2,"id":"0019a1b2c3d4e-0000-\#(name)","kind":"x""#) + "\n").utf8)
    try expectRefused(lines + future, 422, "later version")
    try device.decide(at: UInt64(time(nil)) * 1000 + 90_000_000, .mark(6, .watched))
    try expectRefused(log(device), 422, "a day after the receiver's clock")
    try expectRefused(Gzip.bomb(bytes: 100 << 20), 400, "gzip", more: ["Content-Encoding: gzip"])
    try expectRefused(lines, 415, "plain or gzip", more: ["Content-Encoding: br"])
    // A line of 2 GB: the announcement suffices, and without one the first megabytes do.
    let head = "POST /api/v1/logs/\(name)?offset=0 HTTP/1.1\r\nHost: \(hub.host)\r\n\(ann)\r\n"
    let announced = try HubResponse(hub.exchange(Array((head + "Content-Length: 2147483648\r\n\r\n").utf8)))
    #expect(announced.status == 413)
    let piece = [UInt8](repeating: 0x61, count: 9 << 20)
    let chunk = Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece
    let unannounced = try HubResponse(hub.exchange(Array((head + "Transfer-Encoding: chunked\r\n\r\n").utf8) + chunk))
    #expect(unannounced.status == 413)
    for query in ["", "?offset=-1", "?offset=5", "?offset=5&checksum=..%2f", "?offset=0&wholeLength=5&wholeChecksum=x"]
    {
      #expect([400, 422].contains(try send([], to: name, ann, query).status), "\(query)")
    }
    for log in ["..%2f..%2fhub.db", "UPPERCAS", name + "%2f..%2fx", name + ".fork-x", "short"] {
      #expect([403, 404].contains(try send(lines, to: log, ann).status), "\(log)")
    }
    #expect(try names("ann").isEmpty)
    #expect(try send(lines, to: name, ann).status == 200)
    // The same lines again do not fit, or are there already; the response says how far the log is there.
    let again = try send(lines, to: name, ann)
    let table = try #require(LogTable(again.json))
    #expect(again.status == (sandbox.schema == nil ? 409 : 200) && table.logs.first?.end.length == UInt64(lines.count))
  }

  @Test("A hub that tampers with lines is not believed", .ofFiles)
  func hostileHub() throws {
    let (first, second) = (try device("ann"), try device("ann"))
    for number in 1...5 as ClosedRange<UInt64> { try first.decide(.mark(number, .watched)) }
    try first.sync(hub.port)
    let path = "hub/users/ann/log/\(try first.device).jsonl"
    var bytes = try #require(sandbox.folder.read(path))
    // Whole lines with right checksums, of another device.
    let other = SyncedDevice(sandbox)
    try other.decide(.mark(9, .watched))
    bytes += try log(other).split(separator: 10).dropFirst().flatMap { $0 + [10] }
    sandbox.folder.write(bytes, to: path)
    #expect(try second.sync(hub.port).problem?.status == .invalidInput)
    #expect(second.events.isEmpty)
    let outcome = try second.run(hub.port, "sync")
    #expect(outcome.status == 65 && outcome.errors.contains("another device"), "\(outcome.errors)")
  }

  @Test(
    "A token that crosses a network in the clear is recognised by the URL",
    arguments: [
      ("http://127.0.0.1:5057", false), ("http://localhost", false), ("http://[::1]:5057", false),
      ("https://hub.example", false), ("http://hub.example", true), ("http://127.0.0.1.example", true),
      ("http://127.0.0.1:5057/metube", false), ("http://hub.example/127.0.0.1", true),
      ("http://localhost.example:80", true), ("http://127.1.example", true), ("http://192.168.1.2:5057", true),
    ])
  func clearText(url: String, isClear: Bool) throws {
    let settings = try Settings(environment: [:], file: sandbox.folder.path + "/none")
    #expect(try #require(try HubClient(settings, url: url, retries: 0, budget: .whole)).sendsInTheClear == isClear)
  }

  @Test("A code pairs one device, once; the token stays out of messages, and revoking it ends the access")
  func pairing() throws {
    let device = SyncedDevice(sandbox)
    let shown = try sandbox.hub(["pair", "ann"] + sandbox.hubOptions)
    let code = try #require(shown.lines.first)
    #expect(code.count == 9 && shown.errors.contains("ten minutes"), "\(shown.errors)")
    let url = "http://127.0.0.1:\(hub.port)"
    device.folder.write("# mine\nMETUBE_RSS_IP=4\nMETUBE_RSS_HUB=http://old.example\n".utf8, to: "env")
    let program = Program(environment: device.environment(hub.port).filter { $0.key != "METUBE_RSS_HUB" })
    let wrong = try program.run(["pair", url, "AAAA-AAAA"])
    #expect(wrong.status == 69 && wrong.errors.contains("wrong or expired"), "\(wrong.errors)")
    let paired = try program.run(["pair", url, code.lowercased()])
    #expect(paired.status == 0 && paired.text.contains("as ann"), "\(paired.errors)")
    #expect(paired.errors.isEmpty)
    let settings = String(decoding: try #require(device.folder.read("env")), as: UTF8.self)
    #expect(settings.hasPrefix("# mine\nMETUBE_RSS_IP=4\nMETUBE_RSS_HUB=\(url)\nMETUBE_RSS_HUB_TOKEN=mth_"))
    var status = stat()
    #expect(stat(device.folder.path + "/env", &status) == 0 && status.st_mode & 0o777 == 0o600)
    let secret = try #require(settings.split(separator: "=").last.map { String($0.dropLast()) })
    let again = try program.run(["pair", url, code])
    #expect(again.status == 69, "a code works once")
    try device.decide(.mark(1, .watched))
    #expect(try program.run(["sync"]).status == 0)
    let id = try device.device.description
    #expect(try names("ann").filter { $0.hasPrefix(id) } == [id + ".jsonl"])
    let shownSettings = try program.run(["config"])
    #expect(!shownSettings.text.contains(secret) && shownSettings.text.contains("not shown"))
    let list = try sandbox.hub(["token", "list"] + sandbox.hubOptions)
    let row = try #require(list.lines.first { $0.hasSuffix("\t" + id) }, "\(list.text)")
    let number = try #require(row.split(separator: "\t").first)
    #expect(try sandbox.hub(["token", "revoke", String(number)] + sandbox.hubOptions).status == 0)
    let refused = try program.run(["sync"])
    #expect(refused.status == 69 && refused.errors.contains("pair") && !refused.errors.contains(secret))
  }

  @Test("Pairing fills the home at once, or says what happened, and two machines of one name can be told apart")
  func filled() throws {
    try follow(TwoUsers.science, by: ann)
    let url = "http://127.0.0.1:\(hub.port)"
    func pair(_ name: String) throws -> (device: SyncedDevice, outcome: Program.Outcome) {
      let device = SyncedDevice(sandbox)
      let code = try #require(sandbox.hub(["pair", "ann"] + sandbox.hubOptions).lines.first)
      let program = Program(environment: device.environment(hub.port).filter { $0.key != "METUBE_RSS_HUB" })
      return (device, try program.run(["pair", url, code, "--name", name]))
    }
    let (first, outcome) = try pair("laptop, kitchen")
    #expect(outcome.status == 0 && outcome.lines.last?.contains("received") == true, "\(outcome.text)\(outcome.errors)")
    #expect(try first.run(hub.port, "list").text.contains("last sync just now"))
    #expect(try first.run(hub.port, "channels").text.contains(TwoUsers.science))
    _ = try pair("laptop, attic")
    let list = try sandbox.hub(["token", "list"] + sandbox.hubOptions).text
    #expect(list.contains("laptop, kitchen") && list.contains("laptop, attic"), "\(list)")
  }

  @Test("Codes end after ten minutes, and guessing is limited", .ofFiles)
  func limits() throws {
    let accounts = try Accounts(folder: sandbox.hubData)
    let code = try accounts.addPairing(of: "ann", now: 1000)
    #expect(try accounts.pair(code: code, device: "aaaaaaaa", name: "x", now: 1601) { _ in } == nil)
    let other = try accounts.addPairing(of: "ann", now: 1000)
    let made = try #require(try accounts.pair(code: other, device: "aaaaaaaa", name: "x", now: 1600) { _ in })
    #expect(made.user == "ann")
    // Pairing a device again replaces its token; another user cannot take it over.
    let bobs = try accounts.addPairing(of: "bob", now: 1000)
    #expect(try accounts.pair(code: bobs, device: "aaaaaaaa", name: "x", now: 1600) { _ in } == nil)
    let third = try accounts.addPairing(of: "ann", now: 1000)
    #expect(try accounts.pair(code: third, device: "aaaaaaaa", name: "x", now: 1600) { _ in } != nil)
    #expect(try accounts.tokens(of: "ann").count { $0.device == "aaaaaaaa" } == 1)
    let body = #"{"code":"AAAAAAAA","device":"bbbbbbbb"}"#
    let statuses = try (0..<25).map { _ in try hub.send("POST", "/api/v1/pair", json: body).status }
    #expect(statuses.first == 403 && statuses.last == 429, "\(statuses)")
  }

  @Test("The page's settings show a code to a session, and the devices")
  func page() throws {
    let cookie = try logIn("ann")
    let form = ["Content-Type: application/x-www-form-urlencoded"]
    let response = try hub.send("POST", "/settings/tokens", form + [cookie], body: "action=pair".utf8)
    let code = try #require(response.text.firstMatch(of: #/metube-rss pair http://[0-9.:]+ ([A-Z0-9]{4}-[A-Z0-9]{4})/#))
    #expect(response.headers["cache-control"] == "no-store")
    let body = #"{"code":"\#(code.output.1)","device":"cccccccc","name":"<laptop>"}"#
    #expect(try hub.send("POST", "/api/v1/pair", json: body).status == 201)
    let settings = try hub.get("/settings", cookie).text
    #expect(settings.contains("&lt;laptop&gt;") && settings.contains("a device, never used"))
    #expect(try hub.send("POST", "/settings/tokens", form + [ann], body: "action=pair".utf8).status == 403)
  }

  @Test("What the hub polls for all its users reaches a user's devices, but nothing of the others")
  func catalogue() throws {
    try follow(TwoUsers.science, by: ann)
    try follow(TwoUsers.other, by: bob)
    try poll()
    sandbox.server.forgetRequests()
    let (first, second) = (try device("ann"), try device("ann"))
    for device in [first, second] {
      let outcome = try device.run(hub.port, "poll", "--hub-retries", "0")
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    #expect(sandbox.server.requests.isEmpty)
    func videos(_ device: SyncedDevice) throws -> Set<String> {
      Set(try device.run(hub.port, "list", "--all", "--shorts", "show", "--format", "ids", "--limit", "0").lines)
    }
    let hers = try Set(self.videos(ann, "&all=true&shorts=show&upcoming=show"))
    #expect(try videos(first).isSubset(of: hers) && !videos(first).isEmpty)
    #expect(first.events == second.events)
    #expect(!first.events.contains { $0.contains(TwoUsers.other) }, "what only Bob follows")
    // Following it shows what the catalogue found long ago.
    try first.decide(
      .channelFollowed(
        ChannelFollowed(subscription: .channel(try #require(ChannelID(TwoUsers.other))), title: nil, tags: nil)))
    try first.sync(hub.port)
    try first.sync(hub.port)
    #expect(first.events.contains { $0.contains(TwoUsers.other) && $0.contains("videoFound") })
    #expect(try first.sync(hub.port).requests == 1)
    try second.sync(hub.port)
    #expect(first.events == second.events)
    guard sandbox.schema == nil else { return }
    // No device may write the catalogue's own log, and the copy is made anew if it is lost.
    let log = try #require(sandbox.folder.names(in: "hub/catalogue/log").first)
    #expect(try send([], to: String(log.dropLast(6)), ann).status == 409)
    for name in sandbox.folder.names(in: "hub/users/ann/state/feeds/log") {
      unlink(sandbox.folder.path + "/hub/users/ann/state/feeds/log/" + name)
    }
    unlink(sandbox.folder.path + "/hub/users/ann/state/feeds/covered")
    for _ in 0..<2 { for device in [first, second] { try device.sync(hub.port) } }
    #expect(first.events == second.events)
    #expect(try first.sync(hub.port).requests == 1)
  }
}
