import Glibc
import Synchronization

/// An HTTP/1.1 server on 127.0.0.1 that simulates YouTube, with every failure that YouTube and networks produce.
///
/// ```
/// let server = try FixtureServer.start(port: 0)
/// defer { server.stop() }
/// server.serve("UCsXVk37bltHxD1rDPwtNM8Q", .feed(bytes))
/// server.fail(.status(500), on: .all, times: .first(2))
/// poll(server.baseURL)
/// #expect(server.requests.count == 3)
/// ```
/// Lock rule: all mutable data is in `state`, behind one mutex that is held only to look up, count and record, never
/// while waiting, sending, joining or running a route. Any thread may call any method.
package final class FixtureServer: Sendable {
  /// The port the server listens on.
  package let port: UInt16
  private let listener: Socket
  private let state = Mutex(State())

  /// Starts a server; port 0 picks any free port. `stop()` ends it.
  package static func start(port: UInt16) throws(SocketError) -> FixtureServer {
    let (listener, port) = try Socket.listening(port: port)
    let server = FixtureServer(listener: listener, port: port)
    guard let thread = Thread.start({ server.acceptConnections() }) else {
      listener.close()
      throw SocketError("pthread_create")
    }
    server.state.withLock { $0.acceptor = thread }
    return server
  }

  private init(listener: Socket, port: UInt16) {
    (self.listener, self.port) = (listener, port)
  }

  /// Ends every connection, waits for every thread, and frees the port. Calling it twice is safe.
  package func stop() {
    // Only once: the listener's descriptor may be another server's by now.
    guard let acceptor = state.withLock({ $0.acceptor.take() }) else { return }
    listener.shutDown()
    acceptor.join()
    listener.close()
    let threads = state.withLock { state in
      state.live.keys.forEach { $0.shutDown() }
      return Array(state.live.values) + state.finished
    }
    threads.forEach { $0.join() }
    state.withLock { $0.finished = [] }
  }

  /// Scheme, host and port. Example: `http://127.0.0.1:40123`.
  package var baseURL: String { "http://127.0.0.1:\(port)" }
}

/// Configuring responses.
extension FixtureServer {
  /// Serves this response for requests with this key or target from now on; see `Request.key`.
  package func serve(_ key: String, _ response: Response) { state.withLock { $0.responses[key] = response } }

  /// Routes this path, with any query, to a closure; nil is a 404. Keys and targets take precedence.
  package func route(_ path: String, _ respond: @escaping @Sendable (Request) -> Response?) {
    state.withLock { $0.routes[path] = respond }
  }

  /// Applies `fault` to the requests in `scope`. If several faults match, the one added first applies.
  package func fail(_ fault: Fault, on scope: FaultScope, times span: FaultSpan) {
    state.withLock { $0.rules.append(FaultRule(fault, scope: scope, span: span)) }
  }

  /// Removes every fault.
  package func heal() { state.withLock { $0.rules = [] } }

  /// The delay before each response, in milliseconds; initially 0.
  package var latency: Int32 {
    get { state.withLock { $0.latency } }
    set { state.withLock { $0.latency = newValue } }
  }

  /// How many requests are answered, counted from the start; the others wait until it is raised. Initially all are.
  package var responseLimit: Int {
    get { state.withLock { $0.responseLimit } }
    set { state.withLock { $0.responseLimit = newValue } }
  }

  /// Whether the server sends ETags and 304 responses. Initially false, as YouTube sends none.
  package var sendsETags: Bool {
    get { state.withLock { $0.sendsETags } }
    set { state.withLock { $0.sendsETags = newValue } }
  }
}

/// Inspecting requests.
extension FixtureServer {
  /// The requests in order of arrival; at least the newest 10,000.
  package var requests: [Request] { state.withLock { $0.log } }

  /// The number of requests with this key or target.
  package func requestCount(_ key: String) -> Int {
    requests.count { $0.key == key || $0.target == key }
  }

  /// Forgets all requests so far.
  package func forgetRequests() { state.withLock { $0.log = [] } }
}

extension FixtureServer {
  private typealias Route = @Sendable (Request) -> Response?

  private struct State {
    var responses: [String: Response] = [:]
    var routes: [String: Route] = [:]
    var rules: [FaultRule] = []
    var latency: Int32 = 0
    var responseLimit = Int.max
    var received = 0
    var sendsETags = false
    var log: [Request] = []
    var acceptor: Thread?
    var live: [Socket: Thread] = [:]
    /// Threads that have closed their socket and only need joining.
    var finished: [Thread] = []

    /// Records a request; returns what its response is made of.
    mutating func receive(_ request: Request) -> (number: Int, response: Response?, route: Route?, fault: Fault?) {
      received += 1
      if log.count == 2 * State.logLimit { log.removeFirst(State.logLimit) }
      log.append(request)
      var fault: Fault?
      for index in rules.indices where fault == nil { fault = rules[index].strike(request) }
      return (received, responses[request.target] ?? responses[request.key], routes[String(request.path)], fault)
    }

    private static let logLimit = 10_000
  }

  private func acceptConnections() {
    while let socket = listener.accept() {
      let finished = state.withLock { state in
        // Under the lock, so that the thread cannot end before it is listed.
        if state.live.count < FixtureServer.connectionLimit, let thread = Thread.start({ self.serve(socket) }) {
          state.live[socket] = thread
        } else {
          socket.close()
        }
        defer { state.finished = [] }
        return state.finished
      }
      finished.forEach { $0.join() }
    }
  }

  private static let connectionLimit = 512

  /// Serves one connection on its own thread.
  private func serve(_ socket: Socket) {
    var connection = Connection(socket)
    connection.serve(steps(for:), mayRespond: { $0 <= self.responseLimit })
    state.withLock { state in
      // Under the lock, so that `stop()` never shuts down a descriptor that has been reused.
      socket.close()
      if let thread = state.live.removeValue(forKey: socket) { state.finished.append(thread) }
    }
  }

  private func steps(for request: Request) -> [Step] {
    let (number, response, route, fault) = state.withLock { $0.receive(request) }
    let date = formatted(time(nil), as: "%a, %d %b %Y %H:%M:%S GMT")  // RFC 9110 §5.6.7
    let reply = Reply(response ?? route?(request) ?? .status(404), to: request, date: date, tagged: sendsETags)
    let steps = fault.map { reply.steps(with: $0, to: request, date: date) } ?? reply.steps
    let latency = latency
    return [.turn(number)] + (latency > 0 ? [.pause(milliseconds: latency)] : []) + steps
  }
}

/// A UTC time formatted by `strftime`, at most 39 bytes. `gmtime_r`, `strftime`.
private func formatted(_ moment: time_t, as format: String) -> String {
  var moment = moment
  var fields = tm()
  gmtime_r(&moment, &fields)
  return String(unsafeUninitializedCapacity: 40) { buffer in
    buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, $0.count, format, &fields) }
  }
}
