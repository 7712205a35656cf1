import App
import Core
import HTTPTypes
import HubAPI
import HubCore
import HubLimits
import HubPage
import HubStore
import HubWeb
import Hummingbird
import NIOCore

/// The views and forms of the page that need more than the log: sessions, tokens, polls.
struct PageServer {
  let visit: ServerVisit
  let call: HubCall

  var gate: Gatekeeper { visit.gate }
  private static let home = PagePath([])

  func field(_ name: String) -> String { call.form.first { $0.name == name }?.value ?? "" }

  /// The fields with these names, checked as the members of a route of the API.
  private func values(_ names: [String], of name: String) throws -> HubArguments {
    guard case .members(let known)? = HubRoute.named(name)?.body else { throw HubProblem(500, "not a route") }
    return try HubArguments(names.map { ($0, field($0)) }, of: known)
  }

  /// Polls, and says so on the page from which the form came.
  func poll() async throws -> RouteResponse {
    let done =
      switch try await visit.startPoll() {
      case .started: "poll"
      case .running: "polling"
      case .waiting: "no-poller"
      }
    return PageProblem.redirect(to: call.back(PageServer.home).adding("done", done))
  }

  // MARK: Sessions

  private var frame: PageFrame { PageProblem.frame(call.page, .login, "Log in") }

  /// The form with which to log in; nothing for who is logged in already.
  var logInView: RouteResponse {
    if case .known(.anonymous) = visit.visitor {
      let back = call.query.first { $0.name == "back" }?.value ?? ""
      return PageProblem.document(frame, LoginView(name: "", problem: nil, back: back).html(in: frame))
    }
    return PageProblem.redirect(to: PageServer.home)
  }

  /// The form with which to make the first user; the login as soon as there is one.
  var setupView: RouteResponse {
    guard gate.firstUser.isAwaited else { return PageProblem.redirect(to: PagePath(["login"])) }
    return setupView(problem: nil).unstored
  }

  private func setupView(problem: String?) -> RouteResponse {
    let frame = PageProblem.frame(call.page, .setup, "Set up this hub")
    let view = SetupView(code: field("code"), name: field("name"), problem: problem)
    return PageProblem.document(frame, view.html(in: frame))
  }

  /// Makes the first user, who is logged in then; an error is shown above the form.
  func setUp() async throws -> RouteResponse {
    guard gate.firstUser.isAwaited else { return PageProblem.redirect(to: PagePath(["login"])) }
    do {
      guard field("password") == field("repeated") else { throw HubProblem(422, "The passwords differ.") }
      let cookie = try await gate.makeFirstUser(
        field("name"), password: field("password"), code: field("code"), from: visit.found.client,
        agent: visit.request.headers[.userAgent] ?? "")
      var response = visit.hub.hosts.allow(visit.request.head) ? PageProblem.redirect(to: PageServer.home) : ready
      response.headers.append(cookie)
      return response
    } catch let problem as HubProblem where problem.status == 409 {
      gate.firstUser.arrive()
      return PageProblem.redirect(to: PagePath(["login"]))
    } catch let problem as HubProblem where [403, 422, 429].contains(problem.status) {
      var response = setupView(problem: problem.detail)
      response.status = problem.status
      response.headers += problem.headers
      return response
    }
  }

  /// What a browser gets that made the first user under a host name that is refused from now on.
  private var ready: RouteResponse {
    let frame = PageProblem.frame(call.page, .setup, "The hub is set up")
    let view = ReadyView(user: field("name"), authority: visit.request.head.authority ?? "")
    return PageProblem.document(frame, view.html(in: frame)).unstored
  }

  /// Logs in as the API does; an error is shown above the form.
  func logIn() async throws -> RouteResponse {
    do {
      let values = try values(["name", "password"], of: "logIn")
      let cookie = try await gate.logIn(
        values["name"] ?? "", password: values["password"] ?? "", from: visit.found.client,
        agent: visit.request.headers[.userAgent] ?? "")
      var redirect = PageProblem.redirect(to: call.back(PageServer.home))
      redirect.headers.append(cookie)
      return redirect
    } catch let problem as HubProblem {
      let view = LoginView(name: field("name"), problem: PageServer.sentence(problem), back: field("back"))
      var response = PageProblem.document(frame, view.html(in: frame))
      response.status = problem.status
      response.headers += problem.headers
      return response
    }
  }

  /// Ends the session.
  func logOut() async throws -> RouteResponse {
    var response = PageProblem.redirect(to: PagePath(["login"]))
    if let ended = try await gate.logOut(visit.visitor) { response.headers.append(ended.cookie) }
    visit.hub.watch.recheck()
    return response
  }

  // MARK: Settings

  /// The settings, with what the last form led to.
  func settings(_ news: SettingsView.News = SettingsView.News()) async throws -> RouteResponse {
    let tokens = (visit.visitor.user == nil ? [] : try await gate.tokens(visit.visitor)).map { token in
      SettingsView.Token(
        id: Int(token.id), name: token.name, mayWrite: token.scope == .write,
        used: token.used.map { Timestamp(seconds: $0) }, isOfDevice: token.device != nil)
    }
    let (sessions, profile) = (try await sessions(), try await profile())
    let origin = visit.hub.address ?? "http://\(visit.request.head.authority ?? "")"
    let (call, user) = (self.call, visit.visitor.user)
    return try await visit.hub.services.run(user, on: \.reading) { service in
      var view = SettingsView(
        user: user, profile: profile, sessions: sessions, tokens: tokens, news: news, tags: try service.tags(),
        origin: origin)
      view.onlyInArchive = try PersonalExport.onlyInArchive(service.session)
      for (format, text) in try PersonalExport.leftOut(in: service.session) { view.leftOut[format.rawValue] = text }
      let frame = service.frame(call, .settings, "Settings")
      return PageProblem.document(frame, view.html(in: frame))
    }
  }

  /// The sessions of the user; none for a token, which may not see them.
  private func sessions() async throws -> [SettingsView.Session] {
    guard case .known(.session) = visit.visitor else { return [] }
    let (sessions, current) = try await gate.sessions(visit.visitor)
    return sessions.map { session in
      SettingsView.Session(
        id: session.id, agent: session.agent, used: Timestamp(seconds: session.used), isCurrent: session.id == current)
    }
  }

  /// Ends one session of the user, or all but the present one.
  func endSessions() async throws -> RouteResponse {
    if field("action") == "others" {
      _ = try await gate.endOtherSessions(visit.visitor)
    } else {
      try await gate.endSession(visit.visitor, field("session"))
    }
    visit.hub.watch.recheck()
    return PageProblem.redirect(to: PagePath(["settings"]))
  }

  /// Makes or revokes a token. The secret of a new one is in this response alone.
  func changeTokens() async throws -> RouteResponse {
    if field("action") == "revoke" {
      try await gate.revokeToken(visit.visitor, field("token"))
      visit.hub.watch.recheck()
      return PageProblem.redirect(to: PagePath(["settings"]))
    }
    if field("action") == "rename" { return try await renameToken() }
    if field("action") == "pair" {
      return try await settings(SettingsView.News(code: Secrets.grouped(gate.addPairing(visit.visitor)))).unstored
    }
    let values = try values(["name", "scope"], of: "addToken")
    let scope = Accounts.Scope(rawValue: values["scope"] ?? "") ?? .read
    let (_, secret) = try await gate.addToken(visit.visitor, name: values["name"] ?? "", scope)
    return try await settings(SettingsView.News(secret: secret)).unstored
  }

  /// Changes the password, as the API does; what is wrong is shown above the form.
  func setPassword() async throws -> RouteResponse {
    do {
      guard field("password") == field("repeated") else { throw HubProblem(422, "the new passwords differ") }
      let values = try values(["current", "password"], of: "setPassword")
      _ = try await gate.setPassword(
        visit.visitor, values["password"] ?? "", current: values["current"] ?? "", from: visit.found.client)
      visit.hub.watch.recheck()
      return try await settings(SettingsView.News(password: .changed))
    } catch let problem as HubProblem where [403, 422, 429].contains(problem.status) && isInSession {
      let message = problem.status == 429 ? "too many attempts; wait a minute" : problem.detail
      var response = try await settings(SettingsView.News(password: .refused(message)))
      response.status = problem.status
      response.headers += problem.headers
      return response
    }
  }

  private var isInSession: Bool { if case .known(.session) = visit.visitor { true } else { false } }

  // MARK: Others

  /// Follows the channels of the starter list, by importing it.
  func followStarterList() async throws -> RouteResponse {
    let file = try StoredFile()
    try file.append(ByteBuffer(bytes: PageAsset.starter))
    var request = call
    request.file = file.input(named: "feeds.opml")
    let list = request
    return try await visit.hub.services.run(visit.visitor.user, on: \.importing) { try $0.starterForm(list) }
  }

  /// What the service worker shows when the hub does not respond.
  var offline: RouteResponse {
    let frame = PageProblem.frame(call.page, .offline, "Offline")
    let message = "The hub does not answer. What you mark is kept here and sent when it does."
    return PageProblem.document(frame, ProblemView(text: message, video: nil, next: .retry).html(in: frame))
  }
}
