import App
import Core
import HubCore
import HubPage
import HubStore
import HubWeb
import JSON
import Messages
import PollEngine

/// The view and the forms of a user's Google account. Only a session may change it: a token that was stolen connects no
/// account, and ends none.
package struct GooglePage: Sendable {
  private let desk: GoogleDesk
  private let call: HubCall
  /// Nil if the hub has no users.
  private let user: String?
  /// The session of the browser; nil of a token.
  private let session: String?
  /// Makes a response with the log of the user.
  private let render: @Sendable (@escaping @Sendable (HubService) throws -> RouteResponse) async throws -> RouteResponse

  package init(
    desk: GoogleDesk, call: HubCall, user: String?, session: String?,
    render: @escaping @Sendable (@escaping @Sendable (HubService) throws -> RouteResponse) async throws -> RouteResponse
  ) {
    (self.desk, self.call, self.user, self.session, self.render) = (desk, call, user, session, render)
  }

  private func field(_ name: String) -> String { call.form.first { $0.name == name }?.value ?? "" }

  // MARK: Requests

  /// The view as things are.
  package func view() async throws -> RouteResponse { try await show(problem: nil, leaving: nil) }

  /// Carries out a form; what is wrong is shown above the view.
  package func form() async throws -> RouteResponse {
    try await reporting { user, session in
      switch field("action") {
      case "connect":
        if let page = try await desk.begin(user, session: session) {
          return try await show(problem: nil, leaving: page)
        }
      case "check":
        guard try await desk.check(user, session: session) else {
          throw HubProblem(
            409, "Google has not confirmed the login yet. Enter the code there first, then press the button again.")
        }
      case "cancel": try await desk.cancel(user)
      case "sync": try await desk.hurry(user)
      case "unfollow", "keep":
        let isYes = field("action") == "unfollow"
        let action = try await desk.reply(user, isYes: isYes, mark: field("question"))
        return PageProblem.redirect(to: GoogleView.path.adding("done", action?.description ?? "none"))
      case "disconnect", "forget":
        guard try await desk.disconnect(user, onlyHere: field("action") == "forget") else {
          throw HubProblem(
            409, "Forgotten here, but Google still lists the hub: remove it at myaccount.google.com/connections.")
        }
      default: throw HubProblem(400, "action: not one of the page")
      }
      return PageProblem.redirect(to: GoogleView.path)
    }
  }

  /// Finishes the login that leads back here.
  package func comeBack() async throws -> RouteResponse {
    try await reporting { user, session in
      try await desk.finish(user, session: session, call.query)
      return PageProblem.redirect(to: GoogleView.path)
    }
  }

  /// Runs `body` for the user of a session; shows problems above the view.
  private func reporting(_ body: (_ user: String, _ session: String) async throws -> RouteResponse) async throws
    -> RouteResponse
  {
    guard let user else { throw HubProblem(409, "This hub has no users, so no account can be connected.") }
    guard let session else { throw HubProblem(403, "Log in to connect an account; a token may not.") }
    do { return try await body(user, session) } catch let problem as HubProblem where problem.status != 400 {
      var response = try await show(problem: problem, leaving: nil)
      response.status = problem.status
      response.headers += problem.headers
      return response
    }
  }

  // MARK: The view

  private func show(problem: HubProblem?, leaving page: String?) async throws -> RouteResponse {
    let (state, account) = try await state(leaving: page)
    let memory = AccountMemory(json: Array((account?.memory ?? "").utf8))
    let (now, call) = (GoogleDesk.now, self.call)
    let isEnding = field("action") == "disconnect" && problem?.status == 503
    var response = try await render { service in
      var view = GoogleView(state: state, problem: problem?.detail)
      view.offersForgetting = isEnding
      if let account {
        view.own = try memory.own.map { try service.session.title(of: .channel($0)) }
        view.report = memory.last.map(GooglePage.report)
        view.question = try memory.question.map { try GooglePage.question($0, in: service) }
        view.isRunning = account.busy > now || account.due <= now
        view.due = account.isWithdrawn || view.isRunning ? nil : Timestamp(seconds: account.due)
      }
      var frame = service.frame(call, .settings, "Google account")
      frame.path = GoogleView.path
      return PageProblem.document(frame, view.html(in: frame))
    }
    // It may have a code, or an address with the state of a login.
    response.headers.append(("Cache-Control", "no-store"))
    return response
  }

  private func state(leaving page: String?) async throws -> (GoogleView.State, GoogleTables.Account?) {
    guard let user else { return (.noUsers, nil) }
    let account = try await desk.tables(of: user) { try $0.account(of: user) }
    if let page { return (.leaving(page: page), account) }
    if let session {
      let login = try await desk.tables(of: user) { try $0.device(of: user, session: session, now: GoogleDesk.now) }
      if let shown = login.flatMap({ JSONValue(Array($0.shown.utf8)) }) {
        return (.device(code: shown["code"]?.string ?? "", page: shown["page"]?.string ?? ""), account)
      }
    }
    guard let account else { return (desk.hasClient ? .disconnected : .unavailable, nil) }
    return (account.isWithdrawn ? .withdrawn : .connected, account)
  }

  private static func report(_ report: AccountMemory.Report) -> GoogleView.Report {
    GoogleView.Report(
      time: report.time, text: report.failure ?? UserMessages.report(report), isFailure: report.failure != nil,
      action: report.failure == nil ? report.action?.description : nil)
  }

  /// The maximum number of titles in a question.
  private static let maxTitles = 50

  private static func question(
    _ question: AccountMemory.Question, in service: HubService
  ) throws -> GoogleView.Question {
    let titles = try question.channels.prefix(maxTitles).map { try service.session.title(of: .channel($0)) }
    return GoogleView.Question(
      text: UserMessages.doubt(question), titles: titles, count: question.channels.count, mark: question.mark)
  }
}
