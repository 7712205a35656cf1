import CCurl

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
