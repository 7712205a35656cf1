import Commands
import Core
import Glibc
import HTTPTypes
import HubCore
import HubPage
import HubReaders
import HubWeb
import Hummingbird
import JSON
import NIOCore
import ReadModel
import SQLDrivers
import ServiceLifecycle
import Synchronization

/// From a request to its response: host, route, origin, body, answer.
struct HubResponder: HTTPResponder {
  typealias Context = HubContext

  let hosts: AllowedHosts
  /// The URL of the hub as others use it; nil if only this machine uses it.
  let address: String?
  let proxies: TrustedProxies
  /// How long a client may take for a body.
  let timeout: Duration
  /// The same, before it has logged in.
  private var timeoutOfStrangers: Duration { timeout / 3 }
  let gate: Gatekeeper
  let services: UserServices
  let health: HealthCheck
  let loop: PollLoop
  let watch: LogWatch
  let metrics: Metrics
  let connections: Connections
  let log: RequestLog
  /// The WebSub hub that feeds name; nil for none.
  let webSubHub: String?
  let page: PageSettings
  /// The OpenAPI document.
  let document: [UInt8]
  /// Whether the MeTube app is answered without a secret, as long as there are no users.
  let takesApps: Bool
  /// The subscriber at WebSub hubs; nil without `--push`.
  let push: PushLoop?

  func respond(to received: Request, context: HubContext) async throws -> Response {
    let began = ContinuousClock.now
    let request = received.local(below: page.base)
    let client = proxies.client(of: request, on: context.channel)
    var response: Response
    let interruption = Interruption()
    connections.set(context.channel, client: client)
    connections.set(context.channel, interruption)
    defer { connections.set(context.channel, nil) }
    do {
      response = try await Interruption.$current.withValue(interruption) {
        try await answer(request, from: client, context.channel)
      }
    } catch let problem as HubProblem {
      response = ResponseForm(answer(problem, to: request), to: request).response
      if problem.status == 401 { response.headers[.wwwAuthenticate] = "Bearer" }
      // What may be left of the body is not worth reading, and could have no end.
      if request.hasBody { response = response.closing(context.channel) }
    } catch let error as DatabaseError {
      response = ResponseForm(answer(HubResponder.problem(error), to: request), to: request).response
    } catch let failure as Failure {
      Program.report(failure.message)
      let problem =
        failure.obstacle.map { HubTrouble.problem($0, remedy: HubTrouble.remedy(nil)) }
        ?? HubProblem(503, "the log cannot be opened", retryAfter: HubProblem.shortly)
      response = ResponseForm(answer(problem, to: request), to: request).response
    } catch {
      Program.report("\(request.method) failed: \(error)")
      let problem = HubProblem(503, "a failure; see the hub's log", retryAfter: HubProblem.shortly)
      response = ResponseForm(answer(problem, to: request), to: request).response
    }
    // Only a full disk is to be tried again, not a user's own limit.
    if response.status.code == 507, response.headers[.retryAfter] != nil, services.location.database != nil {
      health.noteFull()
    }
    if request.method == .head { response = response.createHeadResponse() }
    if let location = response.headers[.location], location.hasPrefix("/") {
      response.headers[.location] = page.base + location
    }
    let duration = ContinuousClock.now - began
    metrics.count(response.status.code, duration)
    log.add(request, from: client, response, duration)
    let (connections, channel) = (connections, context.channel)
    return response.paced(on: channel) { connections.set(channel, .downloading) }
  }

  /// Why the accounts could not be read; reported at most once in a second.
  private static func problem(_ error: DatabaseError) -> HubProblem {
    let now = ContinuousClock.now
    let isFirst = lastReport.withLock { last in
      guard let before = last, now - before < .seconds(1) else {
        last = now
        return true
      }
      return false
    }
    if isFirst { Program.report(HubDatabase.failure(error).message) }
    if error.isFull { return HubProblem(507, "the disk of the hub’s accounts is full", retryAfter: 60) }
    if case .notWritable = error {
      return HubProblem(503, "the folder or database of the hub’s accounts can only be read at present", retryAfter: 60)
    }
    return HubProblem(503, "the database does not answer; try again", retryAfter: HubProblem.shortly)
  }

  private static let lastReport = Mutex<ContinuousClock.Instant?>(nil)

  private func answer(
    _ request: Request, from client: String, _ channel: any NIOCore.Channel
  ) async throws -> Response {
    guard hosts.allow(request.head) else {
      throw HubProblem(421, "this host name is not the hub's; use the address that it printed, or --public-url")
    }
    guard let target = RequestTarget(request.head.path ?? "") else { throw HubProblem(400, "malformed path or query") }
    var matches = HubRoute.matching(target.path)
    // A path without variable parts is more than one with them.
    if matches.contains(where: \.parts.isEmpty) { matches.removeAll { !$0.parts.isEmpty } }
    if request.method == .options, takesApps,
      matches.contains(where: { [.meTube, .webSearch].contains($0.route.dialect) })
    {
      return Response(status: .noContent, headers: HubResponder.appPreflight)
    }
    guard !matches.isEmpty else {
      let isOfPage = isOfPage(request, target.path)
      throw HubProblem(404, isOfPage ? "This page does not exist." : HubDialect.unknown(path: target.path))
    }
    let method = request.method == .head ? "get" : request.method.rawValue.lowercased()
    guard let (route, parts) = matches.first(where: { $0.route.method.rawValue == method }) else {
      var answer = HubProblem(405, "this path has no \(request.method.rawValue)").answer(in: matches[0].route.dialect)
      let methods = matches.map { $0.route.method.rawValue.uppercased() }
      let all = methods + (methods.contains("GET") ? ["HEAD"] : [])
      answer.headers.append(("Allow", all.joined(separator: ", ")))
      return ResponseForm(answer, to: request).response
    }
    if route.isPage, route.method == .get, !target.isShortest {
      // A document has one address, and none that a script could take for another host (`//channels`).
      return ResponseForm(PageProblem.moved(to: PagePath(target.path, query: target.query)), to: request).response
    }
    if route.method != .get, !RequestOrigin.isOwn(request.head) {
      throw HubProblem(403, "the request comes from a page of another site")
    }
    if route.access == .open { connections.set(channel, sender: .stranger) }
    let form = try await formWithToken(request, route, channel)
    let secret = parts["secret"] ?? form?.first { $0.name == "T" }?.value
    let visitor = try await gate.admit(request, route, target.query, secret: secret, from: client) { user in
      try await services.run(user, on: \.reading) { try $0.subscriptionCount() }
    }
    if route.access != .open { connections.set(channel, sender: .user(visitor.user ?? "")) }
    if route.dialect == .meTube, case .owner = visitor, !takesApps {
      throw HubProblem(404, "start the hub with --metube")
    }
    if case .server(let work) = route.work {
      let visit = Visit(
        request: request, route: route, parts: parts, query: target.query, visitor: visitor, channel: channel)
      return try await serve(work, visit, client)
    }
    var call = HubCall(parts: parts, query: target.query, body: [], file: nil, url: url(of: request))
    call.webSubHub = webSubHub
    (call.page, call.user) = (page, visitor.user ?? "")
    if case .owner = visitor { call.takesApps = takesApps }
    if let form {
      call.form = form
      return try await ask(route, call, request, visitor, on: route.threads)
    }
    guard let turns = BodyLimits.turns(for: request, route.body) else {
      return try await readAndAsk(route, call, request, visitor)
    }
    // The body takes room until it is answered.
    return try await turns.take(of: visitor.user ?? "") { try await readAndAsk(route, call, request, visitor) }
  }

  /// Reads the body of a request that was let in, and answers it.
  private func readAndAsk(
    _ route: HubRoute, _ call: HubCall, _ request: Request, _ visitor: Gatekeeper.Visitor
  ) async throws -> Response {
    var call = call
    let body = RequestBodyReader(request, patience: timeout, most: RequestBodyReader.mostBytes)
    switch route.body {
    case .none: try await body.skip()
    case .bytes: call.body = try await body.bytes()
    case .lines:
      call.right = try await gate.bind(visitor, toLog: call.parts["log"] ?? "", services.location)
      call.body = try await body.lines()
    case .members, .json: call.body = try await body.json()
    case .form: call.form = try await body.form()
    case .upload: (call.file, call.form) = try await body.upload()
    case .file: call.file = try await body.file(named: call.query.first { $0.name == "name" }?.value)
    }
    return try await ask(route, call, request, visitor, on: route.threads)
  }

  /// The form of a reader that sends its token in the field `T` alone, as Liferea 1.14 does when it fetches articles.
  private func formWithToken(
    _ request: Request, _ route: HubRoute, _ channel: any NIOCore.Channel
  ) async throws -> [(name: String, value: String)]? {
    guard route.dialect == .googleReader, case .form = route.body, route.access != .open,
      request.headers[.authorization] == nil
    else { return nil }
    connections.set(channel, sender: .stranger)
    return try await RequestBodyReader(
      request, patience: timeoutOfStrangers, most: HubResponder.mostBytesOfStrangers
    ).form()
  }

  /// The size of a form that is read before it is known who sends it: the IDs of 2,000 items.
  private static let mostBytesOfStrangers = 1 << 17

  /// What the MeTube app's server answers to OPTIONS; pages of other sites are refused all the same.
  private static let appPreflight: HTTPFields = {
    var fields = ResponseForm.common
    fields[.accessControlAllowOrigin] = "*"
    fields[.accessControlAllowHeaders] = "Content-Type"
    fields[.accessControlAllowMethods] = "GET,POST,OPTIONS"
    return fields
  }()

  private func ask(
    _ route: HubRoute, _ call: HubCall, _ request: Request, _ visitor: Gatekeeper.Visitor,
    on threads: KeyPath<LogThreads, WorkerThreads> & Sendable
  ) async throws -> Response {
    try await AnswerLimits.response(to: request, of: visitor, mayRepeat: route.access == .read || route.method == .get)
    {
      let answer = try await services.answer(route, call, for: visitor.user, on: threads)
      if answer.startsPoll { _ = loop.start() }
      return answer
    }
  }

  /// The URL that the client used, without its token: documents that name it are copied and published. Only a WebSub
  /// hub must fetch the very URL that the feed names.
  private func url(of request: Request) -> String {
    let path = request.head.path ?? ""
    return (address ?? "http://\(request.head.authority ?? "")")
      + (webSubHub == nil ? RequestTarget.withoutToken(path) : path)
  }

  /// A request that was let in.
  struct Visit {
    let request: Request
    let route: HubRoute
    let parts: [String: String]
    let query: [(name: String, value: String)]
    let visitor: Gatekeeper.Visitor
    let channel: any NIOCore.Channel
  }

  // MARK: What the server answers itself

  private func serve(_ work: HubRoute.ServerWork, _ visit: Visit, _ client: String) async throws -> Response {
    let request = visit.request
    let isOpen = visit.route.access == .open
    let body = RequestBodyReader(
      request, patience: isOpen ? timeoutOfStrangers : timeout, most: BodyLimits.mostBytes(visit.route.access))
    func json() async throws -> [UInt8] { try await body.json() }
    if case .none = visit.route.body { try await body.skip() }
    switch work {
    case .logIn:
      let answer = try await gate.logIn(
        json(), visit.route, from: client, agent: request.headers[.userAgent] ?? "")
      return ResponseForm(answer, to: request).response
    case .logInReader:
      let answer = try await gate.logInReader(visit.visitor, visit.query + body.form(), from: client)
      return ResponseForm(answer, to: request).response
    case .logInApp:
      let answer = try await gate.logInApp(visit.visitor, body.bytes(), from: client)
      return ResponseForm(answer, to: request).response
    case .logOut: return try await changingAccess(request) { try await gate.logOut(visit.visitor) }
    case .setPassword:
      let body = try await json()
      return try await changingAccess(request) {
        try await gate.setPassword(visit.visitor, body, visit.route, from: client)
      }
    case .whoAmI: return ResponseForm(gate.whoAmI(visit.visitor), to: request).response
    case .listTokens:
      return try await AnswerLimits.response(to: request, of: visit.visitor, mayRepeat: true) {
        try await gate.tokens(visit.visitor)
      }
    case .pair:
      let paired = try await gate.pair(visit.visitor, json(), visit.route, services.location, from: client)
      return ResponseForm(paired, to: request).response
    case .addToken:
      return ResponseForm(try await gate.addToken(visit.visitor, json(), visit.route), to: request).response
    case .revokeToken:
      return try await changingAccess(request) {
        try await gate.revokeToken(visit.visitor, visit.parts["token"] ?? "")
      }
    case .listSessions:
      return try await AnswerLimits.response(to: request, of: visit.visitor, mayRepeat: true) {
        try await gate.sessions(visit.visitor)
      }
    case .endSession:
      return try await changingAccess(request) {
        try await gate.endSession(visit.visitor, visit.parts["session"] ?? "")
      }
    case .endOtherSessions:
      return try await changingAccess(request) { try await gate.endOtherSessions(visit.visitor) }
    case .health: return try await health(request, visit.visitor, visit.route.dialect)
    case .metrics:
      let text = metrics.text(try await gauges(for: visit.visitor.user))
      return ResponseForm(HubAnswer(200, "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8)), to: request)
        .response
    case .openAPI:
      return ResponseForm(constant: HubAnswer(200, "application/json", document), to: request).response
    case .poll:
      let poll = try await startPoll(visit)
      let answer: JSONValue = [
        "state": .string(poll.state), "pollerSeen": poll.seen.map { .string($0.rfc3339) } ?? .null,
      ]
      return ResponseForm(HubAnswer(202, "application/json", answer.bytes), to: request).response
    case .verifyPush:
      return ResponseForm(try await pusher.verify(visit.parts["callback"] ?? "", visit.query), to: request).response
    case .takePush:
      let callback = visit.parts["callback"] ?? ""
      try await pusher.check(callback)
      return ResponseForm(try await takePush(callback, request), to: request).response
    case .events: return try events(visit, from: client)
    case .page(let work): return try await servePage(work, visit, client)
    }
  }

  /// Polls on request. With a database the user's feeds become due, and the pollers find them.
  func startPoll(_ visit: Visit) async throws -> PollStart {
    guard services.location.database != nil else {
      if let problem = try services.obstacleToPolls { throw problem }
      return loop.start() ? .started : .running
    }
    return try await services.run(visit.visitor.user, on: \.writing) { try $0.requestPoll(of: visit.parts) }
  }

  private var pusher: PushLoop {
    get throws {
      guard let push else { throw HubProblem(404, "start the hub with --push") }
      return push
    }
  }

  private func takePush(_ callback: String, _ request: Request) async throws -> HubAnswer {
    let pusher = try pusher
    let body = RequestBodyReader(request, patience: timeoutOfStrangers, most: RequestBodyReader.mostBytes)
    func take() async throws -> HubAnswer { try await pusher.take(callback, request.headers, body.bytes()) }
    return BodyLimits.isLong(request)
      ? try await BodyLimits.pushes.take(of: callback) { try await take() } : try await take()
  }

  /// Answers with what ends somebody's access, and then ends their event streams.
  private func changingAccess(_ request: Request, _ change: () async throws -> HubAnswer) async throws -> Response {
    let answer = try await change()
    watch.recheck()
    return ResponseForm(answer, to: request).response
  }

  /// Whether the hub works. How much is in it concerns only who may read it.
  private func health(
    _ request: Request, _ visitor: Gatekeeper.Visitor, _ dialect: HubDialect
  ) async throws -> Response {
    // That the log cannot be read is the answer; requests report why.
    let health = try? await self.health.health()
    let trouble = health == nil ? "the log cannot be read" : health?.trouble
    let status = trouble == nil ? 200 : 503
    if dialect == .miniflux {
      // Its clients compare the whole body.
      let isFine = HubAnswer(200, "text/plain; charset=utf-8", Array("OK".utf8))
      let answer = trouble.map { HubProblem(503, $0).answer(in: dialect) } ?? isFine
      return ResponseForm(answer, to: request).response
    }
    if request.headers[.accept]?.hasPrefix("text/plain") == true {
      let words = trouble == nil ? "ok\n" : "failed\n"
      return ResponseForm(HubAnswer(status, "text/plain", Array(words.utf8)), to: request).response
    }
    var members: [JSONValue.Member] = [
      .init(name: "status", value: .string(trouble == nil ? "healthy" : "unhealthy")),
      .init(name: "timestamp", value: .string(HubResponder.now.rfc3339)),
    ]
    if let trouble { members.append(.init(name: "message", value: .string(trouble))) }
    if let counts = health?.counts, !visitor.isNobody {
      let users = try await services.location.isShared ? gate.countOfUsers() : 1
      let stats: JSONValue = [
        "channels": .number(Double(counts.channels)), "users": .number(Double(users)),
        "videos": .number(Double(counts.videos)),
      ]
      members.append(.init(name: "stats", value: stats))
    }
    return ResponseForm(HubAnswer(status, "application/json", JSONValue.object(members).bytes), to: request).response
  }

  private static var now: Timestamp { Timestamp(seconds: Int64(time(nil))) }

  private func events(_ visit: Visit, from client: String) throws -> Response {
    let tokens: AsyncStream<String>
    switch watch.tokens(of: visit.visitor.user) {
    case .stream(let stream, let end):
      tokens = stream
      connections.listen(visit.channel, end: end)
    case .full(let most, let isOfUser):
      let words = isOfUser ? "you have \(most) event streams open, the most for one user" : "too many listen already"
      throw HubProblem(503, words, retryAfter: 30)
    }
    var headers: HTTPFields = ResponseForm.common
    headers[.contentType] = "text/event-stream"
    headers[.cacheControl] = "no-store"
    let body = ResponseBody { writer in
      // Otherwise the hub would wait for its listeners before it ends.
      for try await token in tokens.cancelOnGracefulShutdown() {
        // The session may be over, or the token revoked.
        let visitor = try? await gate.visitor(
          visit.request, visit.route, visit.query, secret: visit.parts["secret"], from: client)
        guard visitor != nil else { break }
        let text = token.isEmpty ? ":\n\n" : "event: change\nid: \(token)\ndata: \(token)\n\n"
        try await writer.write(ByteBuffer(string: text))
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: headers, body: body)
  }
}
