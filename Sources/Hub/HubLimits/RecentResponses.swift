import Core
import Glibc
import HubCore
import ReadModel
import SQLDrivers
import Synchronization

/// Recent responses. A response depends on the logs and, for ages and snoozes, on the second, so it is sent again
/// within that second unless any process appended something.
package final class RecentResponses: Sendable {
  private let state = Mutex(State())
  /// How many requests of a user may wait for a response, also for one that another request of theirs made.
  private let maxWaitingOfOne: Int

  package init(maxWaitingOfOne: Int) { self.maxWaitingOfOne = maxWaitingOfOne }

  /// How many requests of a user wait.
  package func waiting(of user: String) -> Int { state.withLock { $0.waiting[user] ?? 0 } }

  private struct State {
    var responses: [String: Recent] = [:]
    /// How many requests of each user wait.
    var waiting: [String: Int] = [:]

    /// A request of a user has its response.
    mutating func leave(_ user: String) {
      waiting[user] = waiting[user].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }

  private struct Recent {
    var moment: Moment
    var response: Task<RouteResponse, any Error>
    let requests: Requests
  }

  /// The requests that wait for a response, or got it; counted while the responses are locked.
  private final class Requests: Sendable {
    let count = Atomic(0)
    let isComplete = Atomic(false)
    let interruption = Interruption()
  }

  /// What a response depends on besides its request.
  private struct Moment: Equatable {
    var second: Int
    var position: [UInt64]
  }

  private static let maximum = 64
  private static let largest = 1 << 16

  /// The recent response to a request, or what `make` returns, which many requests at once wait for together.
  /// `position` is how far the logs go now. Throws a `HubProblem` if too many of the user wait.
  package func response(
    to call: HubCall, at position: [UInt64], _ make: @escaping @Sendable () async throws -> RouteResponse
  ) async throws -> RouteResponse {
    let key = "\(call.user) \(call.url)"
    // Taken first: what is appended while the response is made ends it.
    let moment = Moment(second: time(nil), position: position)
    let (recent, waits) = try self.recent(to: key, of: call.user, at: moment, make)
    defer { if waits { state.withLock { $0.leave(call.user) } } }
    Interruption.current?.whenSet { [self] in leave(key, recent.requests) }
    // Others that wait for it get it too, but no later request.
    func forget() { state.withLock { if $0.responses[key]?.moment == moment { $0.responses[key] = nil } } }
    do {
      let response = try await recent.response.value
      if response.status != 200 || response.file != nil || response.body.count > RecentResponses.largest { forget() }
      return response
    } catch {
      forget()
      throw error
    }
  }

  /// What is known or is being made of a request, or begins to be made, and whether its user waits for it.
  private func recent(
    to key: String, of user: String, at moment: Moment, _ make: @escaping @Sendable () async throws -> RouteResponse
  ) throws -> (Recent, waits: Bool) {
    try state.withLock { state -> (Recent, waits: Bool) in
      let known = state.responses[key].flatMap { $0.moment == moment ? $0 : nil }
      if let known, known.requests.isComplete.load(ordering: .relaxed) {
        known.requests.count.add(1, ordering: .relaxed)
        return (known, false)
      }
      guard state.waiting[user, default: 0] < maxWaitingOfOne else { throw Turns.tooMany }
      state.waiting[user, default: 0] += 1
      if let known {
        known.requests.count.add(1, ordering: .relaxed)
        return (known, true)
      }
      if state.responses.count >= RecentResponses.maximum { state.responses.removeAll() }
      let requests = Requests()
      requests.count.add(1, ordering: .relaxed)
      let recent = Recent(
        moment: moment,
        response: Task {
          defer { requests.isComplete.store(true, ordering: .relaxed) }
          return try await Interruption.$current.withValue(requests.interruption) { try await make() }
        }, requests: requests)
      state.responses[key] = recent
      return (recent, true)
    }
  }

  /// Takes note that a client has gone: without any, the response need not be made.
  private func leave(_ key: String, _ requests: Requests) {
    let isLast = state.withLock { state in
      guard requests.count.subtract(1, ordering: .relaxed).newValue == 0 else { return false }
      if state.responses[key]?.requests === requests { state.responses[key] = nil }
      return true
    }
    if isLast { requests.interruption.set() }
  }
}
