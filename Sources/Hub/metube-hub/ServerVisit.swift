import Core
import Glibc
import HTTPTypes
import HubAPI
import HubCore
import HubLimits
import HubPush
import HubReaders
import Hummingbird
import JSON
import NIOCore
import ServiceLifecycle

/// An admitted request of a route that the server handles itself.
struct ServerVisit: ServerHandlers {
  let hub: HubResponder
  let found: FoundRoute
  let visitor: Gatekeeper.Visitor

  var request: Request { found.request }
  var route: HubRoute { found.route }
  var gate: Gatekeeper { hub.gate }

  /// The body of the request, which is for the server alone and therefore short.
  var body: RequestBodyReader {
    RequestBodyReader(
      request, timeout: route.access == .open ? hub.timeoutOfStrangers : hub.timeout,
      maximum: BodyLimits.maxBytes(route.access))
  }

  /// A variable part of the path; the route has it.
  func part(_ name: String) -> String { found.parts[name] ?? "" }

  // MARK: The hub

  /// Whether the hub works. How much is in it concerns only who may read it.
  func health() async throws -> ServerResponse {
    // The response says that the log cannot be read; requests report why.
    let health = try? await hub.health.health()
    let trouble = health == nil ? "the log cannot be read" : health?.trouble
    if route.dialect == .miniflux {
      // Its clients compare the whole body.
      let isFine = RouteResponse(200, "text/plain; charset=utf-8", Array("OK".utf8))
      return .response(trouble.map { HubProblem(503, $0).response(in: .miniflux) } ?? isFine)
    }
    let status = trouble == nil ? 200 : 503
    if request.headers[.accept]?.hasPrefix("text/plain") == true {
      let text = trouble == nil ? "ok\n" : "failed\n"
      return .response(RouteResponse(status, "text/plain", Array(text.utf8)))
    }
    var members: [JSONValue.Member] = [
      .init(name: "status", value: .string(trouble == nil ? "healthy" : "unhealthy")),
      .init(name: "timestamp", value: .string(Timestamp(seconds: Int64(time(nil))).rfc3339)),
    ]
    if gate.firstUser.isAwaited { members.append(.init(name: "setup", value: true)) }
    if let trouble { members.append(.init(name: "message", value: .string(trouble))) }
    if let counts = health?.counts, !visitor.isAnonymous {
      members.append(.init(name: "stats", value: try await stats(counts)))
    }
    return .response(RouteResponse(status, "application/json", JSONValue.object(members).bytes))
  }

  private func stats(_ counts: HealthCheck.Counts) async throws -> JSONValue {
    let users = try await hub.services.location.isShared ? gate.countOfUsers() : 1
    return [
      "channels": .number(Double(counts.channels)), "users": .number(Double(users)),
      "videos": .number(Double(counts.videos)),
    ]
  }

  func metrics() async throws -> ServerResponse {
    let text = hub.metrics.text(try await hub.gauges(for: visitor.user))
    return .response(RouteResponse(200, "text/plain; version=0.0.4; charset=utf-8", Array(text.utf8)))
  }

  func openAPI() -> ServerResponse { .constant(RouteResponse(200, "application/json", hub.document)) }

  func poll() async throws -> ServerResponse {
    let poll = try await startPoll()
    let response: JSONValue = [
      "state": .string(poll.state), "pollerSeen": poll.seen.map { .string($0.rfc3339) } ?? .null,
    ]
    return .response(RouteResponse(202, "application/json", response.bytes))
  }

  /// Polls on request: all that is due, or what the route names.
  func startPoll() async throws -> PollStart { try await hub.polls.start(for: visitor.user, found.parts) }

  /// A stream of events, as long as the session exists or the token is not revoked.
  func events() throws -> ServerResponse {
    let tokens: AsyncStream<String>
    switch hub.watch.tokens(of: visitor.user) {
    case .stream(let stream, let end):
      tokens = stream
      hub.connections.listen(found.channel, end: end)
    case .full(let maximum, let isOfUser):
      let text = isOfUser ? "you have \(maximum) event streams open, the most for one user" : "too many listen already"
      throw HubProblem(503, text, retryAfter: 30)
    }
    return .stream(type: "text/event-stream") { write in
      // Otherwise the hub would wait for its listeners before it ends.
      for try await token in tokens.cancelOnGracefulShutdown() {
        let visitor = try? await gate.visitor(
          request, route, found.query, secret: found.parts["secret"], from: found.client)
        // Under another name a user's stream begins anew.
        guard let visitor, visitor.user == self.visitor.user else { break }
        try await write(token.isEmpty ? ":\n\n" : "event: change\nid: \(token)\ndata: \(token)\n\n")
      }
    }
  }

  // MARK: Pushes

  func verifyPush() async throws -> ServerResponse {
    .response(try await pusher.verify(part("callback"), found.query))
  }

  func takePush() async throws -> ServerResponse {
    let (pusher, callback) = (try pusher, part("callback"))
    try await pusher.check(callback)
    let body = RequestBodyReader(request, timeout: hub.timeoutOfStrangers, maximum: RequestBodyReader.maxBytes)
    func take() async throws -> RouteResponse { try await pusher.take(callback, request.headers, body.bytes()) }
    return .response(
      BodyLimits.isLong(request)
        ? try await BodyLimits.pushes.take(of: callback) { try await take() } : try await take())
  }

  private var pusher: PushLoop {
    get throws {
      guard let push = hub.push else { throw HubProblem(404, "start the hub with --push") }
      return push
    }
  }
}
