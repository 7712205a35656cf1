import Commands
import Core
import Glibc
import ReadModel
import Synchronization

/// Recent answers. One depends on the logs and, for ages and snoozes, on the second, so it is given again within that
/// second unless any process appended something.
final class RecentAnswers: Sendable {
  private let answers = Mutex<[String: Recent]>([:])

  private struct Recent {
    var moment: Moment
    var answer: Task<HubAnswer, any Error>
    let requests: Requests
  }

  /// The requests that wait for an answer, or got it; counted while the answers are locked.
  private final class Requests: Sendable {
    let count = Atomic(0)
    let interruption = Interruption()
  }

  /// What an answer depends on besides its request.
  private struct Moment: Equatable {
    var second: Int
    var position: [UInt64]
  }

  private static let most = 64
  private static let largest = 1 << 16

  /// The recent answer to a request, or what `make` returns, which many requests at once wait for together. `position`
  /// is how far the logs go now.
  func answer(
    to call: HubCall, at position: [UInt64], _ make: @escaping @Sendable () async throws -> HubAnswer
  ) async throws -> HubAnswer {
    let key = "\(call.user) \(call.url)"
    // Taken first: what is appended while the answer is made ends it.
    let moment = Moment(second: time(nil), position: position)
    let recent = answers.withLock { answers in
      if let recent = answers[key], recent.moment == moment {
        recent.requests.count.add(1, ordering: .relaxed)
        return recent
      }
      if answers.count >= RecentAnswers.most { answers.removeAll() }
      let requests = Requests()
      requests.count.add(1, ordering: .relaxed)
      let recent = Recent(
        moment: moment,
        answer: Task {
          var answer = try await Interruption.$current.withValue(requests.interruption) { try await make() }
          if answer.status == 200 { answer.digest = Fingerprint.of(answer.body.span.bytes) }
          return answer
        }, requests: requests)
      answers[key] = recent
      return recent
    }
    Interruption.current?.whenSet { [self] in leave(key, recent.requests) }
    // Others that wait for it get it too, but nobody after them.
    func forget() { answers.withLock { answers in if answers[key]?.moment == moment { answers[key] = nil } } }
    do {
      let answer = try await recent.answer.value
      if answer.status != 200 || answer.body.count > RecentAnswers.largest { forget() }
      return answer
    } catch {
      forget()
      throw error
    }
  }

  /// Takes note that a client has gone: without any, the answer need not be made.
  private func leave(_ key: String, _ requests: Requests) {
    let isLast = answers.withLock { answers in
      guard requests.count.subtract(1, ordering: .relaxed).newValue == 0 else { return false }
      if answers[key]?.requests === requests { answers[key] = nil }
      return true
    }
    if isLast { requests.interruption.set() }
  }
}
