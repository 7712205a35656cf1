import Core
import Glibc
import HubCore
import ReadModel
import SQLDrivers
import Synchronization

/// Recent answers. One depends on the logs and, for ages and snoozes, on the second, so it is given again within that
/// second unless any process appended something.
package final class RecentResponses: Sendable {
  private let state = Mutex(State())
  /// How many requests of a user may wait for an answer, also for one that another request of theirs made.
  private let maxWaitingOfOne: Int

  package init(maxWaitingOfOne: Int) { self.maxWaitingOfOne = maxWaitingOfOne }

  /// How many requests of a user wait.
  package func waiting(of user: String) -> Int { state.withLock { $0.waiting[user] ?? 0 } }

  private struct State {
    var answers: [String: Recent] = [:]
    /// How many requests of each user wait.
    var waiting: [String: Int] = [:]

    /// A request of a user has its answer.
    mutating func leave(_ user: String) {
      waiting[user] = waiting[user].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }

  private struct Recent {
    var moment: Moment
    var answer: Task<HubAnswer, any Error>
    let requests: Requests
  }

  /// The requests that wait for an answer, or got it; counted while the answers are locked.
  private final class Requests: Sendable {
    let count = Atomic(0)
    let isAnswered = Atomic(false)
    let interruption = Interruption()
  }

  /// What an answer depends on besides its request.
  private struct Moment: Equatable {
    var second: Int
    var position: [UInt64]
  }

  private static let maximum = 64
  private static let largest = 1 << 16

  /// The recent answer to a request, or what `make` returns, which many requests at once wait for together. `position`
  /// is how far the logs go now. Throws a `HubProblem` if too many of the user wait.
  package func answer(
    to call: HubCall, at position: [UInt64], _ make: @escaping @Sendable () async throws -> HubAnswer
  ) async throws -> HubAnswer {
    let key = "\(call.user) \(call.url)"
    // Taken first: what is appended while the answer is made ends it.
    let moment = Moment(second: time(nil), position: position)
    let (recent, waits) = try self.recent(to: key, of: call.user, at: moment, make)
    defer { if waits { state.withLock { $0.leave(call.user) } } }
    Interruption.current?.whenSet { [self] in leave(key, recent.requests) }
    // Others that wait for it get it too, but nobody after them.
    func forget() { state.withLock { if $0.answers[key]?.moment == moment { $0.answers[key] = nil } } }
    do {
      let answer = try await recent.answer.value
      if answer.status != 200 || answer.file != nil || answer.body.count > RecentResponses.largest { forget() }
      return answer
    } catch {
      forget()
      throw error
    }
  }

  /// What is known or is being made of a request, or begins to be made, and whether its user waits for it.
  private func recent(
    to key: String, of user: String, at moment: Moment, _ make: @escaping @Sendable () async throws -> HubAnswer
  ) throws -> (Recent, waits: Bool) {
    try state.withLock { state -> (Recent, waits: Bool) in
      let known = state.answers[key].flatMap { $0.moment == moment ? $0 : nil }
      if let known, known.requests.isAnswered.load(ordering: .relaxed) {
        known.requests.count.add(1, ordering: .relaxed)
        return (known, false)
      }
      guard state.waiting[user, default: 0] < maxWaitingOfOne else { throw Turns.tooMany }
      state.waiting[user, default: 0] += 1
      if let known {
        known.requests.count.add(1, ordering: .relaxed)
        return (known, true)
      }
      if state.answers.count >= RecentResponses.maximum { state.answers.removeAll() }
      let requests = Requests()
      requests.count.add(1, ordering: .relaxed)
      let recent = Recent(
        moment: moment,
        answer: Task {
          defer { requests.isAnswered.store(true, ordering: .relaxed) }
          return try await Interruption.$current.withValue(requests.interruption) { try await make() }
        }, requests: requests)
      state.answers[key] = recent
      return (recent, true)
    }
  }

  /// Takes note that a client has gone: without any, the answer need not be made.
  private func leave(_ key: String, _ requests: Requests) {
    let isLast = state.withLock { state in
      guard requests.count.subtract(1, ordering: .relaxed).newValue == 0 else { return false }
      if state.answers[key]?.requests === requests { state.answers[key] = nil }
      return true
    }
    if isLast { requests.interruption.set() }
  }
}
