import CCurl

extension CURLcode {
  /// The numeric code, as in libcurl-errors(3).
  var number: Int32 { Int32(bitPattern: rawValue) }

  /// The failure that the code alone indicates; a transfer knows more about some.
  var failure: FetchFailure {
    switch self {
    case CURLE_URL_MALFORMAT: .invalidURL
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .resolve
    case CURLE_PROXY: .proxy(status: 0)
    case CURLE_SSL_CONNECT_ERROR: .tls(code: number)
    case CURLE_SSL_CACERT_BADFILE: .authorities
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM: .reset
    case CURLE_GOT_NOTHING: .noAnswer
    case CURLE_PARTIAL_FILE: .truncated
    case CURLE_TOO_MANY_REDIRECTS: .tooManyRedirects
    case CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING: .malformed(code: number)
    default: .other(code: number)
    }
  }
}
