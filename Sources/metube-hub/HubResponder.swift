import Commands
import Core
import Glibc
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import ServiceLifecycle

/// From a request to its response: host, route, origin, body, answer.
struct HubResponder: HTTPResponder {
  typealias Context = HubContext

  let hosts: AllowedHosts
  /// The URL of the hub as others use it; nil if only this machine uses it.
  let address: String?
  let services: UserServices
  let loop: PollLoop
  let watch: LogWatch
  let gate: Gatekeeper
  private let metrics = Metrics()

  init(
    hosts: AllowedHosts, address: String?, services: UserServices, loop: PollLoop, watch: LogWatch,
    gate: Gatekeeper
  ) {
    (self.hosts, self.address, self.services) = (hosts, address, services)
    (self.loop, self.watch, self.gate) = (loop, watch, gate)
  }

  func respond(to request: Request, context: HubContext) async throws -> Response {
    let began = ContinuousClock.now
    var response: Response
    do {
      response = try await answer(request, context)
    } catch let problem as HubProblem {
      response = ResponseForm(problem.answer, to: request).response
      if problem.status == 401 { response.headers[.wwwAuthenticate] = "Bearer" }
      // What may be left of the body is not worth reading, and could have no end.
      if request.hasBody { response = response.closing(context.channel) }
    } catch let failure as Failure {
      Program.report(failure.message)
      response = ResponseForm(HubProblem(503, "the log cannot be opened", retryAfter: 5).answer, to: request).response
    } catch {
      Program.report("\(request.method) failed: \(error)")
      response =
        ResponseForm(HubProblem(503, "a failure; see the hub's log", retryAfter: 5).answer, to: request)
        .response
    }
    if request.method == .head { response = response.createHeadResponse() }
    metrics.count(response.status.code, ContinuousClock.now - began)
    return response
  }

  private func answer(_ request: Request, _ context: HubContext) async throws -> Response {
    guard hosts.allow(request.head) else {
      throw HubProblem(421, "this host name is not the hub's; use the address that it printed, or --public-url")
    }
    guard let target = RequestTarget(request.head.path ?? "") else { throw HubProblem(400, "malformed path or query") }
    var matches = HubRoute.all.compactMap { route in route.match(target.path).map { (route, $0) } }
    // A path without variable parts is more than one with them.
    if matches.contains(where: { $0.1.isEmpty }) { matches.removeAll { !$0.1.isEmpty } }
    guard !matches.isEmpty else { throw HubProblem(404, "no such path; see /api/v1/openapi.json") }
    let method = request.method == .head ? "get" : request.method.rawValue.lowercased()
    guard let (route, parts) = matches.first(where: { $0.0.method.rawValue == method }) else {
      var answer = HubProblem(405, "this path has no \(request.method.rawValue)").answer
      let methods = matches.map { $0.0.method.rawValue.uppercased() }
      let all = methods + (methods.contains("GET") ? ["HEAD"] : [])
      answer.headers.append(("Allow", all.joined(separator: ", ")))
      return ResponseForm(answer, to: request).response
    }
    if route.method != .get, !RequestOrigin.isOwn(request.head) {
      throw HubProblem(403, "the request comes from a page of another site")
    }
    let visitor = try await gate.admit(request, route, target.query)
    if case .server(let work) = route.work {
      return try await serve(work, Visit(request: request, route: route, parts: parts, visitor: visitor), context)
    }
    var call = HubCall(parts: parts, query: target.query, body: [], file: nil, url: url(of: request))
    let body = RequestBodyReader(request)
    switch route.body {
    case .none: break
    case .members, .json: call.body = try await body.json()
    case .file:
      let file = try await body.file(named: target.query.first { $0.name == "name" }?.value)
      defer { file.remove() }
      call.file = file.path
      return try await ask(route, call, request, visitor)
    }
    return try await ask(route, call, request, visitor)
  }

  private func ask(
    _ route: HubRoute, _ call: HubCall, _ request: Request, _ visitor: Gatekeeper.Visitor
  ) async throws -> Response {
    let user = Gatekeeper.logOwner(visitor)
    guard user != nil || !services.files.isShared else { throw HubProblem(401, "log in, or send a token") }
    let answer = try await services.run(user) { $0.answer(route, call) }
    return ResponseForm(answer, to: request).response
  }

  /// The URL that the client used.
  private func url(of request: Request) -> String {
    (address ?? "http://\(request.head.authority ?? "")") + (request.head.path ?? "")
  }

  // MARK: What the server answers itself

  /// A request that was let in.
  private struct Visit {
    let request: Request
    let route: HubRoute
    let parts: [String: String]
    let visitor: Gatekeeper.Visitor
  }

  private func serve(_ work: HubRoute.ServerWork, _ visit: Visit, _ context: HubContext) async throws -> Response {
    let request = visit.request
    func json() async throws -> [UInt8] { try await RequestBodyReader(request).json() }
    switch work {
    case .logIn:
      let address = context.channel.remoteAddress?.ipAddress ?? ""
      return ResponseForm(try await gate.logIn(json(), visit.route, from: address), to: request).response
    case .logOut: return ResponseForm(try await gate.logOut(visit.visitor), to: request).response
    case .whoAmI: return ResponseForm(gate.whoAmI(visit.visitor), to: request).response
    case .listTokens: return ResponseForm(try await gate.tokens(visit.visitor), to: request).response
    case .addToken:
      return ResponseForm(try await gate.addToken(visit.visitor, json(), visit.route), to: request).response
    case .revokeToken:
      return ResponseForm(try await gate.revokeToken(visit.visitor, visit.parts["token"] ?? ""), to: request).response
    case .health: return try await health(request)
    case .metrics:
      let user = Gatekeeper.logOwner(visit.visitor)
      let counts = try await services.run(user) { try $0.counts() }
      let text = metrics.text(videos: counts.videos, channels: counts.channels, listeners: watch.count(user))
      return ResponseForm(HubAnswer(200, "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8)), to: request)
        .response
    case .openAPI:
      return ResponseForm(HubAnswer(200, "application/json", HubDocument.bytes), to: request).response
    case .poll:
      let state: JSONValue = ["state": loop.start() ? "started" : "running"]
      return ResponseForm(HubAnswer(202, "application/json", state.bytes), to: request).response
    case .events: return try events(request, Gatekeeper.logOwner(visit.visitor))
    }
  }

  private func health(_ request: Request) async throws -> Response {
    let counts = try? await services.run(nil) { try $0.counts() }
    let users = try await services.files.isShared ? gate.users().count : 1
    if request.headers[.accept]?.hasPrefix("text/plain") == true {
      let answer = HubAnswer(counts == nil ? 503 : 200, "text/plain", Array((counts == nil ? "failed\n" : "ok\n").utf8))
      return ResponseForm(answer, to: request).response
    }
    var body: JSONValue = ["status": "unhealthy", "message": "the log cannot be read"]
    if let counts {
      body = [
        "status": "healthy", "timestamp": .string(HubResponder.now.rfc3339),
        "stats": ["channels": .number(Double(counts.channels)), "users": .number(Double(users)), "videos": .number(Double(counts.videos))],
      ]
    }
    return ResponseForm(HubAnswer(counts == nil ? 503 : 200, "application/json", body.bytes), to: request).response
  }

  private static var now: Timestamp { Timestamp(seconds: Int64(time(nil))) }

  private func events(_ request: Request, _ user: String?) throws -> Response {
    guard let tokens = watch.tokens(of: user) else { throw HubProblem(503, "too many listen already", retryAfter: 30) }
    var headers: HTTPFields = ResponseForm.common
    headers[.contentType] = "text/event-stream"
    headers[.cacheControl] = "no-store"
    let body = ResponseBody { writer in
      // Otherwise the hub would wait for its listeners before it ends.
      for try await token in tokens.cancelOnGracefulShutdown() {
        let text = token.isEmpty ? ":\n\n" : "event: change\nid: \(token)\ndata: \(token)\n\n"
        try await writer.write(ByteBuffer(string: text))
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: headers, body: body)
  }
}

extension Request {
  /// Whether the headers announce a body.
  fileprivate var hasBody: Bool {
    headers[.transferEncoding] != nil || headers[.contentLength].map { $0 != "0" } ?? false
  }
}
