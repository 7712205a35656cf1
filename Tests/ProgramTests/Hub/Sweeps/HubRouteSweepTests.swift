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
    /// The APIs that take the credentials.
    var dialects: Set<HubDialect> = [.hub, .miniflux, .googleReader, .webSearch]
    /// What stands in paths as the secret.
    var secret = String(repeating: "x", count: 43)
    /// Whether a page of another site sends the requests.
    var isForeign = false
  }

  private static let readers: Set<HubDialect> = [.miniflux, .googleReader, .webSearch]

  private func visitors() throws -> [Visitor] {
    func user(_ name: String) throws -> String {
      try sandbox.addUser(name)
      return name
    }
    func secret(_ bearer: String) -> String { String(bearer.split(separator: " ").last ?? "") }
    let read = try sandbox.bearer(user("read"), "read")
    let write = try sandbox.bearer(user("write"))
    let revoked = try sandbox.bearer(user("revoked"))
    let tokens = try hub.get("/api/v1/tokens", revoked).json["tokens"]?.elements ?? []
    let number = try #require(tokens.first?["id"]?.number.map { Int($0) })
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
      Visitor(name: "a revoked token", headers: [revoked], right: .none, secret: secret(revoked)),
      Visitor(name: "an ended session", headers: [ended], right: .none),
      Visitor(name: "an invented session", headers: ["Cookie: metube=a.b"], right: .none),
      Visitor(name: "a token as a cookie", headers: ["Cookie: metube=" + secret(write)], right: .none),
      Visitor(
        name: "a reading token", headers: [read], right: .read,
        dialects: HubRouteSweepTests.readers.union([.hub, .meTube]), secret: secret(read)),
      Visitor(
        name: "a writing token", headers: [write], right: .write,
        dialects: HubRouteSweepTests.readers.union([.hub, .meTube]), secret: secret(write)),
      Visitor(name: "a session", headers: [try logIn(user("session"))], right: .write, dialects: [.hub]),
      Visitor(
        name: "a session on another site", headers: [try logIn(user("foreign")), "Origin: https://evil.example"],
        right: .write, dialects: [.hub], isForeign: true),
      Visitor(
        name: "name and password", headers: [basic(passwords)], right: .write, dialects: HubRouteSweepTests.readers),
      Visitor(
        name: "Google's login", headers: ["Authorization: GoogleLogin auth=" + secret(google)], right: .write,
        dialects: HubRouteSweepTests.readers),
      Visitor(
        name: "Miniflux's header", headers: ["X-Auth-Token: " + secret(try sandbox.bearer(user("miniflux")))],
        right: .write, dialects: HubRouteSweepTests.readers),
      // Wrong passwords are limited, so they come last.
      Visitor(name: "an empty password", headers: [basic("ann:")], right: .none),
    ]
  }

  private func basic(_ credentials: String) -> String {
    "Authorization: Basic " + Data(credentials.utf8).base64EncodedString()
  }

  @Test("Each route lets in whom it should, and shows and changes nothing of another user")
  func sweep() throws {
    let hers = try decide()
    let before = try sandbox.hubLines("ann")
    var random = SeededGenerator(seed: 0)
    for visitor in try visitors() {
      var parts = hers.parts
      parts["{secret}"] = visitor.secret
      parts["{stream*}"] = "feed/1"
      let values = RouteSample.Values(parts: parts, video: hers.parts["{video}"] ?? "", channel: TwoUsers.other)
      for route in HubRoute.all + HubRoute.dialects + HubRoute.push + HubRoute.pages
      where !HubRouteSweepTests.left.contains(route.name) {
        let sample = RouteSample(route, values, &random, isFull: false)
        let request = sample.bytes(["Host: \(hub.host)"] + visitor.headers)
        let answer = try HubResponse(hub.exchange(request))
        let place = "\(visitor.name): \(sample.method) \(sample.target): \(answer.status) \(answer.text.prefix(200))"
        check(answer, visitor, route, place)
        let shown = hers.shown(hers.decisions, by: answer, to: String(decoding: request, as: UTF8.self))
        #expect(shown == nil, "\(place)")
      }
    }
    #expect(try sandbox.hubLines("ann") == before)
    #expect(try hub.get("/api/v1/tokens", ann).status == 200, "her token still works")
  }

  /// The endless one, those that end the visitor's own access, and passwords, which are limited by address.
  private static let left: Set<String> = [
    "events", "logOut", "logOutByForm", "endOtherSessions", "logIn", "logInByForm", "pair", "/accounts/ClientLogin",
    "/api/auth/login",
  ]

  private func check(_ answer: HubResponse, _ visitor: Visitor, _ route: HubRoute, _ place: String) {
    #expect(answer.status < 500 || answer.status == 503, "\(place)")
    // With users the MeTube app's API is nowhere but below its secret.
    let isThere = route.dialect != .meTube || route.parts.contains("{secret}")
    let isKnown = visitor.right != .none && visitor.dialects.contains(route.dialect) && isThere
    if visitor.isForeign, route.method != .get {
      #expect(answer.status == 403, "\(place)")
    } else if route.access == .open {
      #expect(answer.status != 401, "\(place)")
    } else if !isKnown {
      let isSentToLogIn = answer.status == 303 && answer.headers["location"]?.hasPrefix("/login") == true
      #expect(
        isSentToLogIn || [401, 429].contains(answer.status) || route.dialect == .meTube && answer.status == 404,
        "\(place)")
    } else if visitor.right == .read, route.access == .write {
      #expect(answer.status == 403, "\(place)")
    } else {
      #expect(answer.status != 401 && answer.headers["location"]?.hasPrefix("/login") != true, "\(place)")
    }
  }
}
