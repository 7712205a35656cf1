import Foundation
import TestSupport
import Testing

/// Guesses of passwords at every door of a hub, behind a proxy that names the clients.
@Suite("Guesses at every login")
struct GuessingTests {
  private let sandbox: Sandbox
  private let hub: RunningHub
  private let home = "192.0.2.1"
  private let elsewhere = "198.51.100.1"

  /// A way to present a password.
  enum Door: String, CaseIterable, Sendable {
    case session, basic, clientLogin, app, page

    /// The status for the right and for a wrong password.
    var statuses: (right: Int, wrong: Int) {
      switch self {
      case .session: (200, 403)
      case .basic, .clientLogin, .app: (200, 401)
      case .page: (303, 403)
      }
    }
  }

  init() throws {
    sandbox = try Sandbox()
    try sandbox.useDatabase()
    for door in Door.allCases { try sandbox.addUser(door.rawValue.lowercased()) }
    hub = try sandbox.runHub("--trusted-proxy", "127.0.0.1")
  }

  private func send(_ password: String, to door: Door, from address: String) throws -> HubResponse {
    let name = door.rawValue.lowercased()
    let client = "X-Forwarded-For: \(address)"
    let (json, form) = ("Content-Type: application/json", "Content-Type: application/x-www-form-urlencoded")
    let field = password.replacing(" ", with: "+")
    switch door {
    case .session:
      return try hub.send(
        "POST", "/api/v1/session", [client, json], body: #"{"name":"\#(name)","password":"\#(password)"}"#.utf8)
    case .basic:
      let credentials = Data("\(name):\(password)".utf8).base64EncodedString()
      return try hub.get("/v1/me", client, "Authorization: Basic \(credentials)")
    case .clientLogin:
      return try hub.send("POST", "/accounts/ClientLogin", [client, form], body: "Email=\(name)&Passwd=\(field)".utf8)
    case .app:
      return try hub.send(
        "POST", "/api/auth/login", [client, json], body: #"{"username":"\#(name)","password":"\#(password)"}"#.utf8)
    case .page:
      return try hub.send("POST", "/login", [client, form], body: "name=\(name)&password=\(field)".utf8)
    }
  }

  /// What a response consists of, but for the moment at which it was sent.
  private func shape(_ response: HubResponse) -> String {
    let headers = response.headers.filter { !["date", "retry-after"].contains($0.key) }.map { "\($0): \($1)" }.sorted()
    return "\(response.status) \(headers) \(response.text)"
  }

  @Test(
    "At the limit the right password gets the response of a wrong one; at home it is let in, until wrong ones come from there",
    arguments: Door.allCases)
  func doors(_ door: Door) throws {
    #expect(try send(Sandbox.password, to: door, from: home).status == door.statuses.right)
    for number in 0..<5 {
      #expect(try send("wrong horse \(number)", to: door, from: elsewhere).status == door.statuses.wrong)
    }
    let wrong = try send("wrong horse 5", to: door, from: elsewhere)
    let right = try send(Sandbox.password, to: door, from: elsewhere)
    #expect(wrong.status == 429 && shape(wrong) == shape(right), "\(shape(wrong)) \(shape(right))")
    #expect(right.headers["retry-after"] != nil && right.headers["set-cookie"] == nil)
    #expect(try send(Sandbox.password, to: door, from: home).status == door.statuses.right)
    for number in 0..<5 {
      #expect(try send("wrong horse \(number)0", to: door, from: home).status == door.statuses.wrong)
    }
    #expect(try shape(send("wrong horse", to: door, from: home)) == shape(right))
    #expect(try shape(send(Sandbox.password, to: door, from: home)) == shape(right))
  }

  @Test("Clients with a session or a token are exempt from the limits")
  func sessionsAndTokens() throws {
    let (token, response) = (try sandbox.bearer("session"), try send(Sandbox.password, to: .session, from: home))
    let cookie = "Cookie: " + (try #require(response.headers["set-cookie"]).prefix { $0 != ";" })
    for number in 0..<6 {
      for address in [home, elsewhere] { _ = try send("wrong horse \(number)", to: .session, from: address) }
    }
    #expect(try send(Sandbox.password, to: .session, from: home).status == 429)
    for header in [token, cookie] {
      #expect(try hub.get("/api/v1/session", "X-Forwarded-For: \(elsewhere)", header).status == 200)
    }
    let secret = String(token.split(separator: " ").last ?? "")
    let basic = Data("session:\(secret)".utf8).base64EncodedString()
    #expect(try hub.get("/v1/me", "X-Forwarded-For: \(elsewhere)", "Authorization: Basic \(basic)").status == 200)
  }

  @Test("Who has a session changes the password while others guess, and logs in with it where that was")
  func password() throws {
    let login = try send(Sandbox.password, to: .session, from: home)
    let cookie = "Cookie: " + (try #require(login.headers["set-cookie"]).prefix { $0 != ";" })
    for number in 0..<5 { _ = try send("wrong horse \(number)", to: .session, from: elsewhere) }
    let (train, new) = ("203.0.113.9", "a newer horse")
    #expect(try send(Sandbox.password, to: .session, from: train).status == 429)
    func change(_ current: String) throws -> Int {
      let body = #"{"current":"\#(current)","password":"\#(new)"}"#
      let headers = ["X-Forwarded-For: \(train)", "Content-Type: application/json", cookie]
      return try hub.send("PUT", "/api/v1/password", headers, body: body.utf8).status
    }
    #expect(try change("wrong horse") == 403 && change(Sandbox.password) == 200)
    for number in 5..<10 { _ = try send("wrong horse \(number)", to: .session, from: elsewhere) }
    #expect(try send(new, to: .session, from: train).status == 200)
    #expect(try send(new, to: .session, from: "203.0.113.77").status == 429)
    for number in 0..<4 { #expect(try change("wrong horse \(number)") == 403) }
    #expect(try change(new) == 429, "attempts of a session are limited too")
  }

  @Test("Codes of new devices are limited by address, of IPv6 by /64, and no client uses up another's attempts")
  func codes() throws {
    func pair(_ code: String, from address: String) throws -> Int {
      let body = #"{"code":"\#(code)","device":"bbbbbbbb"}"#
      return try hub.send(
        "POST", "/api/v1/pair", ["X-Forwarded-For: \(address)", "Content-Type: application/json"], body: body.utf8
      ).status
    }
    let outcome = try sandbox.hub(["pair", "session"] + sandbox.hubOptions)
    let code = String(try #require(outcome.lines.first, "\(outcome.errors)"))
    for network in 1...6 {
      for number in 0..<20 {
        #expect(try pair("AAAAAAAA", from: "2001:db8:0:\(network)::\(number + 1)") == 403)
      }
      #expect(try pair(code, from: "2001:db8:0:\(network)::ffff") == 429, "right or wrong")
    }
    #expect(try pair(code, from: home) == 201)
  }
}
