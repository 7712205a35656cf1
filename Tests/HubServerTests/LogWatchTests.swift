import Synchronization
import TestSupport
import Testing

@testable import metube_hub

/// Logs of users that grow, of which some take as long to read as the test wants.
private final class Logs: Sendable {
  private struct State {
    var lengths: [String?: UInt64] = ["ann": 1, "bob": 1]
    var stopped: Set<String?> = []
    var read: [String?: Int] = [:]
  }

  private let state = Mutex(State())

  func grow(_ user: String) { state.withLock { $0.lengths[user, default: 0] += 1 } }
  func stop(_ user: String) { state.withLock { _ = $0.stopped.insert(user) } }
  func goOn(_ user: String) { state.withLock { _ = $0.stopped.remove(user) } }
  /// How often reading a user's log began.
  func readings(_ user: String) -> Int { state.withLock { $0.read[user, default: 0] } }

  var logs: LogWatch.Logs {
    LogWatch.Logs(
      grown: {
        try? await Task.sleep(for: .milliseconds(5))
        return nil
      },
      positions: { users in
        self.state.withLock { state in
          Dictionary(uniqueKeysWithValues: users.map { ($0, [1, state.lengths[$0] ?? 0]) })
        }
      },
      token: { user in
        let length = self.state.withLock { state in
          state.read[user, default: 0] += 1
          return state.lengths[user] ?? 0
        }
        while self.state.withLock({ $0.stopped.contains(user) }) { try await Task.sleep(for: .milliseconds(5)) }
        return "\(user ?? "") \(length)"
      })
  }
}

@Suite("Event streams of a hub")
struct LogWatchTests {
  /// Waits for a token.
  private func wait(for token: String, in stream: AsyncStream<String>) async {
    for await next in stream where next == token { return }
  }

  private func listen(_ watch: LogWatch, _ user: String) throws -> AsyncStream<String> {
    guard case .stream(let stream, _) = watch.tokens(of: user) else { throw CancellationError() }
    return stream
  }

  @Test("A look at who may still listen takes no event from a listener that did not read it yet")
  func rechecked() async throws {
    let logs = Logs()
    let watch = LogWatch(logs.logs)
    let running = Task { try await watch.run() }
    let first = try listen(watch, "ann")
    await wait(for: "ann 1", in: first)
    let second = try listen(watch, "ann")
    for _ in 0..<3 { watch.recheck() }
    running.cancel()
    try await running.value
    var tokens: [String] = []
    for await token in second { tokens.append(token) }
    #expect(tokens.contains("ann 1"))
  }

  @Test(
    "A log that takes long to read holds up no other log's events, and its own are not lost", .timeLimit(.minutes(5)))
  func slow() async throws {
    let logs = Logs()
    let watch = LogWatch(logs.logs)
    let running = Task { try await watch.run() }
    let (ann, bob) = (try listen(watch, "ann"), try listen(watch, "bob"))
    await wait(for: "ann 1", in: ann)
    await wait(for: "bob 1", in: bob)
    logs.stop("ann")
    logs.grow("ann")
    while logs.readings("ann") < 2 { try await Task.sleep(for: .milliseconds(5)) }
    for length in 2...5 {
      logs.grow("bob")
      await wait(for: "bob \(length)", in: bob)
    }
    logs.grow("ann")
    logs.goOn("ann")
    await wait(for: "ann 3", in: ann)
    #expect(logs.readings("ann") == 3, "one reading at a time")
    running.cancel()
    try await running.value
  }
}
