/// Carries requests to their answers: one thread, one set of connections, at most `jobs` transfers at once.
///
/// It knows no feeds, keeps no schedule and repeats nothing: what is asked, when, and when to stop is the caller's.
package final class Fetcher {
  private let settings: FetchSettings
  private let policy: RedirectPolicy
  private let authorities: Authorities
  /// The transfers that carry nothing now; they are made as they are needed, and freed before `multi` is.
  private var free: [Transfer]
  /// The transfers that carry something, by no order.
  private var busy: [ObjectIdentifier: Transfer] = [:]
  private let multi: CurlMulti
  /// When the transfers in flight are next looked through for overdue ones.
  private var nextLook = SuspendingClock.now

  /// A fetcher with connections of its own; one for a process is right.
  ///
  /// Throws `setting` with the name of what this libcurl does not take, `authorities` where `caFile` cannot be read.
  package convenience init(_ settings: FetchSettings) throws(FetchFailure) {
    try self.init(settings, Authorities(besides: settings.caFile))
  }

  /// A fetcher that trusts these authorities.
  init(_ settings: FetchSettings, _ authorities: Authorities) throws(FetchFailure) {
    precondition(settings.jobs > 0, "without a transfer nothing is fetched")
    self.settings = settings
    self.authorities = authorities
    policy = RedirectPolicy(hosts: settings.redirectHosts, allowsPrivate: settings.allowsPrivateRedirects)
    multi = try CurlMulti(jobs: settings.jobs)
    free = [try Transfer(settings, policy, authorities)]
  }

  /// Fetches until `next` says `done` and the last outcome is told, or until `isAborted`.
  ///
  /// `next` is asked whenever a transfer is free, `finished` told of each outcome, `isAborted` asked on every round, at
  /// least once a second: then all that is in flight ends as `aborted`. All three are called on this thread, never from
  /// within libcurl. A `wakeDescriptor` that becomes readable ends a wait at once; it is the caller's to read it empty.
  ///
  /// Throws `multi` or `setting` when libcurl fails as a whole; what was in flight is told as `aborted` before.
  package func run(
    wakeDescriptor: Int32?, isAborted: () -> Bool, next: () -> FetchStep, finished: (FetchOutcome) -> Void
  ) throws(FetchFailure) {
    do throws(FetchFailure) {
      try runRounds(wakeDescriptor, isAborted, next, finished)
    } catch {
      abort(finished)
      throw error
    }
  }

  private func runRounds(
    _ wakeDescriptor: Int32?, _ isAborted: () -> Bool, _ next: () -> FetchStep, _ finished: (FetchOutcome) -> Void
  ) throws(FetchFailure) {
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

  /// Starts what `next` gives while a transfer is free. Returns for how many milliseconds `next` need not be asked
  /// again, or nil when it is done.
  private func startTransfers(
    _ next: () -> FetchStep, _ finished: (FetchOutcome) -> Void
  ) throws(FetchFailure) -> Int? {
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

  private func start(_ request: FetchRequest, _ finished: (FetchOutcome) -> Void) throws(FetchFailure) {
    let transfer = try takeFreeTransfer()
    do throws(FetchFailure) {
      try transfer.prepare(request)
    } catch {
      free.append(transfer)
      return finished(transfer.outcome(error))
    }
    // Under TLS two connections carry everything by HTTP/2. One alone, with PIPEWAIT, hung for a second in 3 of 70
    // cold runs of libcurl 7.88.1. Plain HTTP has a connection for each transfer.
    try multi.limitHostConnections(to: request.isSecure ? 2 : 0)
    busy[ObjectIdentifier(transfer)] = transfer
    try multi.add(transfer)
  }

  private func takeFreeTransfer() throws(FetchFailure) -> Transfer {
    if let transfer = free.popLast() { return transfer }
    return try Transfer(settings, policy, authorities)
  }

  /// The transfers finished in a round. The next requests leave after these, and their answers are under way while what
  /// ended besides is read: a first poll of 1,000 feeds, 100 at once and 50 ms to an answer, took 0.69 s so, 0.89 s without.
  private static let roundSize = 16

  /// Tells the outcomes of transfers that ended, as many as a round takes, and returns how many there were.
  private func finishTransfers(_ finished: (FetchOutcome) -> Void) throws(FetchFailure) -> Int {
    var count = 0
    while count < Fetcher.roundSize, let (transfer, code) = multi.nextEnded() {
      count += 1
      if transfer.needsWholeTrust(code) {
        try repeatWithWholeTrust(transfer)
      } else {
        try end(transfer, transfer.outcome(code), finished)
      }
    }
    return count
  }

  private func repeatWithWholeTrust(_ transfer: Transfer) throws(FetchFailure) {
    authorities.widen()
    try multi.remove(transfer)
    try transfer.prepare(transfer.request)
    try multi.add(transfer)
  }

  /// Ends the transfers that libcurl forgot to end.
  private func dropOverdueTransfers(_ finished: (FetchOutcome) -> Void) throws(FetchFailure) {
    let now = SuspendingClock.now
    guard now >= nextLook else { return }
    nextLook = now + .seconds(1)
    for transfer in busy.values where transfer.isOverdue(at: now) {
      try end(transfer, transfer.outcome(.timedOut(.queued)), finished)
    }
  }

  private func end(
    _ transfer: Transfer, _ outcome: FetchOutcome, _ finished: (FetchOutcome) -> Void
  ) throws(FetchFailure) {
    try multi.remove(transfer)
    busy[ObjectIdentifier(transfer)] = nil
    free.append(transfer)
    finished(outcome)
    transfer.forgetBody()
  }

  private func abort(_ finished: (FetchOutcome) -> Void) {
    let dropped = busy.values
    busy = [:]
    for transfer in dropped {
      // Whatever comes of it, this transfer is not used again: its handle is freed with it.
      try? multi.remove(transfer)
      finished(transfer.outcome(.aborted))
    }
  }
}
