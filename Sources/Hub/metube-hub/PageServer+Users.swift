import Core
import HubCore
import HubLimits
import HubPage
import HubStore
import HubWeb
import Hummingbird

/// The views and forms of users and administrators.
extension PageServer {
  /// The name of the user who is logged in. Throws on a hub without users, and for tokens.
  private var user: String { get throws { try gate.session(visit.visitor).user } }

  private static let users = PagePath(["settings", "users"])

  // MARK: All users

  /// The users, for administrators; `news` is what the last form led to.
  func usersView(_ news: UsersView.News = UsersView.News()) async throws -> RouteResponse {
    let (user, inspection) = (try user, visit.hub.services.inspection)
    let (users, figures) = try await gate.use(of: user) { accounts, users in
      (try accounts.allUsers(), try users.figures(inspection))
    }
    let rows = users.map { UsersView.Row(PageServer.person($0), $0, figures[$0.name], isOneself: $0.name == user) }
    let isShared = visit.hub.services.location.isShared
    return try await document(.users, "Users") {
      UsersView(rows: rows, maySeveral: isShared, news: news).html(in: $0)
    }
  }

  /// Adds a user, with a password or a code.
  func addUser() async throws -> RouteResponse {
    let (user, name, password) = (try user, field("name"), field("password"))
    let isByCode = field("by") != "password"
    do {
      if !isByCode, password != field("repeated") { throw HubProblem(422, "The passwords differ.") }
      // A user who gets a code has a random password until then.
      let hash = try await gate.hash(of: isByCode ? Secrets.make() : password)
      let code = try await gate.use(of: user) { accounts, users in
        try users.add(name, hash: hash, now: Gatekeeper.now)
        return try isByCode ? accounts.addInvitation(of: name, now: Gatekeeper.now) : nil
      }
      return try await usersView(news(name, code: code)).unstored
    } catch let problem as HubProblem where problem.status == 422 {
      return try await usersView(UsersView.News(problem: problem.detail, name: name)).with(problem)
    }
  }

  private func news(_ name: String, code: String?) -> UsersView.News {
    var news = UsersView.News()
    news.added = name
    news.code = code.map(Secrets.grouped)
    news.address = origin + visit.hub.page.base + "/join"
    return news
  }

  private var origin: String { visit.hub.address ?? "http://\(visit.request.head.authority ?? "")" }

  // MARK: One user

  /// One user, for administrators.
  func userView(_ news: UserView.News = UserView.News()) async throws -> RouteResponse {
    let (user, name, inspection) = (try user, try await shownUser(), visit.hub.services.inspection)
    let (found, figures, end, isLast) = try await gate.use(of: user) { accounts, users in
      guard let found = try accounts.user(name) else { throw HubUsers.Refusal.unknown }
      let others = try accounts.allUsers().filter { $0.isAdministrator && $0.disabled == nil && $0.name != name }
      return (
        found, try users.figures(inspection)[name], try accounts.invitationEnd(of: name, now: Gatekeeper.now),
        found.isAdministrator && found.disabled == nil && others.isEmpty
      )
    }
    // What a broken log says is what matters about it.
    let polls = try? await visit.hub.services.run(name, on: \.reading) { try $0.figures() }
    let row = UsersView.Row(PageServer.person(found), found, figures, isOneself: name == user)
    let view = UserView(
      row: row, limits: (found.limits.subscriptions, found.limits.requests), figures: polls,
      codeEnds: end.map { Timestamp(seconds: $0) }, isLastAdministrator: isLast,
      isShared: visit.hub.services.location.isShared, news: news)
    return try await document(.users, found.shownName) { view.html(in: $0) }
  }

  /// The name of the user whose number the path has.
  private func shownUser() async throws -> String {
    let number = Int(call.parts["user"] ?? "")
    let name = try await gate.use(of: user) { accounts, _ in try number.flatMap { try accounts.name(ofUser: $0) } }
    guard let name else { throw HubProblem(404, "There is no such user.") }
    return name
  }

  /// Changes a user: the name, who may use or administer the hub, the limits, a new code, or removes the user.
  func changeUser() async throws -> RouteResponse {
    let name = try await shownUser()
    do {
      switch field("action") {
      case "rename": try await rename(name)
      case "limits": try await setLimits(of: name)
      case "code": return try await newCode(of: name)
      case "remove": return try await remove(name)
      default: try await setRights(of: name)
      }
    } catch let problem as HubProblem where [409, 422].contains(problem.status) {
      return try await userView(UserView.News(problem: problem.detail)).with(problem)
    }
    visit.hub.watch.recheck()
    return PageProblem.redirect(to: PagePath(["settings", "users", call.parts["user"] ?? ""]))
  }

  private func setRights(of name: String) async throws {
    let action = field("action")
    try await gate.use(of: user) { _, users in
      switch action {
      case "disable": try users.setDisabled(true, name, keepingAdministrator: true, now: Gatekeeper.now)
      case "enable": try users.setDisabled(false, name, keepingAdministrator: true, now: Gatekeeper.now)
      case "promote": try users.setAdministrator(true, name, keepingAdministrator: true)
      case "demote": try users.setAdministrator(false, name, keepingAdministrator: true)
      default: throw HubProblem(400, "action: not one of this form")
      }
    }
  }

  private func rename(_ name: String) async throws {
    let (user, later) = (try user, field("name"))
    guard later != name else { return }
    try await visit.hub.services.withoutRequests(of: name) {
      try await gate.use(of: user) { _, users in try users.rename(name, to: later) }
    }
  }

  private func setLimits(of name: String) async throws {
    func limit(_ field: String, _ range: ClosedRange<Int>, _ label: String) throws -> Int? {
      let text = self.field(field)
      if text.isEmpty { return nil }
      guard let number = Int(text), range.contains(number) else {
        throw HubProblem(422, "\(label): a number from \(range.lowerBound) to \(range.upperBound), or nothing.")
      }
      return number
    }
    let limits = UserLimits(
      subscriptions: try limit("subscriptions", 0...1_000_000, "Subscriptions"),
      requests: try limit("requests", 60...1_000_000, "Requests a minute"))
    try await gate.use(of: user) { accounts, _ in _ = try accounts.setLimits(limits, of: name) }
    gate.requests.forgetLimit(of: name)
  }

  private func newCode(of name: String) async throws -> RouteResponse {
    let code = try await gate.use(of: user) { accounts, _ in try accounts.addInvitation(of: name, now: Gatekeeper.now) }
    return try await userView(
      UserView.News(code: Secrets.grouped(code), address: origin + visit.hub.page.base + "/join")
    ).unstored
  }

  /// Removes a user, once the name is typed again.
  private func remove(_ name: String) async throws -> RouteResponse {
    guard field("name") == name else { throw HubProblem(422, "Type the name of the user to remove: \(name).") }
    let kept = try await gate.use(of: user) { _, users in try users.remove(name, keepingAdministrator: true) }
    visit.hub.watch.recheck()
    var news = UsersView.News()
    news.removed = (name, kept ?? "")
    return try await usersView(news)
  }

  // MARK: Oneself

  /// Sets how the user is shown.
  func setProfile() async throws -> RouteResponse {
    let (user, name) = (try user, field("display").split(whereSeparator: \.isWhitespace).joined(separator: " "))
    guard name.count <= 60, name.utf8.count <= 240, !name.unicodeScalars.contains(where: \.isUnprintable) else {
      let message = "The name shown may have up to 60 characters, none of them invisible."
      return try await settings(SettingsView.News(profile: message)).with(HubProblem(422, message))
    }
    let color = AvatarColor(rawValue: field("color"))
    try await gate.use(of: user) { accounts, _ in
      _ = try accounts.setProfile(of: user, displayName: name == user ? "" : name, color: color)
    }
    return PageProblem.redirect(to: PagePath(["settings"]))
  }

  /// The user as the settings show it; nil without users.
  func profile() async throws -> SettingsView.Profile? {
    guard case .known(.session(_, let user)) = visit.visitor else { return nil }
    return try await gate.use(of: user) { accounts, _ in
      guard let found = try accounts.user(user) else { return nil }
      return SettingsView.Profile(
        person: PageServer.person(found), displayName: found.displayName, chosen: found.avatarColor?.rawValue ?? "",
        colors: AvatarColor.allCases.map(\.rawValue), isAdministrator: found.isAdministrator)
    }
  }

  /// Gives a device or a program another name.
  func renameToken() async throws -> RouteResponse {
    let (user, name) = (try user, field("name").trimmingCharacters)
    guard let id = Int64(field("token")), (1...100).contains(name.count) else {
      throw HubProblem(422, "A device's name has 1 to 100 characters.")
    }
    let isKnown = try await gate.use(of: user) { accounts, _ in try accounts.renameToken(id, of: user, to: name) }
    guard isKnown else { throw HubProblem(404, "you have no such token") }
    return PageProblem.redirect(to: PagePath(["settings"]))
  }

  // MARK: Another user

  /// The users of this hub, to choose one to switch to; only for a user who is logged in.
  func switchView() async throws -> RouteResponse { try await switchView(problem: nil) }

  private func switchView(problem: String?) async throws -> RouteResponse {
    let user = try user
    let users = try await gate.use(of: user) { accounts, _ in try accounts.allUsers() }
    let people = users.filter { $0.name != user && $0.disabled == nil }.map(PageServer.person)
    let chosen = field("name").isEmpty ? call.query.first { $0.name == "name" }?.value ?? "" : field("name")
    let view = SwitchView(
      oneself: users.first { $0.name == user }?.shownName ?? user, people: people,
      chosen: people.first { $0.name == chosen }, problem: problem)
    return try await document(.switch, "Switch user") { view.html(in: $0) }
  }

  /// Logs in as another user, with that user's password, and ends the current session.
  func switchUser() async throws -> RouteResponse {
    let (session, user) = try gate.session(visit.visitor)
    if field("name").isEmpty { return PageProblem.redirect(to: PagePath(["switch"])) }
    do {
      let cookie = try await gate.logIn(
        field("name"), password: field("password"), from: visit.found.client,
        agent: visit.request.headers[.userAgent] ?? "")
      _ = try await gate.use(of: user) { accounts, _ in try accounts.endSession(session, of: user) }
      visit.hub.watch.recheck()
      var response = PageProblem.redirect(to: PagePath([]))
      response.headers.append(cookie)
      return response
    } catch let problem as HubProblem where [403, 429].contains(problem.status) {
      return try await switchView(problem: PageServer.sentence(problem)).with(problem)
    }
  }

  /// Why a login fails, in a sentence.
  static func sentence(_ problem: HubProblem) -> String {
    if problem.status == 429 { return "Too many attempts; wait a minute." }
    return problem.isOfDisabledUser
      ? "This account is disabled. An administrator of this hub can enable it." : "Wrong name or password."
  }

  // MARK: With a code

  /// The form with which a user who has a code chooses a password.
  var joinView: RouteResponse { joinView(problem: nil) }

  private func joinView(problem: String?) -> RouteResponse {
    let frame = PageProblem.frame(call.page, .join, "Choose your password")
    let view = JoinView(code: field("code"), problem: problem)
    return PageProblem.document(frame, view.html(in: frame)).unstored
  }

  /// Chooses the password, and logs in.
  func join() async throws -> RouteResponse {
    do {
      guard field("password") == field("repeated") else { throw HubProblem(422, "The passwords differ.") }
      let cookie = try await gate.acceptInvitation(
        field("code"), password: field("password"), from: visit.found.client,
        agent: visit.request.headers[.userAgent] ?? "")
      // As after switching, nothing of the session so far stays.
      _ = try await gate.logOut(visit.visitor)
      visit.hub.watch.recheck()
      var response = PageProblem.redirect(to: PagePath([]))
      response.headers.append(cookie)
      return response
    } catch let problem as HubProblem where [403, 422, 429].contains(problem.status) {
      let message = problem.isOfDisabledUser ? PageServer.sentence(problem) : problem.detail
      return joinView(problem: message).with(problem)
    }
  }

  // MARK: Documents

  private func document(
    _ view: PageView, _ title: String, _ content: @escaping @Sendable (PageFrame) -> HTML
  ) async throws -> RouteResponse {
    let call = call
    return try await visit.hub.services.run(visit.visitor.user, on: \.reading) { service in
      var frame = service.frame(call, view, title)
      if view == .users { frame.path = PageServer.users }
      return PageProblem.document(frame, content(frame))
    }
  }

  private static func person(_ user: Accounts.User) -> Person {
    Person(number: user.number, name: user.name, shownName: user.shownName, color: user.shownColor.rawValue)
  }
}

extension UsersView.Row {
  fileprivate init(
    _ person: Person, _ user: Accounts.User, _ figures: (bytes: UInt64, damaged: Int)?, isOneself: Bool
  ) {
    self.init(
      person: person, isAdministrator: user.isAdministrator, isOneself: isOneself,
      lastLogin: user.lastLogin.map { Timestamp(seconds: $0) }, disabled: user.disabled.map { Timestamp(seconds: $0) },
      bytes: figures?.bytes ?? 0, damagedLogs: figures?.damaged ?? 0)
  }
}

extension RouteResponse {
  /// This response with `no-store`: it has a secret.
  var unstored: RouteResponse {
    var response = self
    response.headers.append(("Cache-Control", "no-store"))
    return response
  }

  /// This document as the response to a request that failed.
  fileprivate func with(_ problem: HubProblem) -> RouteResponse {
    var response = self
    response.status = problem.status
    response.headers += problem.headers
    return response
  }
}

extension Unicode.Scalar {
  /// Whether it is invisible or a control, which a name must not have.
  fileprivate var isUnprintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
      // Joins parts of emoji.
      value != 0x200d
    default: false
    }
  }
}

extension String {
  /// Without white space at both ends, and with single spaces.
  fileprivate var trimmingCharacters: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
