import Glibc
import HTTPClient
import Testing

@testable import Platform
@testable import Sync

@Suite("An interrupt", .serialized)
struct InterruptTests {
  /// Under nohup the tests ignore SIGHUP, and an `Interrupt` would too.
  init() { signal(SIGHUP, SIG_DFL) }

  /// Gives the signals back to the process that runs the tests.
  private func restore() { for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) } }

  /// Delivers SIGHUP to this thread; returns after the handler.
  private func hangUp() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGHUP)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    Glibc.raise(SIGHUP)
  }

  @Test("Who looks second sees the signal too, and who looked still does")
  func everyone() {
    defer { restore() }
    let (first, second) = (Interrupt(), Interrupt())
    #expect(!first.isSignalled() && first.waits(milliseconds: 1))
    hangUp()
    #expect(first.isSignalled() && second.isSignalled() && first.isSignalled())
    #expect(!second.waits(milliseconds: 600_000))
  }

  @Test("After a reported signal a new one waits for the next signal")
  func next() {
    defer { restore() }
    let old = Interrupt()
    hangUp()
    #expect(old.isSignalled())
    let new = Interrupt()
    #expect(!new.isSignalled() && new.waits(milliseconds: 1))
    hangUp()
    #expect(new.isSignalled() && old.isSignalled())
  }

  @Test("After a signal a request to a hub that failed is not repeated")
  func hubRequest() throws {
    defer { restore() }
    var (requests, waits) = (0, 0)
    let transport = HubTransport(
      send: { _ in
        requests += 1
        hangUp()
        return (.failure(.timedOut(.waiting)), 0)
      }, now: { 0 }, wait: { _ in waits += 1 })
    let client = HubClient("https://hub.example", token: nil, retries: 3, budget: .whole, transport)
    client.end(by: Interrupt())
    #expect(throws: Failure.self) { try client.send("/api/v1/logs") }
    #expect(requests == 1 && waits == 0 && client.isEnded)
  }

  @Test("A signal that was not reported is seen by a new instance")
  func unreported() {
    defer { restore() }
    _ = Interrupt()
    hangUp()
    #expect(Interrupt().isSignalled() && !Interrupt().isSignalled())
  }
}
