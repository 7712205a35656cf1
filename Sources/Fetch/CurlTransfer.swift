import CCurl
import Glibc

/// One easy handle of libcurl, used again and again, and the transfer it carries now.
///
/// libcurl's callbacks reach this object through a pointer that is not retained: the fetcher keeps its transfers for as
/// long as it lives, and every callback comes on its thread, from within `CurlMulti`.
final class CurlTransfer {
  /// The handle, for `CurlMulti` alone.
  let easy: CurlEasyHandle

  private let policy: RedirectPolicy
  private let maxHeaderBytes: Int
  private let totalTimeout: Duration

  private var request = FetchRequest(tag: 0, url: "", maxBodyBytes: 0)
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private var body: [UInt8] = []
  private var headerBytes = 0
  /// Why one of our callbacks stopped the transfer.
  private var refusal: FetchFailure?

  /// A handle with all that holds for every transfer (curl_easy_init, curl_easy_setopt).
  ///
  /// Throws `setting` with the name of the first option that this libcurl does not take.
  init(_ settings: FetchSettings, _ policy: RedirectPolicy) throws(FetchFailure) {
    guard let easy = curl_easy_init() else { throw .setting(name: "curl_easy_init", code: 0) }
    self.easy = easy
    self.policy = policy
    maxHeaderBytes = settings.maxHeaderBytes
    totalTimeout = settings.totalTimeout
    try setLimits(settings)
    try setManners(settings)
    try setTrust(settings)
    try setCallbacks()
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headerList)
  }

  // MARK: Options

  private func setLimits(_ settings: FetchSettings) throws(FetchFailure) {
    try set(CURLOPT_CONNECTTIMEOUT_MS, settings.connectTimeout.wholeMilliseconds)
    try set(CURLOPT_TIMEOUT_MS, settings.totalTimeout.wholeMilliseconds)
    try set(CURLOPT_LOW_SPEED_TIME, max(1, Int(settings.stallTime.components.seconds)))
    try set(CURLOPT_LOW_SPEED_LIMIT, settings.stallBytesPerSecond)
    try set(CURLOPT_MAXREDIRS, 5)
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_BUFFERSIZE, 65_536)
  }

  private func setManners(_ settings: FetchSettings) throws(FetchFailure) {
    try set(CURLOPT_USERAGENT, settings.userAgent)
    try set(CURLOPT_ACCEPT_ENCODING, "")  // every encoding this libcurl can undo
    try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    try set(CURLOPT_PIPEWAIT, 1)
    try set(CURLOPT_NOSIGNAL, 1)
    // Without this the end of a transfer whose name still resolves waits for getaddrinfo, which knows no timeout of ours.
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_IPRESOLVE, settings.ipVersion.option)
    if let proxy = settings.proxy { try set(CURLOPT_PROXY, proxy) }
  }

  private func setTrust(_ settings: FetchSettings) throws(FetchFailure) {
    if let file = settings.caFile { try set(CURLOPT_CAINFO, file) }
  }

  private func setCallbacks() throws(FetchFailure) {
    let this = Unmanaged.passUnretained(self).toOpaque()
    try check(CURLOPT_PRIVATE, ccurl_set_pointer(easy, CURLOPT_PRIVATE, this))
    try check(CURLOPT_WRITEDATA, ccurl_set_pointer(easy, CURLOPT_WRITEDATA, this))
    try check(CURLOPT_HEADERDATA, ccurl_set_pointer(easy, CURLOPT_HEADERDATA, this))
    try check(CURLOPT_OPENSOCKETDATA, ccurl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, this))
    try check(CURLOPT_PREREQDATA, ccurl_set_pointer(easy, CURLOPT_PREREQDATA, this))
    try check(
      CURLOPT_WRITEFUNCTION,
      ccurl_set_write_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        CurlTransfer.behind(context).receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
      })
    try check(
      CURLOPT_HEADERFUNCTION,
      ccurl_set_write_callback(easy, CURLOPT_HEADERFUNCTION) { _, size, count, context in
        CurlTransfer.behind(context).receiveHeader(byteCount: size * count)
      })
    try check(
      CURLOPT_OPENSOCKETFUNCTION,
      ccurl_set_opensocket_callback(easy) { context, _, address in
        guard let address else { return CURL_SOCKET_BAD }
        return CurlTransfer.behind(context).openSocket(address)
      })
    try check(
      CURLOPT_PREREQFUNCTION,
      ccurl_set_prereq_callback(easy) { context, _, _, _, _ in CurlTransfer.behind(context).judgeHost() })
  }

  private func set(_ option: CURLoption, _ value: Int) throws(FetchFailure) {
    try check(option, ccurl_set_long(easy, option, value))
  }

  private func set(_ option: CURLoption, _ value: String?) throws(FetchFailure) {
    try check(option, ccurl_set_string(easy, option, value))
  }

  private func check(_ option: CURLoption, _ code: CURLcode) throws(FetchFailure) {
    guard code != CURLE_OK else { return }
    let name = curl_easy_option_by_id(option).map { String(cString: $0.pointee.name) } ?? String(option.rawValue)
    throw .setting(name: name, code: Int32(bitPattern: code.rawValue))
  }

  // MARK: One transfer

  /// Makes the handle ready for a request; `CurlMulti.add` then starts it.
  func prepare(_ next: FetchRequest) throws(FetchFailure) {
    let last = request
    request = next
    refusal = nil
    headerBytes = 0
    body = []
    try set(CURLOPT_URL, next.url)
    try setHeaders(next.headerLines)
    let isFirst = last.url.isEmpty
    if isFirst || last.method != next.method || last.maxBodyBytes != next.maxBodyBytes {
      try set(next.method == .head ? CURLOPT_NOBODY : CURLOPT_HTTPGET, 1)
      // A HEAD announces the length of a body that does not come.
      let limit = next.method == .head ? 0 : curl_off_t(next.maxBodyBytes)
      try check(CURLOPT_MAXFILESIZE_LARGE, ccurl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, limit))
    }
    if isFirst || last.followsRedirects != next.followsRedirects {
      try set(CURLOPT_FOLLOWLOCATION, next.followsRedirects ? 1 : 0)
    }
    if isFirst || last.isSecure != next.isSecure {
      try set(CURLOPT_REDIR_PROTOCOLS_STR, next.isSecure ? "https" : "http,https")
    }
  }

  private func setHeaders(_ lines: [String]) throws(FetchFailure) {
    guard !lines.isEmpty || headerList != nil else { return }
    try check(CURLOPT_HTTPHEADER, ccurl_set_list(easy, CURLOPT_HTTPHEADER, nil))
    curl_slist_free_all(headerList)
    headerList = nil
    for line in lines {
      guard line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else { throw .invalidHeader }
      guard let longer = curl_slist_append(headerList, line) else { throw .other(code: 27) }
      headerList = longer
    }
    try check(CURLOPT_HTTPHEADER, ccurl_set_list(easy, CURLOPT_HTTPHEADER, headerList))
  }

  /// How the transfer ended, by libcurl's word; the body is handed over.
  func outcome(_ code: CURLcode) -> FetchOutcome {
    let result: Result<FetchAnswer, FetchFailure> = code == CURLE_OK ? .success(answer()) : .failure(failure(code))
    body = []
    let bytes = number(CURLINFO_SIZE_DOWNLOAD_T) + headerBytes
    return FetchOutcome(tag: request.tag, result: result, elapsed: elapsed, bytes: bytes)
  }

  /// The outcome of a transfer that never started or was dropped.
  func outcome(_ failure: FetchFailure) -> FetchOutcome {
    body = []
    return FetchOutcome(tag: request.tag, result: .failure(failure), elapsed: .zero, bytes: 0)
  }

  private func answer() -> FetchAnswer {
    let redirects = integer(CURLINFO_REDIRECT_COUNT)
    return FetchAnswer(
      status: integer(CURLINFO_RESPONSE_CODE),
      body: body,
      contentType: text(CURLINFO_CONTENT_TYPE),
      etag: header("ETag"),
      lastModified: header("Last-Modified"),
      retryAfter: header("Retry-After").flatMap(CurlTransfer.retryAfter),
      location: header("Location"),
      effectiveURL: redirects == 0 ? request.url : text(CURLINFO_EFFECTIVE_URL) ?? request.url,
      redirects: redirects)
  }

  private func failure(_ code: CURLcode) -> FetchFailure {
    if let refusal { return refusal }
    let number = Int32(bitPattern: code.rawValue)
    switch code {
    case CURLE_UNSUPPORTED_PROTOCOL: return isSchemeAllowed ? .malformed(code: number) : .forbiddenScheme
    case CURLE_URL_MALFORMAT: return .invalidURL
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: return .resolve
    case CURLE_COULDNT_CONNECT: return .connect(errno: systemError)
    case CURLE_PROXY: return .proxy
    case CURLE_OPERATION_TIMEDOUT: return timeout
    case CURLE_SSL_CONNECT_ERROR: return .tls(code: number)
    case CURLE_PEER_FAILED_VERIFICATION: return .untrusted(verification: integer(CURLINFO_SSL_VERIFYRESULT))
    case CURLE_SSL_CACERT_BADFILE: return .tls(code: number)
    case CURLE_FILESIZE_EXCEEDED: return .tooLarge(limit: request.maxBodyBytes)
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR: return .reset(errno: systemError)
    case CURLE_GOT_NOTHING: return .noAnswer
    case CURLE_PARTIAL_FILE: return .truncated
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      return .malformed(code: number)
    case CURLE_TOO_MANY_REDIRECTS: return .tooManyRedirects
    default: return .other(code: number)
    }
  }

  /// What the limits of time say about this transfer; libcurl has one code for all of them.
  private var timeout: FetchFailure {
    if number(CURLINFO_NAMELOOKUP_TIME_T) == 0 { return .timedOut(.resolving) }
    if number(CURLINFO_PRETRANSFER_TIME_T) == 0 { return .timedOut(.connecting) }
    guard elapsed >= totalTimeout else { return .stalled }
    return .timedOut(number(CURLINFO_STARTTRANSFER_TIME_T) == 0 ? .waiting : .receiving)
  }

  private var isSchemeAllowed: Bool {
    let allowed = request.isSecure ? ["https"] : ["http", "https"]
    return text(CURLINFO_SCHEME).map { allowed.contains($0.lowercased()) } ?? false
  }

  private var elapsed: Duration { .microseconds(number(CURLINFO_TOTAL_TIME_T)) }

  private var systemError: Int32 { Int32(truncatingIfNeeded: integer(CURLINFO_OS_ERRNO)) }

  // MARK: What libcurl knows (curl_easy_getinfo, curl_easy_header)

  private func integer(_ info: CURLINFO) -> Int {
    var value = 0
    return ccurl_get_long(easy, info, &value) == CURLE_OK ? value : 0
  }

  private func number(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    return ccurl_get_offset(easy, info, &value) == CURLE_OK ? Int(value) : 0
  }

  private func text(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    guard ccurl_get_string(easy, info, &value) == CURLE_OK else { return nil }
    return value.map { String(cString: $0) }
  }

  /// The first header of this name in the last answer; the ones of redirects before it do not count.
  private func header(_ name: StaticString) -> String? {
    var found: UnsafeMutablePointer<curl_header>?
    let name = UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
    guard curl_easy_header(easy, name, 0, UInt32(CURLH_HEADER), -1, &found) == CURLHE_OK else { return nil }
    return found.map { String(cString: $0.pointee.value) }
  }

  private static func retryAfter(_ text: String) -> RetryAfter? {
    if let seconds = Int(text), seconds >= 0 { return .seconds(seconds) }
    let moment = curl_getdate(text, nil)
    return moment < 0 ? nil : .date(secondsSince1970: moment)
  }

  // MARK: Callbacks

  /// The transfer that a callback's context pointer stands for.
  static func behind(_ context: UnsafeMutableRawPointer?) -> CurlTransfer {
    guard let context else { preconditionFailure("libcurl hands back the pointer it was given") }
    return Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  }

  /// CURLOPT_WRITEFUNCTION: another count than that of the bytes ends the transfer.
  private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard bytes.count <= request.maxBodyBytes - body.count else {
      refusal = .tooLarge(limit: request.maxBodyBytes)
      return 0
    }
    body.append(contentsOf: bytes)
    return bytes.count
  }

  /// CURLOPT_HEADERFUNCTION: libcurl keeps the headers, this bounds them.
  private func receiveHeader(byteCount: Int) -> Int {
    headerBytes += byteCount
    guard headerBytes <= maxHeaderBytes else {
      refusal = .headersTooLarge(limit: maxHeaderBytes)
      return 0
    }
    return byteCount
  }

  /// CURLOPT_OPENSOCKETFUNCTION: a socket for the address libcurl is about to connect to.
  private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    if let endpoint = CurlTransfer.endpoint(address) {
      if integer(CURLINFO_REDIRECT_COUNT) == 0 {
        policy.noteChosen(endpoint)
      } else if !policy.allows(endpoint) {
        refusal = .forbiddenAddress
        return CURL_SOCKET_BAD
      }
    }
    let wanted = address.pointee
    return socket(wanted.family, wanted.socktype | Int32(SOCK_CLOEXEC.rawValue), wanted.`protocol`)
  }

  /// CURLOPT_PREREQFUNCTION: asked with a connection at hand, before the request goes out on it.
  private func judgeHost() -> Int32 {
    guard integer(CURLINFO_REDIRECT_COUNT) > 0, let url = text(CURLINFO_EFFECTIVE_URL) else {
      return CURL_PREREQFUNC_OK
    }
    guard let host = CurlTransfer.host(url), policy.allows(host: host) else {
      refusal = .forbiddenHost
      return CURL_PREREQFUNC_ABORT
    }
    return CURL_PREREQFUNC_OK
  }

  /// The host of a URL as libcurl itself reads it (curl_url).
  private static func host(_ url: String) -> String? {
    guard let parts = curl_url() else { return nil }
    defer { curl_url_cleanup(parts) }
    guard curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK else { return nil }
    var host: UnsafeMutablePointer<CChar>?
    guard curl_url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK, let host else { return nil }
    defer { curl_free(host) }
    return String(cString: host)
  }

  /// The address and port in a socket address of the internet; nil for any other family.
  private static func endpoint(_ address: UnsafeMutablePointer<curl_sockaddr>) -> RedirectPolicy.Endpoint? {
    // The address itself begins in the last member and may be longer than that member's type.
    guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return nil }
    let raw = UnsafeRawPointer(address) + offset
    switch address.pointee.family {
    case AF_INET:
      let ip = raw.loadUnaligned(as: sockaddr_in.self)
      let bytes = withUnsafeBytes(of: ip.sin_addr) { Array($0) }
      return .init(address: NetworkAddress(bytes: bytes), port: UInt16(bigEndian: ip.sin_port))
    case AF_INET6:
      let ip = raw.loadUnaligned(as: sockaddr_in6.self)
      let bytes = withUnsafeBytes(of: ip.sin6_addr) { Array($0) }
      return .init(address: NetworkAddress(bytes: bytes), port: UInt16(bigEndian: ip.sin6_port))
    default:
      return nil
    }
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

extension Duration {
  /// The duration in milliseconds, rounded up, at most those of an `Int32`.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < Int64(Int32.max) / 1000 else { return Int(Int32.max) }
    return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
