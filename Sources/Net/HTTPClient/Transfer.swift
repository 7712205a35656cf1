import CCurl

/// A reusable libcurl handle and the request it currently carries.
final class Transfer {
  let easy: CurlEasy
  /// The body so far; libcurl's callback appends to it.
  var body: [UInt8] = []

  private let settings: HTTPSettings
  private let policy: RedirectPolicy
  private var options: CurlOptions

  private(set) var request = HTTPRequest(tag: 0, url: "", maxBodyBytes: 0)
  private var startedAt = SuspendingClock.now
  private var phase = HTTPFailure.Phase.queued
  private var headerBytes = 0
  /// How far the address reaches that the request was sent to.
  private var scope: AddressScope?
  /// Why one of our callbacks ended the transfer.
  private var refusal: HTTPFailure?

  /// A transfer with the options common to all set.
  ///
  /// Throws `setting` with the name of the first option that this libcurl rejects.
  init(_ settings: HTTPSettings, _ policy: RedirectPolicy, _ certificates: CertificateStore) throws(HTTPFailure) {
    easy = try CurlEasy()
    (self.settings, self.policy) = (settings, policy)
    options = CurlOptions(of: easy, certificates, totalTimeout: settings.totalTimeout)
    try options.apply(settings)
    try easy.setCallbacks(for: self)
  }

  deinit {
    easy.close()
    options.free()
  }

  /// Prepares the transfer for a request; `CurlMulti.add` then starts it.
  ///
  /// Throws `invalidURL`, `invalidHeader`, or `setting` with the name of an option that libcurl rejects.
  func prepare(_ next: HTTPRequest) throws(HTTPFailure) {
    request = next
    startedAt = .now
    phase = .queued
    (refusal, scope) = (nil, nil)
    headerBytes = 0
    body = []
    try options.apply(next)
  }

  /// Whether a certificate failed to verify against only part of the authorities, so that the request must be repeated
  /// with all of them. None of it has been sent.
  func needsWholeTrust(_ code: CURLcode) -> Bool { code == CURLE_PEER_FAILED_VERIFICATION && !options.trustsWhole }

  /// Whether the transfer should long have ended by its own timeouts.
  ///
  /// libcurl 7.88.1 does not count the time of a transfer that waits for a connection occupied by others.
  func isOverdue(at moment: SuspendingClock.Instant) -> Bool {
    moment - startedAt > timeLimit + .seconds(2)
  }

  private var timeLimit: Duration { min(request.timeout ?? settings.totalTimeout, settings.totalTimeout) }

  /// The outcome of a transfer that libcurl ended.
  func outcome(_ code: CURLcode) -> HTTPOutcome {
    let elapsed = Duration.microseconds(easy.number(CURLINFO_TOTAL_TIME_T))
    let bytes = easy.number(CURLINFO_SIZE_DOWNLOAD_T) + headerBytes
    return outcome(code == CURLE_OK ? .success(response()) : .failure(failure(code)), elapsed, bytes)
  }

  /// The outcome of a transfer that was cancelled or never started.
  func outcome(_ failure: HTTPFailure) -> HTTPOutcome { outcome(.failure(failure), .now - startedAt, headerBytes) }

  private func outcome(_ result: Result<HTTPResponse, HTTPFailure>, _ elapsed: Duration, _ bytes: Int) -> HTTPOutcome {
    HTTPOutcome(tag: request.tag, result: result, elapsed: elapsed, bytes: bytes)
  }

  /// Frees a body that was handed over: keeping a hundred for reuse took 5 MB and saved nothing measurable.
  func forgetBody() { body = [] }

  private func response() -> HTTPResponse {
    let redirects = easy.number(CURLINFO_REDIRECT_COUNT)
    var response = HTTPResponse(
      status: easy.number(CURLINFO_RESPONSE_CODE),
      body: body,
      contentType: easy.text(CURLINFO_CONTENT_TYPE),
      etag: easy.header("ETag"),
      lastModified: easy.header("Last-Modified"),
      retryAfter: easy.header("Retry-After").flatMap { RetryAfter($0) },
      location: easy.header("Location"),
      links: easy.headers("Link"),
      effectiveURL: redirects == 0 ? request.url : easy.text(CURLINFO_EFFECTIVE_URL) ?? request.url,
      redirects: redirects)
    let cacheControl = easy.headers("Cache-Control")
    response.cacheControl = cacheControl.isEmpty ? nil : cacheControl.joined(separator: ", ")
    response.expires = easy.header("Expires").flatMap { CurlEasy.secondsSince1970($0) }
    response.date = easy.header("Date").flatMap { CurlEasy.secondsSince1970($0) }
    response.mitigation = easy.header("cf-mitigated")
    response.scope = scope
    return response
  }

  private func failure(_ code: CURLcode) -> HTTPFailure {
    if let refusal { return refusal }
    // A proxy's refusal of a tunnel: the code is 56 in libcurl 7.88 and another one in 8.21.
    let tunnelStatus = easy.number(CURLINFO_HTTP_CONNECTCODE)
    if tunnelStatus >= 300 { return .proxy(status: tunnelStatus) }
    switch code {
    case CURLE_OPERATION_TIMEDOUT: return timeout
    case CURLE_COULDNT_CONNECT: return .connect(errno: Int32(truncatingIfNeeded: easy.number(CURLINFO_OS_ERRNO)))
    case CURLE_PEER_FAILED_VERIFICATION: return .untrusted(verification: easy.number(CURLINFO_SSL_VERIFYRESULT))
    case CURLE_FILESIZE_EXCEEDED: return .tooLarge(limit: request.maxBodyBytes)
    // A forbidden scheme or an invalid response: the code is the same.
    case CURLE_UNSUPPORTED_PROTOCOL: return isSchemeAllowed ? .malformed(code: code.number) : .forbiddenScheme
    // A header line beyond libcurl's own limit of 100 KiB: the first code up to 8.5, the second from 8.6 on.
    case CURLE_OUT_OF_MEMORY where phase == .receiving, CURLcode(rawValue: 100):
      return .headersTooLarge(limit: settings.maxHeaderBytes)
    default: return code.failure
    }
  }

  /// Which timeout expired; libcurl has one code for all.
  private var timeout: HTTPFailure {
    let hasConnection = phase == .waiting || phase == .receiving
    // libcurl counts whole milliseconds of a clock that may run slightly differently from this one.
    let isEarly = .now - startedAt < timeLimit * 0.99
    return hasConnection && isEarly ? .stalled(phase) : .timedOut(phase)
  }

  private var isSchemeAllowed: Bool {
    guard let url = easy.text(CURLINFO_EFFECTIVE_URL), let scheme = CurlEasy.schemeAndHost(of: url)?.scheme else {
      return false
    }
    return scheme == "https" || scheme == "http" && !request.isSecure
  }
}

/// The decisions that libcurl's callbacks request, through `CurlEasy`.
extension Transfer {
  /// Records that a name is being resolved.
  func noteResolving() { phase = .resolving }

  /// Whether a connection may be made to this endpoint; nil is an endpoint that is not IPv4 or IPv6.
  func allows(_ endpoint: RedirectPolicy.Endpoint?) -> Bool {
    phase = .connecting
    if let rules = request.rules {
      check(endpoint, rules)
      return refusal == nil
    }
    guard let endpoint else { return true }
    if easy.number(CURLINFO_REDIRECT_COUNT) == 0 {
      if settings.allowsPrivateAddresses { policy.noteChosen(endpoint) }
      if !policy.allows(endpoint) { refusal = .forbiddenAddress }
    } else if !allowsHost {
      // Through a proxy too: the connection would be for a CONNECT to that host.
      refusal = .forbiddenHost
    } else if !policy.allows(endpoint) {
      refusal = .forbiddenAddress
    }
    return refusal == nil
  }

  /// Whether a redirect may lead to the host of the current URL.
  private var allowsHost: Bool {
    let host = easy.text(CURLINFO_EFFECTIVE_URL).flatMap { CurlEasy.schemeAndHost(of: $0)?.host }
    return policy.allows(host: host ?? "")
  }

  private func check(_ endpoint: RedirectPolicy.Endpoint?, _ rules: AddressRules) {
    if !(endpoint.map { rules.allows($0) } ?? false) { refusal = .forbiddenAddress }
  }

  /// Whether the request may be sent, now that it has a connection to this endpoint; nil if that is unknown.
  func allowsRequest(to endpoint: RedirectPolicy.Endpoint?) -> Bool {
    phase = .waiting
    scope = endpoint?.address.scope
    if let rules = request.rules {
      // A kept connection may have been made for a request without rules.
      check(endpoint, rules)
      return refusal == nil
    }
    guard easy.number(CURLINFO_REDIRECT_COUNT) > 0 else { return true }
    if !allowsHost { refusal = .forbiddenHost }
    return refusal == nil
  }

  /// Whether to accept `count` more bytes of headers; libcurl stores them.
  func accepts(headerByteCount count: Int) -> Bool {
    phase = .receiving
    headerBytes += count
    if headerBytes > settings.maxHeaderBytes { refusal = .headersTooLarge(limit: settings.maxHeaderBytes) }
    return refusal == nil
  }

  /// Whether to accept `count` more bytes of the decompressed body.
  func accepts(bodyByteCount count: Int) -> Bool {
    if count > request.maxBodyBytes - body.count { refusal = .tooLarge(limit: request.maxBodyBytes) }
    return refusal == nil
  }
}
