import Testing

@testable import SQLDrivers

@Suite("Waiting for other connections")
struct BusyWaitTests {
  /// A clock that only pauses move.
  private final class Time {
    var now = 0
    var progress: Int64 = 0
    /// After so many pauses no progress is made any more.
    var busyPauses = 0
    private(set) var pauses = 0

    func pause(_ milliseconds: Int) {
      now += milliseconds
      pauses += 1
      if pauses <= busyPauses { progress += 1 }
    }
  }

  private func wait(_ time: Time) -> BusyWait {
    BusyWait(limit: 5000, clock: { time.now }, progress: { [time.progress] }, pause: time.pause)
  }

  @Test("A connection that makes no progress is waited for five seconds, each time")
  func idle() {
    let time = Time()
    let wait = wait(time)
    for _ in 0..<3 {
      let start = time.now
      var attempt = 0
      while wait.waits(attempt) { attempt += 1 }
      #expect((5000...5100).contains(time.now - start))
    }
  }

  @Test("A connection that makes progress is waited for as long as it does, and five seconds more")
  func progress() {
    let time = Time()
    time.busyPauses = 1000
    let wait = wait(time)
    var attempt = 0
    while wait.waits(attempt) { attempt += 1 }
    #expect(attempt > 1000 && time.now > 90_000 + 5000)
  }
}
