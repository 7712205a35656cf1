/// Performs requests: one thread, one connection pool, at most `jobs` simultaneous transfers.
///
/// It knows nothing about feeds, keeps no schedule and does not retry: the caller decides what to request, when, and
/// when to stop.
package final class HTTPSession {
  private let settings: HTTPSettings
  private let policy: RedirectPolicy
  private let certificates: CertificateStore
  /// Idle transfers; created on demand, and freed before `multi` is.
  private var free: [Transfer]
  /// Transfers in flight, unordered.
  private var busy: [ObjectIdentifier: Transfer] = [:]
  private let multi: CurlMulti
  /// When to check the transfers in flight for overdue ones again.
  private var nextLook = SuspendingClock.now

  /// A fetcher with its own connections; use one per process.
  ///
  /// Throws `setting` with the name of an option that this libcurl rejects, `certificates` if `caFile` cannot be read.
  package convenience init(_ settings: HTTPSettings) throws(HTTPFailure) {
    try self.init(settings, CertificateStore(besides: settings.caFile))
  }

  /// A fetcher that trusts these authorities.
  init(_ settings: HTTPSettings, _ certificates: CertificateStore) throws(HTTPFailure) {
    precondition(settings.jobs > 0, "jobs must be positive")
    (self.settings, self.certificates) = (settings, certificates)
    policy = RedirectPolicy(hosts: settings.redirectHosts, allowsOtherPorts: settings.allowsOtherPorts)
    multi = try CurlMulti(jobs: settings.jobs)
    free = [try Transfer(settings, policy, certificates)]
  }

  /// Fetches until `next` returns `done` and the last outcome is reported, or until `isAborted` returns true.
  ///
  /// Calls `next` whenever a transfer is free, `finished` with each outcome, and `isAborted` in every round, at least
  /// once a second; if it returns true, all transfers in flight end as `aborted`. All three are called on this thread,
  /// never from within libcurl. A `wakeDescriptor` that becomes readable ends a wait at once; the caller must drain it.
  ///
  /// Throws `multi` or `setting` if libcurl fails as a whole, after reporting transfers in flight as `aborted`.
  package func run(
    wakeDescriptor: Int32?, isAborted: () -> Bool, next: () -> HTTPStep, finished: (HTTPOutcome) -> Void
  ) throws(HTTPFailure) {
    do throws(HTTPFailure) {
      try runRounds(wakeDescriptor, isAborted, next, finished)
    } catch {
      abort(finished)
      throw error
    }
  }

  private func runRounds(
    _ wakeDescriptor: Int32?, _ isAborted: () -> Bool, _ next: () -> HTTPStep, _ finished: (HTTPOutcome) -> Void
  ) throws(HTTPFailure) {
    var isDone = false
    while true {
      if isAborted() { return abort(finished) }
      let pause = isDone ? nil : try startTransfers(next, finished)
      isDone = pause == nil
      if isDone && busy.isEmpty { return }
      try multi.perform()
      if try finishTransfers(finished) > 0 { continue }
      try multi.wait(milliseconds: min(pause ?? 1000, 1000), wakeDescriptor: wakeDescriptor)
      try dropOverdueTransfers(finished)
    }
  }

  /// Starts the requests that `next` returns while a transfer is free. Returns the milliseconds until `next` must be
  /// called again; nil when it is done.
  private func startTransfers(
    _ next: () -> HTTPStep, _ finished: (HTTPOutcome) -> Void
  ) throws(HTTPFailure) -> Int? {
    while busy.count < settings.jobs {
      switch next() {
      case .request(let request): try start(request, finished)
      case .wait(let duration): return max(1, duration.wholeMilliseconds)
      case .idle: return 1000
      case .done: return nil
      }
    }
    return 1000
  }

  private func start(_ request: HTTPRequest, _ finished: (HTTPOutcome) -> Void) throws(HTTPFailure) {
    let transfer = try takeFreeTransfer()
    do throws(HTTPFailure) {
      try transfer.prepare(request)
    } catch {
      free.append(transfer)
      return finished(transfer.outcome(error))
    }
    // With TLS, two connections carry everything over HTTP/2. A single one, with PIPEWAIT, hung for a second in 3 of 70
    // cold runs of libcurl 7.88.1. Plain HTTP uses one connection per transfer.
    try multi.limitHostConnections(to: request.isSecure ? 2 : 0)
    busy[ObjectIdentifier(transfer)] = transfer
    try multi.add(transfer)
  }

  private func takeFreeTransfer() throws(HTTPFailure) -> Transfer {
    if let transfer = free.popLast() { return transfer }
    return try Transfer(settings, policy, certificates)
  }

  /// Maximum number of transfers finished per round. The next requests go out after these, and their responses are on
  /// the way while the remaining finished ones are parsed: a first poll of 1,000 feeds, 100 at once and 50 ms per
  /// response, took 0.69 s with this limit, 0.89 s without.
  private static let roundSize = 16

  /// Reports the outcomes of finished transfers, up to one round's limit, and returns their number.
  private func finishTransfers(_ finished: (HTTPOutcome) -> Void) throws(HTTPFailure) -> Int {
    var count = 0
    while count < HTTPSession.roundSize, let (transfer, code) = multi.nextEnded() {
      count += 1
      if transfer.needsWholeTrust(code) {
        try repeatWithWholeTrust(transfer)
      } else {
        try end(transfer, transfer.outcome(code), finished)
      }
    }
    return count
  }

  private func repeatWithWholeTrust(_ transfer: Transfer) throws(HTTPFailure) {
    certificates.widen()
    try multi.remove(transfer)
    try transfer.prepare(transfer.request)
    try multi.add(transfer)
  }

  /// Ends the transfers that libcurl failed to time out.
  private func dropOverdueTransfers(_ finished: (HTTPOutcome) -> Void) throws(HTTPFailure) {
    let now = SuspendingClock.now
    guard now >= nextLook else { return }
    nextLook = now + .seconds(1)
    for transfer in busy.values where transfer.isOverdue(at: now) {
      try end(transfer, transfer.outcome(.timedOut(.queued)), finished)
    }
  }

  private func end(
    _ transfer: Transfer, _ outcome: HTTPOutcome, _ finished: (HTTPOutcome) -> Void
  ) throws(HTTPFailure) {
    try multi.remove(transfer)
    busy[ObjectIdentifier(transfer)] = nil
    free.append(transfer)
    finished(outcome)
    transfer.forgetBody()
  }

  private func abort(_ finished: (HTTPOutcome) -> Void) {
    let dropped = busy.values
    busy = [:]
    for transfer in dropped {
      // The result does not matter: this transfer is not reused, and its handle is freed with it.
      try? multi.remove(transfer)
      finished(transfer.outcome(.aborted))
    }
  }
}

/// A fetcher's next step.
package enum HTTPStep: Equatable, Sendable {
  /// Start this request now.
  case request(HTTPRequest)
  /// Start nothing for this long, then call `next` again.
  case wait(Duration)
  /// Start nothing until an outcome is reported or the wake descriptor is readable; call `next` again then, or after a
  /// second.
  case idle
  /// Finish the transfers in flight and do not call `next` again.
  case done
}
