import Core
import Foundation
import HubAPI
import HubCore
import HubWeb
import JSON
import Seeded
import TestSupport
import Testing

@testable import metube_hub

/// Who may call which route: every route of the table by every kind of credentials, right and wrong ones.
@Suite("Every route by every visitor")
final class HubRouteSweepTests: TwoUsers {
  /// A visitor with credentials of a user of their own, because requests are limited for each user.
  private struct Visitor {
    enum Right { case none, read, write }

    var name: String
    var headers: [String]
    var right: Right
    /// The user whose credentials they are, or were.
    var user: String?
    /// The APIs that take the credentials.
    var dialects: Set<HubDialect> = [.hub, .miniflux, .googleReader, .webSearch]
    /// What stands in paths as the secret.
    var secret = String(repeating: "x", count: 43)
    /// Whether a page of another site sends the requests.
    var isForeign = false
    /// Whether the credentials are a session's, which some routes end.
    var isSession = false
  }

  private static let readers: Set<HubDialect> = [.miniflux, .googleReader, .webSearch]

  /// A user, with an unused token of theirs, and what only they decided.
  private struct Owner {
    var token: String
    /// A word that is in everything, and an ID.
    var canaries: [String]
  }

  /// The users by name; each decided something.
  private var owners: [String: Owner] = [:]

  /// Lets a user decide things that no other user may see: what they are called has a word that names the user.
  private func decide(_ name: String, _ token: String, _ hers: Hers) throws {
    let word = "canary\(name)"
    try follow(TwoUsers.science, by: token, more: ",\"tag\":[\"\(word)\"]")
    let video = try #require(hers.parts["{video}"])
    let members = "\"saved\":true,\"note\":\"a note, \(word)\",\"collection\":\"List \(word)\""
    #expect(try mark(video, members, by: token).json["changed"] == 3)
    let rule = try hub.send("POST", "/api/v1/rules", json: "{\"verdict\":\"block\",\"contains\":\"\(word)\"}", token)
    owners[name] = Owner(token: token, canaries: [word, try #require(rule.json["rule"]?.string)])
  }

  private func visitors(_ hers: Hers) throws -> [Visitor] {
    func user(_ name: String) throws -> String {
      try sandbox.addUser(name)
      try decide(name, sandbox.bearer(name), hers)
      return name
    }
    func secret(_ bearer: String) -> String { String(bearer.split(separator: " ").last ?? "") }
    let read = try sandbox.bearer(user("read"), "read")
    let write = try sandbox.bearer(user("write"))
    let revoked = try sandbox.bearer(user("revoked"))
    let tokens = try hub.get("/api/v1/tokens", revoked).json["tokens"]?.elements ?? []
    // The last one: `user` made the first.
    let number = try #require(tokens.last?["id"]?.number.map { Int($0) })
    let revoking = try hub.send("DELETE", "/api/v1/tokens/\(number)", [logIn("revoked")])
    #expect(revoking.status == 200, "\(revoking.text)")
    let ended = try logIn(user("ended"))
    #expect(try hub.send("DELETE", "/api/v1/session", [ended]).status == 200)
    let passwords = try user("password") + ":" + Sandbox.password
    let google = try sandbox.bearer(user("google"))
    return [
      Visitor(name: "nobody", headers: [], right: .none),
      Visitor(
        name: "an invented token", headers: ["Authorization: Bearer mth_" + String(repeating: "a", count: 43)],
        right: .none),
      Visitor(name: "a revoked token", headers: [revoked], right: .none, user: "revoked", secret: secret(revoked)),
      Visitor(name: "an ended session", headers: [ended], right: .none, user: "ended"),
      Visitor(name: "an invented session", headers: ["Cookie: metube=a.b"], right: .none),
      Visitor(name: "a token as a cookie", headers: ["Cookie: metube=" + secret(write)], right: .none, user: "write"),
      Visitor(
        name: "a reading token", headers: [read], right: .read, user: "read",
        dialects: HubRouteSweepTests.readers.union([.hub, .meTube]), secret: secret(read)),
      Visitor(
        name: "a writing token", headers: [write], right: .write, user: "write",
        dialects: HubRouteSweepTests.readers.union([.hub, .meTube]), secret: secret(write)),
      Visitor(
        name: "a session", headers: [try logIn(user("session"))], right: .write, user: "session", dialects: [.hub],
        isSession: true),
      Visitor(
        name: "a session on another site", headers: [try logIn(user("foreign")), "Origin: https://evil.example"],
        right: .write, user: "foreign", dialects: [.hub], isForeign: true, isSession: true),
      Visitor(
        name: "name and password", headers: [basic(passwords)], right: .write, user: "password",
        dialects: HubRouteSweepTests.readers),
      Visitor(
        name: "Google's login", headers: ["Authorization: GoogleLogin auth=" + secret(google)], right: .write,
        user: "google", dialects: HubRouteSweepTests.readers),
      Visitor(
        name: "Miniflux's header", headers: ["X-Auth-Token: " + secret(try sandbox.bearer(user("miniflux")))],
        right: .write, user: "miniflux", dialects: HubRouteSweepTests.readers),
      // Wrong passwords are limited, so they come last.
      Visitor(name: "an empty password", headers: [basic("ann:")], right: .none),
    ]
  }

  private func basic(_ credentials: String) -> String {
    "Authorization: Basic " + Data(credentials.utf8).base64EncodedString()
  }

  @Test("Each route admits exactly its clients, and shows and changes nothing of another user")
  func sweep() throws {
    let hers = try decide()
    owners["ann"] = Owner(token: ann, canaries: hers.decisions)
    try decide("bob", bob, hers)
    let visitors = try visitors(hers)
    let sessions = try hub.get("/api/v1/sessions", logIn("ann")).json.texts("sessions", of: "id")
    var random = SeededGenerator(seed: 0)
    for visitor in visitors {
      let before = try lines()
      for route in HubRouteSweepTests.routes {
        let (request, context) = try request(route, by: visitor, hers, &random)
        // An event stream has no end; its first event is enough.
        let response = try HubResponse(
          route.name == "events" ? Array(firstEvent(of: request).utf8) : hub.exchange(request))
        check(response, visitor, route, "\(context): \(response.status) \(response.text.prefix(200))")
        expectHidden(hers, by: response, to: request, visitor, context)
      }
      let after = try lines()
      for (user, lines) in before where user != visitor.user || visitor.right != .write || visitor.isForeign {
        #expect(after[user] == lines, "\(visitor.name) changed what \(user) decided")
      }
    }
    try passDoors(visitors, hers, &random)
    for (user, owner) in owners {
      #expect(try hub.get("/api/v1/tokens", owner.token).status == 200, "the token of \(user) still works")
    }
    let left = try Set(hub.get("/api/v1/sessions", logIn("ann")).json.texts("sessions", of: "id"))
    #expect(left.isSuperset(of: sessions) && !sessions.isEmpty)
  }

  /// Presents wrong names, passwords and codes: no door lets anybody in. The last ones, because guesses are limited by
  /// address.
  private func passDoors(_ visitors: [Visitor], _ hers: Hers, _ random: inout SeededGenerator) throws {
    for visitor in visitors {
      for route in HubRouteSweepTests.all where HubRouteSweepTests.doors.contains(route.name) {
        let (request, context) = try request(route, by: visitor, hers, &random)
        let response = try HubResponse(hub.exchange(request))
        let statuses = visitor.isForeign ? [403] : [400, 401, 403, 422, 429]
        #expect(statuses.contains(response.status), "\(context): \(response.status) \(response.text.prefix(200))")
        #expect(response.headers["set-cookie"] == nil && !response.text.contains("mth_"), "\(context)")
        expectHidden(hers, by: response, to: request, visitor, context)
      }
    }
  }

  private static let all = HubRoute.all + HubRoute.dialects + HubRoute.push + HubRoute.pages
  /// Those that take passwords and codes.
  private static let doors: Set<String> = ["logIn", "logInByForm", "pair", "/accounts/ClientLogin", "/api/auth/login"]
  /// Those that end the visitor's own access come last.
  private static let endings: Set<String> = ["endOtherSessions", "logOutByForm", "logOut"]
  private static let routes =
    all.filter { !doors.contains($0.name) && !endings.contains($0.name) } + all.filter { endings.contains($0.name) }

  /// A request of a route, and its description.
  private func request(
    _ route: HubRoute, by visitor: Visitor, _ hers: Hers, _ random: inout SeededGenerator
  ) throws -> (bytes: [UInt8], context: String) {
    var (parts, headers) = (hers.parts, visitor.headers)
    parts["{secret}"] = visitor.secret
    parts["{stream*}"] = "feed/1"
    let values = RouteSample.Values(parts: parts, video: hers.parts["{video}"] ?? "", channel: TwoUsers.other)
    if visitor.isSession, HubRouteSweepTests.endings.contains(route.name), let user = visitor.user {
      headers[0] = try logIn(user)
    }
    let sample = RouteSample(route, values, &random, isFull: false)
    return (sample.bytes(["Host: \(hub.host)"] + headers), "\(visitor.name): \(sample.method) \(sample.target)")
  }

  private func firstEvent(of request: [UInt8]) throws -> String {
    let connection = try HubConnection(hub.port)
    connection.write(request)
    return connection.read(until: "\n\n")
  }

  /// Expects that a response shows nothing that another user decided.
  private func expectHidden(
    _ hers: Hers, by response: HubResponse, to request: [UInt8], _ visitor: Visitor, _ context: String
  ) {
    let others = owners.filter { $0.key != visitor.user }.flatMap(\.value.canaries)
    let shown = hers.shown(others, by: response, to: String(decoding: request, as: UTF8.self))
    #expect(shown == nil, "\(context): \(shown ?? "")")
  }

  /// The lines of everybody's logs.
  private func lines() throws -> [String: [String]] {
    try owners.keys.reduce(into: [:]) { $0[$1] = try sandbox.hubLines($1) }
  }

  private func check(_ response: HubResponse, _ visitor: Visitor, _ route: HubRoute, _ context: String) {
    #expect(response.status < 500 || response.status == 503, "\(context)")
    // With users the MeTube app's API is nowhere but below its secret.
    let isThere = route.dialect != .meTube || route.parts.contains("{secret}")
    let isKnown = visitor.right != .none && visitor.dialects.contains(route.dialect) && isThere
    if visitor.isForeign, route.method != .get {
      #expect(response.status == 403, "\(context)")
    } else if route.access == .open {
      #expect(response.status != 401, "\(context)")
    } else if !isKnown {
      let isSentToLogIn = response.status == 303 && response.headers["location"]?.hasPrefix("/login") == true
      #expect(
        isSentToLogIn || [401, 429].contains(response.status) || route.dialect == .meTube && response.status == 404,
        "\(context)")
    } else if visitor.right == .read, route.access == .write {
      #expect(response.status == 403, "\(context)")
    } else {
      #expect(response.status != 401 && response.headers["location"]?.hasPrefix("/login") != true, "\(context)")
    }
  }
}
