import CCurl

/// Sets the options of a libcurl handle: the common ones once, and before each transfer those that differ from the
/// last.
struct HandleOptions {
  private let easy: CurlEasy
  private let authorities: Authorities
  /// Whether the handle is set to trust the bundle too.
  private(set) var trustsWhole: Bool
  /// The last request whose options were set.
  private var applied: FetchRequest?
  private var lines = CurlEasy.HeaderList()

  /// The options of a new handle.
  init(of easy: CurlEasy, _ authorities: Authorities) {
    self.easy = easy
    self.authorities = authorities
    trustsWhole = authorities.isWhole
  }

  /// Sets the options common to every transfer.
  ///
  /// Throws `setting` with the name of the first option that this libcurl rejects.
  func apply(_ settings: FetchSettings) throws(FetchFailure) {
    try authorities.apply(to: easy)
    try setLimits(settings)
    try setManners(settings)
  }

  /// Frees the memory the handle used; call it after closing the handle.
  mutating func free() { lines.removeAll() }

  private func setLimits(_ settings: FetchSettings) throws(FetchFailure) {
    try easy.set(CURLOPT_CONNECTTIMEOUT_MS, settings.connectTimeout.wholeMilliseconds)
    try easy.set(CURLOPT_TIMEOUT_MS, settings.totalTimeout.wholeMilliseconds)
    try easy.set(CURLOPT_LOW_SPEED_TIME, max(1, settings.stallTime.wholeMilliseconds / 1000))
    try easy.set(CURLOPT_LOW_SPEED_LIMIT, settings.stallBytesPerSecond)
    try easy.set(CURLOPT_MAXREDIRS, 5)
    try easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
  }

  private func setManners(_ settings: FetchSettings) throws(FetchFailure) {
    try easy.set(CURLOPT_USERAGENT, settings.userAgent)
    try easy.set(CURLOPT_ACCEPT_ENCODING, "")  // every encoding this libcurl can decode
    try easy.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    try easy.set(CURLOPT_NOSIGNAL, 1)
    // Otherwise the end of a transfer still resolving waits for getaddrinfo, which ignores our timeouts.
    try easy.set(CURLOPT_QUICK_EXIT, 1)
    try easy.set(CURLOPT_IPRESOLVE, settings.ipVersion.option)
    if let proxy = settings.proxy { try easy.set(CURLOPT_PROXY, proxy) }
  }

  /// Sets the options of a request.
  ///
  /// Throws `invalidURL`, `invalidHeader`, or `setting` with the name of an option that libcurl rejects.
  mutating func apply(_ next: FetchRequest) throws(FetchFailure) {
    guard !next.url.utf8.contains(0) else { throw .invalidURL }  // libcurl would truncate it there
    try easy.set(CURLOPT_URL, next.url)
    try setLines(next.headerLines)
    try setTrust()
    try setManner(of: next, after: applied)
  }

  /// Sets what differs from the last request, usually nothing.
  private mutating func setManner(of next: FetchRequest, after last: FetchRequest?) throws(FetchFailure) {
    applied = nil
    if last?.method != next.method || last?.maxBodyBytes != next.maxBodyBytes {
      try easy.set(next.method == .head ? CURLOPT_NOBODY : CURLOPT_HTTPGET, 1)
      // A HEAD response states the length of a body that is not sent; 0 is no limit.
      try easy.set(CURLOPT_MAXFILESIZE_LARGE, size: next.method == .head ? 0 : next.maxBodyBytes)
    }
    if last?.followsRedirects != next.followsRedirects {
      try easy.set(CURLOPT_FOLLOWLOCATION, next.followsRedirects ? 1 : 0)
    }
    if last?.isSecure != next.isSecure {
      try easy.set(CURLOPT_REDIR_PROTOCOLS_STR, next.isSecure ? "https" : "http,https")
      // With TLS, wait for a connection that HTTP/2 may share: 1 instead of 100, a fifth of the CPU. Plain HTTP shares
      // none, and libcurl 8.14 and 8.21 would still wait for the first response, however long it takes.
      try easy.set(CURLOPT_PIPEWAIT, next.isSecure ? 1 : 0)
    }
    applied = next
  }

  private mutating func setLines(_ texts: [String]) throws(FetchFailure) {
    guard !texts.isEmpty || !lines.isEmpty else { return }
    lines.removeAll()
    do throws(FetchFailure) {
      for text in texts { try lines.append(text) }
    } catch {
      lines.removeAll()
      try easy.set(lines)
      throw error
    }
    try easy.set(lines)
  }

  private mutating func setTrust() throws(FetchFailure) {
    guard trustsWhole != authorities.isWhole else { return }
    try authorities.apply(to: easy)
    trustsWhole = authorities.isWhole
  }
}

extension FetchSettings.IPVersion {
  /// The value of CURLOPT_IPRESOLVE.
  fileprivate var option: Int {
    switch self {
    case .any: Int(CURL_IPRESOLVE_WHATEVER)
    case .v4: Int(CURL_IPRESOLVE_V4)
    case .v6: Int(CURL_IPRESOLVE_V6)
    }
  }
}
