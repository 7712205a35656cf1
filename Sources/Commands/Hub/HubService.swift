import ArgumentParser
import Core
import EventLog
import Exporters
import Glibc
import Library
import ReadModel

/// Answers requests from one log and its read model. Not for two threads at once; each opens its own.
package final class HubService {
  var session: Session
  /// The numbers of videos, channels and tags; nil if there is no table.
  package var numberTable: (any Numbers)?
  let appLists: AppLists
  /// The user of the present request; empty if there are no users.
  private(set) var user = ""

  /// Opens a home: the folder, or nil for the standard ones.
  package init(home: String?) throws {
    session = try Session(try CommonOptions.forHub(home.map { ["--home=\($0)"] } ?? []), reports: false)
    appLists = AppLists(folder: session.home.state)
  }

  /// Answers a request of a route, with everything that any process has appended until now.
  package func answer(_ route: HubRoute, _ call: HubCall) -> HubAnswer {
    do {
      guard case .service(let work) = route.work else { throw HubProblem(500, "not a route of the log") }
      try session.refresh()
      user = call.user
      guard route.method == .get else { return try work(self, call) }
      return try recent("\(user) \(call.url)") { try work(self, call) }
    } catch {
      let problem = HubService.problem(error)
      return route.isPage ? PageProblem.answer(problem, call.page) : problem.answer(in: route.dialect)
    }
  }

  // MARK: Recent answers

  /// An answer that holds as long as nothing is appended, within the second that it was made in.
  private struct Recent {
    var extent: [Int: UInt64]
    var now: Timestamp
    var answer: HubAnswer
  }

  private var recents: [String: Recent] = [:]
  private static let mostRecents = 32
  private static let largestRecent = 1 << 16

  /// The recent answer to the same request, or a new one.
  private func recent(_ url: String, _ work: () throws -> HubAnswer) rethrows -> HubAnswer {
    let extent = session.library.journal.extent
    if let recent = recents[url], recent.now == session.now, recent.extent == extent { return recent.answer }
    let answer = try work()
    if recents.count >= HubService.mostRecents { recents.removeAll() }
    if answer.body.count <= HubService.largestRecent {
      recents[url] = Recent(extent: extent, now: session.now, answer: answer)
    }
    return answer
  }

  // MARK: Problems

  private static func problem(_ error: any Error) -> HubProblem {
    switch error {
    case let problem as HubProblem: return problem
    case let failure as Failure: return problem(failure)
    case is ExitStatus: return HubProblem(404, "unknown video or channel")
    default:
      StandardError.report("\(error)")
      return HubProblem(500, "the request failed; the hub's log says why")
    }
  }

  private static func problem(_ failure: Failure) -> HubProblem {
    let words = HubProblem.words(failure.message)
    switch failure.status {
    case .usage: return HubProblem(400, words)
    case .invalidInput: return HubProblem(422, words)
    case .partial, .done: return HubProblem(404, words)
    case .temporaryFailure: return HubProblem(503, words, retryAfter: 2)
    case .disk, .refused:
      StandardError.report(failure.message)
      return HubProblem(500, "the request failed; the hub's log says why")
    }
  }

  /// How far the logs were read, as an opaque text that `changes` takes.
  package func token() throws -> String {
    try session.refresh()
    return session.library.journal.position
  }

  /// The folder of the logs, the state folder and the settings file of a home.
  package static func places(home: String?) throws -> (log: String, state: String, settings: String) {
    let home = try Home(folder: home, environment: Environment.variables())
    return (home.folders.log, home.state, home.settings)
  }

  /// Creates a state folder that is missing, for its owner alone.
  package static func makeState(_ folder: String) {
    guard access(folder, F_OK) != 0 else { return }
    TimerLocation.makeFolders(folder)
    chmod(folder, 0o700)
  }

  /// The numbers that `metrics` shows.
  package func counts() throws -> (videos: Int, channels: Int) {
    try session.refresh()
    return (try session.query { try $0.videoCount() }, try session.state.followed.count)
  }

  // MARK: Writing answers

  func json(_ body: [UInt8], status: Int = 200) -> HubAnswer { HubAnswer(status, HubAnswer.json, body) }

  func json(_ status: Int = 200, _ fill: (inout JSONLine) throws -> Void) rethrows -> HubAnswer {
    var line = JSONLine()
    try fill(&line)
    return json(line.object, status: status)
  }

  /// What `write` writes.
  func document(_ type: String, _ write: (inout Output) throws -> Void) throws -> HubAnswer {
    HubAnswer(200, type, try Output.bytes(write))
  }
}
