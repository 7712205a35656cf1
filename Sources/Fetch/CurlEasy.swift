import CCurl

/// One easy handle of libcurl: options in, information out. The pointers of transfers end here.
struct CurlEasy {
  /// The handle, for `CurlMulti` alone.
  let handle: CurlEasyHandle

  /// A new handle (curl_easy_init).
  init() throws(FetchFailure) {
    guard let handle = ccurl_easy_init() else { throw .setting(name: "curl_easy_init", code: 0) }
    self.handle = handle
  }

  /// Frees the handle (curl_easy_cleanup).
  func close() { ccurl_easy_cleanup(handle) }

  /// Sets an option that is a number or a switch (curl_easy_setopt). Throws `setting` with the option's name.
  func set(_ option: CURLoption, _ value: Int) throws(FetchFailure) {
    try check(option, ccurl_set_long(handle, option, value))
  }

  /// Sets an option that is a size of 64 bits. Throws `setting` with the option's name.
  func set(_ option: CURLoption, size: Int) throws(FetchFailure) {
    try check(option, ccurl_set_offset(handle, option, curl_off_t(size)))
  }

  /// Sets an option that is a text, which libcurl copies; nil is libcurl's own idea. Throws `setting` with the option's name.
  func set(_ option: CURLoption, _ value: String?) throws(FetchFailure) {
    try check(option, ccurl_set_string(handle, option, value))
  }

  /// Sets an option that is a block of bytes, which libcurl copies. Throws `setting` with the option's name.
  func set(_ option: CURLoption, _ value: [UInt8]) throws(FetchFailure) {
    try check(option, value.withUnsafeBytes { ccurl_set_blob(handle, option, $0.baseAddress, $0.count) })
  }

  /// The number of this kind about the last transfer, or 0 (curl_easy_getinfo).
  func number(_ info: CURLINFO) -> Int {
    if info.rawValue & UInt32(CURLINFO_TYPEMASK) == UInt32(CURLINFO_OFF_T) {
      var value: curl_off_t = 0
      return ccurl_get_offset(handle, info, &value) == CURLE_OK ? Int(value) : 0
    }
    var value = 0
    return ccurl_get_long(handle, info, &value) == CURLE_OK ? value : 0
  }

  /// The text of this kind about the last transfer (curl_easy_getinfo).
  func text(_ info: CURLINFO) -> String? {
    var value: UnsafePointer<CChar>?
    guard ccurl_get_string(handle, info, &value) == CURLE_OK else { return nil }
    return value.map { String(cString: $0) }
  }

  /// The first header of this name in the last answer, those of redirects before it left out (curl_easy_header).
  func header(_ name: String) -> String? {
    var found: UnsafeMutablePointer<curl_header>?
    let code = ccurl_easy_header(handle, name, &found)
    guard code == CURLHE_OK else { return nil }
    return found.map { String(cString: $0.pointee.value) }
  }

  /// Throws `setting` with the option's name where libcurl does not take it.
  func check(_ option: CURLoption, _ code: CURLcode) throws(FetchFailure) {
    guard code != CURLE_OK else { return }
    let name = ccurl_easy_option_by_id(option).map { "CURLOPT_" + String(cString: $0.pointee.name) }
    throw .setting(name: name ?? String(option.rawValue), code: code.number)
  }
}

extension CurlEasy {
  /// Header lines to be sent, in libcurl's own form (curl_slist). Whoever makes one frees it.
  struct HeaderList {
    fileprivate var first: UnsafeMutablePointer<curl_slist>?

    /// Whether there is nothing to send.
    var isEmpty: Bool { first == nil }

    /// Adds a line. Throws `invalidHeader` for one that is more than a line.
    mutating func append(_ line: String) throws(FetchFailure) {
      guard line.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else { throw .invalidHeader }
      guard let longer = ccurl_slist_append(first, line) else { throw CURLE_OUT_OF_MEMORY.failure }
      first = longer
    }

    /// Frees the lines, after which the list is empty (curl_slist_free_all).
    mutating func removeAll() {
      ccurl_slist_free_all(first)
      first = nil
    }
  }

  /// Sends these lines besides libcurl's own; the list must outlive the transfer.
  func set(_ list: HeaderList) throws(FetchFailure) {
    try check(CURLOPT_HTTPHEADER, ccurl_set_list(handle, CURLOPT_HTTPHEADER, list.first))
  }

  /// The scheme and host of a URL, in lower case, as libcurl itself reads it (curl_url).
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

  /// The moment in seconds since 1970 that a date of HTTP names (curl_getdate).
  static func secondsSince1970(_ date: String) -> Int? {
    let seconds = ccurl_getdate(date)
    return seconds == -1 ? nil : seconds
  }

  /// The file and the folder of certificates that this libcurl was built to trust; the folder only where it is read
  /// certificate by certificate as they are needed, as OpenSSL does (curl_version_info).
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
