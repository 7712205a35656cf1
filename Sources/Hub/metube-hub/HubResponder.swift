import Arguments
import Core
import Glibc
import HTTPTypes
import HubCore
import HubGoogle
import HubHTTP
import HubLimits
import HubPage
import HubPush
import HubReaders
import HubStore
import HubWeb
import Hummingbird
import NIOCore
import Platform
import ReadModel
import SQLDrivers

/// From a request to its response, in steps, each of which may end it with a `HubProblem`: host, route, origin,
/// visitor, body, response.
struct HubResponder: HTTPResponder {
  typealias Context = HubContext

  let hosts: AllowedHosts
  /// The URL of the hub as others use it; nil if only this machine uses it.
  let address: String?
  let proxies: TrustedProxies
  /// How long a client may take for a body.
  let timeout: Duration
  /// The timeout of a client that has not logged in.
  var timeoutOfStrangers: Duration { timeout / 3 }
  let gate: Gatekeeper
  let services: UserServices
  let health: HealthCheck
  let loop: PollLoop
  let polls: any Polls
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
  let google: GoogleDesk

  func respond(to received: Request, context: HubContext) async throws -> Response {
    let began = ContinuousClock.now
    let request = received.local(below: page.base)
    let client = proxies.client(of: request, on: context.channel)
    let response = finished(await response(to: request, from: client, context.channel), of: request)
    let duration = ContinuousClock.now - began
    metrics.count(response.status.code, duration)
    log.add(request, from: client, response, duration)
    let (connections, channel) = (connections, context.channel)
    return response.paced(on: channel) { connections.set(channel, .downloading) }
  }

  /// The response to a request, or the one that says why it fails.
  private func response(
    to request: Request, from client: String, _ channel: any NIOCore.Channel
  ) async -> Response {
    let interruption = Interruption()
    connections.set(channel, client: client)
    connections.set(channel, interruption)
    defer { connections.set(channel, nil) }
    do {
      return try await Interruption.$current.withValue(interruption) {
        try await dispatch(request, from: client, channel)
      }
    } catch { return failure(error, of: request, channel) }
  }

  /// The response as it is sent: for HEAD without its body, with locations as the client sees them.
  private func finished(_ response: Response, of request: Request) -> Response {
    var response = response
    // Only a full disk is to be tried again, not a user's own limit.
    if response.status.code == 507, response.headers[.retryAfter] != nil { health.noteFull() }
    if request.method == .head { response = response.createHeadResponse() }
    if let location = response.headers[.location], location.hasPrefix("/") {
      response.headers[.location] = page.base + location
    }
    return response
  }

  // MARK: The steps

  private func dispatch(
    _ request: Request, from client: String, _ channel: any NIOCore.Channel
  ) async throws -> Response {
    if gate.firstUser.isAwaited { return try await respondBeforeFirstUser(request, from: client, channel) }
    guard hosts.allow(request.head) else {
      throw HubProblem(421, "this host name is not the hub's; use the address that it printed, or --public-url")
    }
    switch try find(request, from: client, channel) {
    case .response(let response): return response
    case .route(let found):
      guard found.route.method == .get || RequestOrigin.isOwn(request.head) else {
        throw HubProblem(403, "the request comes from a page of another site")
      }
      return try await serve(found)
    }
  }

  /// The steps after a route was found: visitor, body, response.
  func serve(_ found: FoundRoute) async throws -> Response {
    if found.route.access == .open { connections.set(found.channel, sender: .stranger) }
    let form = try await formWithToken(found)
    let visitor = try await admit(found, form)
    switch found.route.work {
    case .server(let handler): return try await serve(handler, ServerVisit(hub: self, found: found, visitor: visitor))
    case .service:
      var call = call(of: found, visitor)
      guard let form else { return try await readAndAsk(call, found, visitor) }
      call.form = form
      return try await ask(call, found, visitor)
    }
  }

  /// Who a request comes from, if the route lets them in.
  private func admit(
    _ found: FoundRoute, _ form: [(name: String, value: String)]?
  ) async throws -> Gatekeeper.Visitor {
    let secret = found.parts["secret"] ?? form?.first { $0.name == "T" }?.value
    let visitor = try await gate.admit(
      found.request, found.route, found.query, secret: secret, from: found.client
    ) { user in
      try await services.run(user, on: \.reading) { try $0.subscriptionCount() }
    }
    if found.route.access != .open { connections.set(found.channel, sender: .user(visitor.user ?? "")) }
    if found.route.dialect == .meTube, case .owner = visitor, !takesApps {
      throw HubProblem(404, "start the hub with --metube")
    }
    return visitor
  }

  /// The form of a reader that sends its token in the field `T` alone, as Liferea 1.14 does when it fetches articles.
  private func formWithToken(_ found: FoundRoute) async throws -> [(name: String, value: String)]? {
    guard found.route.dialect == .googleReader, case .form = found.route.body, found.route.access != .open,
      found.request.headers[.authorization] == nil
    else { return nil }
    connections.set(found.channel, sender: .stranger)
    return try await RequestBodyReader(
      found.request, timeout: timeoutOfStrangers, maximum: HubResponder.maxBytesOfStrangers
    ).form()
  }

  /// The size of a form that is read before it is known who sends it: the IDs of 2,000 items.
  private static let maxBytesOfStrangers = 1 << 17

  // MARK: Responses of the server

  /// Answers a request with a handler of the server.
  private func serve(
    _ handler: (any ServerHandlers) async throws -> ServerResponse, _ visit: ServerVisit
  ) async throws -> Response {
    if case .none = visit.route.body { try await visit.body.skip() }
    switch try await handler(visit) {
    case .response(let response): return ResponseForm(response, to: visit.request).response
    case .constant(let response): return ResponseForm(constant: response, to: visit.request).response
    case .long(let make):
      let mayRepeat = visit.route.method == .get
      return try await ResponseLimits.response(to: visit.request, of: visit.visitor, mayRepeat: mayRepeat, make)
    case .stream(let type, let write):
      var headers: HTTPFields = ResponseForm.common
      headers[.contentType] = type
      headers[.cacheControl] = "no-store"
      let body = ResponseBody { writer in
        try await write { try await writer.write(ByteBuffer(string: $0)) }
        try await writer.finish(nil)
      }
      return Response(status: .ok, headers: headers, body: body)
    }
  }

  // MARK: Responses from a log

  /// The request of a visitor as a service takes it, without its body.
  private func call(of found: FoundRoute, _ visitor: Gatekeeper.Visitor) -> HubCall {
    var call = HubCall(parts: found.parts, query: found.query, body: [], file: nil, url: url(of: found.request))
    call.webSubHub = webSubHub
    (call.page, call.user) = (page, visitor.user ?? "")
    if case .owner = visitor { call.takesApps = takesApps }
    if case .known(.token(_, _, .read)) = visitor { call.mayWrite = false }
    return call
  }

  /// The URL that the client used, without its token: documents that name it are copied and published. Only a WebSub
  /// hub must fetch the very URL that the feed names.
  private func url(of request: Request) -> String {
    let path = request.head.path ?? ""
    return (address ?? "http://\(request.head.authority ?? "")")
      + (webSubHub == nil ? RequestTarget.withoutToken(path) : path)
  }

  /// Reads the body of an admitted request, and responds. A long body holds a slot until the response.
  private func readAndAsk(
    _ call: HubCall, _ found: FoundRoute, _ visitor: Gatekeeper.Visitor
  ) async throws -> Response {
    func proceed() async throws -> Response {
      var call = call
      try await readBody(of: found, visitor, into: &call)
      return try await ask(call, found, visitor)
    }
    guard let turns = BodyLimits.turns(for: found.request, found.route.body) else { return try await proceed() }
    return try await turns.take(of: visitor.user ?? "") { try await proceed() }
  }

  private func readBody(
    of found: FoundRoute, _ visitor: Gatekeeper.Visitor, into call: inout HubCall
  ) async throws {
    let body = RequestBodyReader(found.request, timeout: timeout, maximum: RequestBodyReader.maxBytes)
    switch found.route.body {
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
  }

  private func ask(_ call: HubCall, _ found: FoundRoute, _ visitor: Gatekeeper.Visitor) async throws -> Response {
    let route = found.route
    let mayRepeat = !route.mayCost && (route.access == .read || route.method == .get)
    return try await ResponseLimits.response(to: found.request, of: visitor, mayRepeat: mayRepeat) {
      let response = try await services.response(of: route, to: call, for: visitor.user, on: route.threads)
      if response.startsPoll { _ = loop.start() }
      return response
    }
  }
}
