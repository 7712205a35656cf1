import HubCore
import HubHTTP
import TestSupport
import Testing

@testable import metube_hub

/// A hub on the home of a sandbox, without users. What needs no server is answered in this process: requests without
/// credentials for routes of the log. All others start the program, and are sent to it.
///
/// Responses that are made here have no headers of the transport, such as validators.
final class TestHub {
  private let sandbox: Sandbox
  private let options: [String]
  private var service: HubService?
  private var running: RunningHub?

  /// The options are those of the program.
  init(_ sandbox: Sandbox, _ options: String...) {
    (self.sandbox, self.options) = (sandbox, options)
  }

  /// The program.
  var server: RunningHub {
    get throws {
      let hub = try running ?? RunningHub(sandbox, options)
      running = hub
      return hub
    }
  }

  /// Ends it at once.
  func kill() {
    service = nil
    running?.kill()
    running = nil
  }

  func send(
    _ method: String, _ target: String, _ headers: [String] = [], body: some Sequence<UInt8> = []
  ) throws -> HubResponse {
    let body = Array(body)
    guard let (route, call) = found(method, target, headers, body) else {
      return try server.send(method, target, headers, body: body)
    }
    let service = try self.service ?? HubService(.home(sandbox.folder.path), user: nil)
    self.service = service
    let response = service.response(of: route, to: call)
    let named = response.headers.map { ($0.name.lowercased(), $0.value) }
    return HubResponse(
      status: response.status, headers: Dictionary([("content-type", response.type)] + named) { $1 },
      body: response.body)
  }

  func get(_ target: String, _ headers: String...) throws -> HubResponse { try send("GET", target, headers) }

  /// Sends JSON.
  func send(_ method: String, _ target: String, json: String, _ headers: String...) throws -> HubResponse {
    try send(method, target, ["Content-Type: application/json"] + headers, body: json.utf8)
  }

  /// The route of a request and what it gets, if that needs no server.
  private func found(
    _ method: String, _ target: String, _ headers: [String], _ body: [UInt8]
  ) -> (route: HubRoute, call: HubCall)? {
    let type = headers.first?.lowercased()
    guard headers.count <= 1, type?.hasPrefix("content-type: ") ?? true, sandbox.folder.read("state/hub.db") == nil,
      let target = RequestTarget(target), target.isShortest,
      let (route, parts) = HubRoute.bestMatches(target.path).first(where: {
        $0.route.method.rawValue.uppercased() == method
      }),
      case .service = route.work, parts["secret"] == nil, route.dialect != .meTube
    else { return nil }
    var call = HubCall(
      parts: parts, query: target.query, body: [], file: nil,
      url: "http://127.0.0.1:1/" + target.path.joined(separator: "/"))
    switch route.body {
    case .none where body.isEmpty: break
    case .bytes: call.body = body
    case .members, .json:
      guard type == "content-type: application/json" else { return nil }
      call.body = body
    case .form:
      guard type == "content-type: application/x-www-form-urlencoded",
        let fields = RequestTarget.fields(of: String(decoding: body, as: UTF8.self), takesLines: true)
      else { return nil }
      call.form = fields
    default: return nil
    }
    return (route, call)
  }
}
