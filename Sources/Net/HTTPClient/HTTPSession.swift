import CCurl

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

/// The multi handle: it owns the connections, the DNS cache and the TLS sessions that all transfers share.
final class CurlMulti {
  private let multi: CurlMultiHandle
  private var hostConnections = 0

  /// Initialises libcurl once per process (curl_global_init).
  private static let globalCode = ccurl_global_init(Int(CURL_GLOBAL_DEFAULT))

  /// A handle for up to `jobs` simultaneous transfers (curl_multi_init).
  ///
  /// Throws `library` if libcurl cannot be loaded, `setting` if it does not start or rejects an option.
  init(jobs: Int) throws(HTTPFailure) {
    if let problem = ccurl_problem() { throw .library(String(cString: problem)) }
    guard CurlMulti.globalCode == CURLE_OK else {
      throw .setting(name: "curl_global_init", code: CurlMulti.globalCode.number)
    }
    guard let multi = ccurl_multi_init() else { throw .setting(name: "curl_multi_init", code: 0) }
    self.multi = multi
    try set("CURLMOPT_MAXCONNECTS", CURLMOPT_MAXCONNECTS, jobs + 16)
    // CURLMOPT_QUICK_EXIT of libcurl 8.20, which replaces CURLOPT_QUICK_EXIT: do not wait for getaddrinfo at the end.
    let code = ccurl_multi_set_long(multi, CURLMoption(rawValue: 21), 1)
    if code != CURLM_UNKNOWN_OPTION { try check(code) }
  }

  deinit { ccurl_multi_cleanup(multi) }

  /// Limits the connections per host; 0 is no limit.
  func limitHostConnections(to count: Int) throws(HTTPFailure) {
    guard count != hostConnections else { return }
    try set("CURLMOPT_MAX_HOST_CONNECTIONS", CURLMOPT_MAX_HOST_CONNECTIONS, count)
    hostConnections = count
  }

  /// Adds a prepared transfer (curl_multi_add_handle).
  func add(_ transfer: Transfer) throws(HTTPFailure) { try check(ccurl_multi_add_handle(multi, transfer.easy.handle)) }

  /// Removes a transfer, whether or not it has ended (curl_multi_remove_handle).
  func remove(_ transfer: Transfer) throws(HTTPFailure) {
    try check(ccurl_multi_remove_handle(multi, transfer.easy.handle))
  }

  /// Does all work that does not block (curl_multi_perform).
  func perform() throws(HTTPFailure) {
    var running: Int32 = 0
    try check(ccurl_multi_perform(multi, &running))
  }

  /// The next transfer that ended, with its code; each is returned once (curl_multi_info_read).
  func nextEnded() -> (Transfer, CURLcode)? {
    var left: Int32 = 0
    while let message = ccurl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE else { continue }
      // Read it now: the message does not outlive the transfer's removal.
      let code = ccurl_message_result(message)
      var context: UnsafeMutableRawPointer?
      guard ccurl_get_pointer(message.pointee.easy_handle, CURLINFO_PRIVATE, &context) == CURLE_OK else { continue }
      return (CurlEasy.transfer(behind: context), code)
    }
    return nil
  }

  /// Waits until a socket or `wakeDescriptor` is ready, at most `milliseconds` (curl_multi_poll).
  func wait(milliseconds: Int, wakeDescriptor: Int32?) throws(HTTPFailure) {
    let timeout = Int32(clamping: milliseconds)
    guard let wakeDescriptor else { return try check(ccurl_multi_poll(multi, nil, 0, timeout)) }
    var descriptor = curl_waitfd(fd: wakeDescriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
    try check(ccurl_multi_poll(multi, &descriptor, 1, timeout))
  }

  private func set(_ name: String, _ option: CURLMoption, _ value: Int) throws(HTTPFailure) {
    let code = ccurl_multi_set_long(multi, option, value)
    guard code == CURLM_OK else { throw .setting(name: name, code: code.rawValue) }
  }

  private func check(_ code: CURLMcode) throws(HTTPFailure) {
    guard code == CURLM_OK else { throw .multi(code: code.rawValue) }
  }
}
