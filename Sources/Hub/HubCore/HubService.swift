import App
import Core
import EventLog
import Exporters
import Glibc
import HubStore
import Library
import Messages
import Platform
import ReadModel
import SQLDrivers
import SharedPollers

/// Answers requests from one log and its read model. Not for two threads at once; each opens its own.
package final class HubService {
  package var session: Session
  private var settlement = Settlement()
  package let numbers: NumberedThings
  package let appLists: AppLists
  /// How much is kept of the logs that devices send.
  package var limits = ExchangeLimits.usual
  /// The user of the present request; empty if there are no users.
  package private(set) var user = ""
  /// What another reader found broken when it last said so.
  var noticed: [LogDamage] = []

  /// Opens the log of a user, or the shared one if nil.
  package convenience init(_ files: HubFiles, user: String?) throws {
    try self.init(files.home(of: user), clock: Clock.milliseconds)
  }

  /// Opens the log of a user, an owner in a hub's database, on a connection that it shares with other services.
  package convenience init(_ database: Database, user: String, owner: Int64, _ settings: Settings) throws {
    try self.init(database, user: user, owner: owner, settings, clock: Clock.milliseconds)
  }

  /// `clock` returns milliseconds since 1970.
  init(_ home: Home, clock: @escaping () -> UInt64) throws {
    session = Session(try FileWorkspace(home, clock: clock))
    numbers = NumberedThings { try NumberStore(folder: home.state) { Int64(clock() / 1000) } }
    appLists = AppLists(folder: home.state)
  }

  /// `clock` returns milliseconds since 1970.
  init(
    _ database: Database, user: String, owner: Int64, _ settings: Settings, clock: @escaping () -> UInt64
  ) throws {
    session = Session(try DatabaseWorkspace(database, of: user, settings, clock: clock))
    numbers = NumberedThings { NumberStore(database, owner: owner) { Int64(clock() / 1000) } }
    appLists = AppLists(database, owner: owner)
  }

  /// Brings everything up to date with what any process has appended.
  package func refresh() throws {
    try session.refresh()
    StandardError.reportFailure { try settlement.settle(session) }
  }

  /// The response of a route to a request, with everything that any process has appended until now.
  package func response(of route: HubRoute, to call: HubCall) -> RouteResponse {
    do {
      guard case .service(let work) = route.work else { throw HubProblem(500, "not a route of the log") }
      try refresh()
      // Only the dialects need numbers; where none can be stored, as on a full disk, the others read on.
      if route.dialect == .hub {
        StandardError.reportFailure { try numbers.take(session) }
      } else {
        try numbers.take(session)
      }
      user = call.user
      return try work(self, call)
    } catch {
      return route.refusal(problem(error), call)
    }
  }

  // MARK: Problems

  private func problem(_ error: any Error) -> HubProblem {
    switch error {
    case let problem as HubProblem: return problem
    case let error as AppError: return HubProblem(error)
    case let failure as Failure where failure.evidence is SettingError: return HubProblem.ofSettings(failure.message)
    case let failure as Failure: return problem(failure)
    case let error as LogError: return problem(UserMessages.failure(error))
    case let error as DatabaseError: return problem(UserMessages.failure(error))
    case is ExitStatus: return HubProblem(404, "unknown video or channel")
    default:
      StandardError.report("\(error)")
      return HubProblem(500, "the request failed; the hub's log says why")
    }
  }

  private func problem(_ failure: Failure) -> HubProblem {
    if let obstacle = failure.obstacle, obstacle == .unreachable || obstacle == .tookTooLong {
      // The address of the server stays in the hub's own log.
      if obstacle == .unreachable { StandardError.report(failure.message) }
      return HubTrouble.problem(obstacle, remedy: HubTrouble.remedy(user))
    }
    switch failure.status {
    case .usage: return HubProblem(400, failure.message)
    case .invalidInput: return HubProblem(422, failure.message)
    case .partial, .done: return HubProblem(404, failure.message)
    case .temporaryFailure: return HubProblem(503, failure.message, retryAfter: 2)
    case .disk, .refused:
      StandardError.report(failure.message)
      return HubTrouble.problem(failure.obstacle, remedy: HubTrouble.remedy(user))
    }
  }

  /// How many videos one request may mark, and one response names as changed.
  package static let maxMarks = 400

  /// The maximum number of subscriptions after a request, and of those that are shown; nil for no limit.
  package var maxSubscriptions: Int? {
    get { session.maxSubscriptions }
    set { session.maxSubscriptions = newValue }
  }

  /// The position in the logs, as an opaque text that `changes` takes.
  package func token() throws -> String {
    try refresh()
    return session.library.position
  }

  /// Creates a state folder that is missing, for its owner alone.
  package static func makeState(_ folder: String) {
    guard access(folder, F_OK) != 0 else { return }
    File.makeFolders(folder)
    chmod(folder, 0o700)
  }

  /// How many subscriptions there are.
  package func subscriptionCount() throws -> Int {
    try refresh()
    return try session.state.followed.count
  }

  /// How many videos and subscriptions the log has.
  package func counts() throws -> (videos: Int, channels: Int) {
    try refresh()
    return (try session.query { try $0.videoCount() }, try session.state.followed.count)
  }

  // MARK: Writing responses

  /// The objects of things with their numbers.
  package func numbered(_ lines: [JSONLine], _ kind: NumberStore.Kind, _ keys: [String]) throws -> [JSONLine] {
    zip(lines, try numbers(kind, keys)).map { line, number in
      var line = line
      line.add("number", number)
      return line
    }
  }

  package func numbered(_ rows: [VideoRow]) throws -> [JSONLine] {
    try numbered(session.withViews(rows).map(\.json), .video, rows.map(\.video.description))
  }

  /// The objects of subscriptions, with when each is polled next, by the polling state `memory`.
  package func numbered(_ rows: [ChannelRow], _ memory: PollState) throws -> [JSONLine] {
    let next = try session.nextPolls(of: rows.map(\.channel), memory)
    return try zip(rows, numbered(rows.map(\.json), .channel, rows.map(\.channel.description))).map { row, line in
      var line = line
      line.add("nextCheck", next[row.channel])
      return line
    }
  }

  package func json(_ body: [UInt8], status: Int = 200) -> RouteResponse {
    RouteResponse(status, RouteResponse.json, body)
  }

  package func json(_ status: Int = 200, _ fill: (inout JSONLine) throws -> Void) rethrows -> RouteResponse {
    var line = JSONLine()
    try fill(&line)
    return json(line.object, status: status)
  }

  /// What `write` writes, in a temporary file.
  package func longDocument(_ type: String, _ write: (inout Output) throws -> Void) throws -> RouteResponse {
    guard let scratch = ScratchFile(holding: []) else {
      throw File.failure(ScratchFile.folder, "cannot create a temporary file there")
    }
    var output = Output(to: scratch.descriptor)
    try write(&output)
    errno = output.end()
    guard errno == 0 else {
      throw Failure(.disk, "\(ScratchFile.folder): cannot write there: \(String(cString: strerror(errno)))", .full)
    }
    var response = RouteResponse(200, type, [])
    response.file = RouteResponse.File(scratch: scratch, count: Int(lseek(scratch.descriptor, 0, SEEK_END)))
    return response
  }

  /// What `write` writes.
  package func document(_ type: String, _ write: (inout Output) throws -> Void) throws -> RouteResponse {
    RouteResponse(200, type, try Output.bytes(write))
  }
}
