import CCurl

/// One easy handle of libcurl: options in, information out. Pointers of transfers do not leave this type.
struct CurlEasy {
  /// The handle, for `CurlMulti` alone.
  let handle: CurlEasyHandle

  /// A new handle (curl_easy_init).
  init() throws(HTTPFailure) {
    guard let handle = ccurl_easy_init() else { throw .setting(name: "curl_easy_init", code: 0) }
    self.handle = handle
  }

  /// Frees the handle (curl_easy_cleanup).
  func close() { ccurl_easy_cleanup(handle) }

  /// Sets a numeric or Boolean option (curl_easy_setopt). Throws `setting` with the option's name.
  func set(_ option: CURLoption, _ value: Int) throws(HTTPFailure) {
    try check(option, ccurl_set_long(handle, option, value))
  }

  /// Sets a 64-bit size option. Throws `setting` with the option's name.
  func set(_ option: CURLoption, size: Int) throws(HTTPFailure) {
    try check(option, ccurl_set_offset(handle, option, curl_off_t(size)))
  }

  /// Sets a string option, which libcurl copies; nil restores libcurl's default. Throws `setting` with the option's
  /// name.
  func set(_ option: CURLoption, _ value: String?) throws(HTTPFailure) {
    try check(option, ccurl_set_string(handle, option, value))
  }

  /// Sets a blob option, which libcurl copies. Throws `setting` with the option's name.
  func set(_ option: CURLoption, _ value: [UInt8]) throws(HTTPFailure) {
    try check(option, value.withUnsafeBytes { ccurl_set_blob(handle, option, $0.baseAddress, $0.count) })
  }

  /// Sets the body of a POST, which libcurl copies.
  func post(_ body: [UInt8]) throws(HTTPFailure) {
    try set(CURLOPT_POST, 1)
    try set(CURLOPT_POSTFIELDSIZE_LARGE, size: body.count)
    var body = body + [0]  // An empty array has no address, without which libcurl would read from standard input.
    let code = body.withUnsafeMutableBytes { ccurl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) }
    try check(CURLOPT_COPYPOSTFIELDS, code)
  }

  /// A numeric property of the last transfer, or 0 (curl_easy_getinfo).
  func number(_ info: CURLINFO) -> Int {
    if info.rawValue & UInt32(CURLINFO_TYPEMASK) == UInt32(CURLINFO_OFF_T) {
      var value: curl_off_t = 0
      return ccurl_get_offset(handle, info, &value) == CURLE_OK ? Int(value) : 0
    }
    var value = 0
    return ccurl_get_long(handle, info, &value) == CURLE_OK ? value : 0
  }

  /// A string property of the last transfer; nil if absent (curl_easy_getinfo).
  func text(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    guard ccurl_get_string(handle, info, &value) == CURLE_OK else { return nil }
    return value.map { String(cString: $0) }
  }

  /// The first header of this name in the last response, ignoring preceding redirects (curl_easy_header).
  func header(_ name: String) -> String? { header(name, at: 0) }

  /// All headers of this name in the last response, up to a limit.
  func headers(_ name: String) -> [String] {
    var values: [String] = []
    while values.count < CurlEasy.maxHeaders, let value = header(name, at: values.count) { values.append(value) }
    return values
  }

  private static let maxHeaders = 20

  private func header(_ name: String, at index: Int) -> String? {
    var found: UnsafeMutablePointer<curl_header>?
    let code = ccurl_easy_header(handle, name, index, &found)
    guard code == CURLHE_OK else { return nil }
    return found.map { String(cString: $0.pointee.value) }
  }

  /// Throws `setting` with the option's name if libcurl rejected it.
  func check(_ option: CURLoption, _ code: CURLcode) throws(HTTPFailure) {
    guard code != CURLE_OK else { return }
    let name = ccurl_easy_option_by_id(option).map { "CURLOPT_" + String(cString: $0.pointee.name) }
    throw .setting(name: name ?? String(option.rawValue), code: code.number)
  }
}

extension CurlEasy {
  /// Header lines to send, as a curl_slist. The creator must free it.
  struct HeaderList {
    fileprivate var first: UnsafeMutablePointer<curl_slist>?

    /// Whether there is nothing to send.
    var isEmpty: Bool { first == nil }

    /// Adds a line. Throws `invalidHeader` if it contains control characters such as line breaks.
    mutating func append(_ line: String) throws(HTTPFailure) {
      guard line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else { throw .invalidHeader }
      guard let longer = ccurl_slist_append(first, line) else { throw CURLE_OUT_OF_MEMORY.failure }
      first = longer
    }

    /// Frees the lines, leaving the list empty (curl_slist_free_all).
    mutating func removeAll() {
      ccurl_slist_free_all(first)
      first = nil
    }
  }

  /// Sends these lines in addition to libcurl's own; the list must outlive the transfer.
  func set(_ list: HeaderList) throws(HTTPFailure) {
    try check(CURLOPT_HTTPHEADER, ccurl_set_list(handle, CURLOPT_HTTPHEADER, list.first))
  }

  /// The scheme and host of a URL, in lower case, as parsed by libcurl itself (curl_url).
  static func schemeAndHost(of url: String) -> (scheme: String, host: String)? {
    guard let parts = ccurl_url() else { return nil }
    defer { ccurl_url_cleanup(parts) }
    let flags = UInt32(CURLU_NON_SUPPORT_SCHEME | CURLU_NO_AUTHORITY)
    guard ccurl_url_set(parts, CURLUPART_URL, url, flags) == CURLUE_OK else { return nil }
    func part(_ which: CURLUPart) -> String {
      var text: UnsafeMutablePointer<CChar>?
      guard ccurl_url_get(parts, which, &text) == CURLUE_OK, let text else { return "" }
      defer { ccurl_free(text) }
      return String(cString: text).lowercased()
    }
    return (part(CURLUPART_SCHEME), part(CURLUPART_HOST))
  }

  /// An HTTP date in seconds since 1970; nil if it is invalid (curl_getdate).
  static func secondsSince1970(_ date: String) -> Int? {
    let seconds = ccurl_getdate(date)
    return seconds == -1 ? nil : seconds
  }

  /// The certificate file and folder that this libcurl trusts by default; the folder only if certificates are read from
  /// it on demand, as OpenSSL does (curl_version_info).
  static let builtInAuthorities: (file: String?, folder: String?) = {
    guard let version = ccurl_version()?.pointee, version.age.rawValue >= CURLVERSION_SEVENTH.rawValue else {
      return (nil, nil)
    }
    let isLazy = version.ssl_version.map { String(cString: $0).hasPrefix("OpenSSL") } ?? false
    return (
      version.cainfo.map { String(cString: $0) }, isLazy ? version.capath.map { String(cString: $0) } : nil
    )
  }()
}

extension CURLcode {
  /// The numeric code, as in libcurl-errors(3).
  var number: Int32 { Int32(bitPattern: rawValue) }

  /// The failure that the code alone indicates; a transfer knows more about some.
  var failure: HTTPFailure {
    switch self {
    case CURLE_URL_MALFORMAT: .invalidURL
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .resolve
    case CURLE_PROXY: .proxy(status: 0)
    case CURLE_SSL_CONNECT_ERROR: .tls(code: number)
    case CURLE_SSL_CACERT_BADFILE: .certificates
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM: .reset
    case CURLE_GOT_NOTHING: .noResponse
    case CURLE_PARTIAL_FILE: .truncated
    case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirects
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .malformed(code: number)
    default: .other(code: number)
    }
  }
}
