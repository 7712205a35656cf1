import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTPClient

@Test("Requests start in the given order, and each has its outcome")
func order() throws {
  let server = try ScriptedServer { _ in [.respond("200 OK")] }
  let requests = (0..<50).map { get(server.url("/\($0)"), tag: $0) }
  let outcomes = try HTTPSession(.patient.with(\.jobs, 1)).outcomes(of: requests)
  #expect(outcomes.map(\.tag) == Array(0..<50))
  #expect(server.requests.map(\.target) == (0..<50).map { "/\($0)" })
}

@Test("All jobs are used, and no more", arguments: [1, 3, 8])
func jobs(count: Int) throws {
  let crowd = Mutex((now: 0, maximum: 0))
  let server = try ScriptedServer { _ in
    crowd.withLock { $0 = ($0.now + 1, max($0.maximum, $0.now + 1)) }
    // No request gets a response before all are there.
    wait { crowd.withLock { $0.maximum } >= count }
    crowd.withLock { $0.now -= 1 }
    return [.respond("200 OK")]
  }
  let requests = (0..<(count * 4)).map { get(server.url("/"), tag: $0) }
  let outcomes = try HTTPSession(.patient.with(\.jobs, count)).outcomes(of: requests)
  #expect(outcomes.count == count * 4 && outcomes.allSatisfy { $0.result.status == 200 })
  #expect(crowd.withLock { $0.maximum } == count)
}

@Test("One connection serves several transfers in sequence, over several runs")
func keptConnection() throws {
  let server = try ScriptedServer { _ in [.respond("200 OK", text: "x")] }
  let fetcher = try HTTPSession(.patient)
  for tag in 0..<5 { #expect(try fetcher.outcome(of: get(server.url("/"), tag: tag)).result.status == 200) }
  #expect(Set(server.requests.map(\.connection)) == [0])
}

@Test("A kept connection that the server has closed meanwhile costs no response")
func closedKeptConnection() throws {
  let server = try ScriptedServer { _ in [.respond("200 OK", text: "x"), .close] }
  let fetcher = try HTTPSession(.patient)
  for tag in 0..<5 { #expect(try fetcher.outcome(of: get(server.url("/"), tag: tag)).result.status == 200) }
  #expect(server.requests.count == 5)
}

@Test("Nothing starts while the caller wants to wait")
func waiting() throws {
  let server = try ScriptedServer { _ in [.respond("200 OK")] }
  let clock = ContinuousClock()
  var starts: [ContinuousClock.Instant] = []
  var due = clock.now
  try HTTPSession(.patient).run(
    wakeDescriptor: nil, isAborted: { false },
    next: {
      guard starts.count < 4 else { return .done }
      guard clock.now >= due else { return .wait(due - clock.now) }
      starts.append(clock.now)
      due = clock.now + .milliseconds(50)
      return .request(get(server.url("/"), tag: starts.count))
    },
    finished: { #expect($0.result.status == 200) })
  for (earlier, later) in zip(starts, starts.dropFirst()) {
    #expect(later - earlier >= .milliseconds(50))
  }
}

@Test("An idle caller is polled again after each outcome")
func idling() throws {
  let server = try ScriptedServer { _ in [.pause(milliseconds: 20), .respond("200 OK")] }
  var given = 0
  var ended = 0
  var questions = 0
  try HTTPSession(.patient).run(
    wakeDescriptor: nil, isAborted: { false },
    next: {
      questions += 1
      guard given == ended else { return .idle }
      guard given < 3 else { return .done }
      given += 1
      return .request(get(server.url("/"), tag: given))
    },
    finished: { _ in ended += 1 })
  #expect(given == 3 && ended == 3)
  #expect(questions < 40)
}

@Test("Once the caller is done it is not polled again, and transfers in flight finish")
func doneFinishesInHand() throws {
  let server = try ScriptedServer { _ in [.pause(milliseconds: 50), .respond("200 OK")] }
  var given = 0
  var ends = 0
  var statuses: [Int?] = []
  try HTTPSession(.patient).run(
    wakeDescriptor: nil, isAborted: { false },
    next: {
      guard given < 2 else {
        ends += 1
        return .done
      }
      given += 1
      return .request(get(server.url("/"), tag: given))
    },
    finished: { statuses.append($0.result.status) })
  #expect(statuses == [200, 200])
  #expect(ends == 1)
}

@Test("An abort drops transfers in flight, reports them, and leaves the fetcher usable")
func droppedTransfers() throws {
  let server = try ScriptedServer { request in request.target == "/hang" ? [.hang] : [.respond("200 OK")] }
  let fetcher = try HTTPSession(.patient)
  let clock = ContinuousClock()
  var allGiven: ContinuousClock.Instant?
  var given = 0
  var outcomes: [HTTPOutcome] = []
  try fetcher.run(
    wakeDescriptor: nil,
    isAborted: { allGiven.map { clock.now - $0 > .milliseconds(60) } ?? false },
    next: {
      guard given < 3 else { return .wait(.milliseconds(20)) }
      given += 1
      if given == 3 { allGiven = clock.now }
      return .request(get(server.url("/hang"), tag: given))
    },
    finished: { outcomes.append($0) })
  #expect(outcomes.map(\.tag).sorted() == [1, 2, 3])
  #expect(outcomes.allSatisfy { $0.result == .failure(.aborted) && $0.elapsed >= .milliseconds(50) })
  let later = try fetcher.outcomes(of: (0..<8).map { get(server.url("/"), tag: $0) })
  #expect(later.count == 8 && later.allSatisfy { $0.result.status == 200 })
}

@Test("A descriptor that becomes readable ends a wait at once, with transfers in flight or without", arguments: [0, 4])
func wake(inFlight: Int) throws {
  let server = try ScriptedServer { _ in [.hang] }
  let pipe = Pipe()
  let clock = ContinuousClock()
  let start = clock.now
  var given = 0
  var isWoken = false
  Thread.detachNewThread {
    usleep(100_000)
    try? pipe.fileHandleForWriting.write(contentsOf: [1])
  }
  try HTTPSession(.patient).run(
    wakeDescriptor: pipe.fileHandleForReading.fileDescriptor,
    isAborted: {
      if clock.now - start > .milliseconds(90) { isWoken = true }
      return isWoken
    },
    next: {
      guard given < inFlight else { return .wait(.seconds(240)) }
      given += 1
      return .request(get(server.url("/"), tag: given))
    },
    finished: { _ in })
  let elapsed = clock.now - start
  // Earlier than the wait would have ended by itself, and every transfer in flight.
  #expect(isWoken && elapsed >= .milliseconds(90) && elapsed < .seconds(240))
}

@Test("A transfer is overdue only long after its total timeout")
func overdue() throws {
  let policy = RedirectPolicy(hosts: nil, allowsOtherPorts: false)
  let settings = HTTPSettings.patient.with(\.totalTimeout, .milliseconds(1500))
  let transfer = try Transfer(settings, policy, CertificateStore(besides: nil))
  try transfer.prepare(get("http://127.0.0.1/"))
  let now = SuspendingClock.now
  #expect(!transfer.isOverdue(at: now + .milliseconds(3400)))
  #expect(transfer.isOverdue(at: now + .milliseconds(3600)))
}

@Test("A body that was handed over leaves no buffer behind")
func roomOfBodies() throws {
  let policy = RedirectPolicy(hosts: nil, allowsOtherPorts: false)
  let transfer = try Transfer(.patient, policy, CertificateStore(besides: nil))
  transfer.body = Array(repeating: 0, count: 30_000)
  transfer.forgetBody()
  #expect(transfer.body.capacity == 0)
}

@Test("Durations are passed to libcurl in milliseconds, rounded up and bounded")
func milliseconds() {
  #expect(Duration.seconds(2).wholeMilliseconds == 2000)
  #expect(Duration.microseconds(1).wholeMilliseconds == 1)
  #expect(Duration.zero.wholeMilliseconds == 0)
  #expect(Duration.seconds(Int64.max).wholeMilliseconds == Int(Int32.max))
}
