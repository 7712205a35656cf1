/// Why there is no response, or no fetcher: evidence without wording.
package enum HTTPFailure: Error, Equatable, Sendable {
  /// The phase of a transfer that took too long.
  package enum Phase: Equatable, Sendable {
    /// Waiting for a connection that other transfers occupy.
    case queued
    case resolving
    /// TCP and TLS.
    case connecting
    /// The request was sent, and no byte of the response has arrived.
    case waiting
    case receiving
  }

  /// The name of the host, or of the proxy, has no address.
  case resolve
  /// Connection failed; `errno` from the system, or 0.
  case connect(errno: Int32)
  /// The proxy refused with this status, or 0 if its response was invalid.
  case proxy(status: Int)
  /// The TLS handshake failed; a `CURLcode`.
  case tls(code: Int32)
  /// The certificate does not verify; an OpenSSL `X509_V_ERR_…`, 1 if it was issued for another name.
  case untrusted(verification: Int)
  /// The trusted certificates cannot be read.
  case certificates
  /// The connect timeout or the total timeout expired.
  case timedOut(Phase)
  /// Below the minimum transfer speed for too long.
  case stalled(Phase)
  /// The body is larger than `limit` bytes.
  case tooLarge(limit: Int)
  /// The headers are larger than `limit` bytes.
  case headersTooLarge(limit: Int)
  /// The connection, or the HTTP/2 stream, broke while sending or receiving; also for invalid chunks.
  case reset
  /// The connection was closed before any byte of a response.
  case noAnswer
  /// The body is shorter than announced.
  case truncated
  /// The response is not HTTP, or its content encoding cannot be decoded; a `CURLcode`.
  case malformed(code: Int32)
  case tooManyRedirects
  /// A scheme other than HTTP and HTTPS, or a redirect from HTTPS to anything else.
  case forbiddenScheme
  /// A redirect to an address that is not public.
  case forbiddenAddress
  /// A redirect to a host that is not among the allowed ones.
  case forbiddenHost
  /// The URL is invalid.
  case invalidURL
  /// A request header contains a control character, such as a line break or a NUL.
  case invalidHeader
  /// The caller cancelled the transfer.
  case aborted
  /// libcurl cannot be loaded; the dynamic linker's message.
  case library(String)
  /// libcurl rejected a setting: its libcurl name, and a `CURLcode` or `CURLMcode`.
  case setting(name: String, code: Int32)
  /// The multi handle failed as a whole; a `CURLMcode`.
  case multi(code: Int32)
  /// Any other `CURLcode`.
  case other(code: Int32)

  /// Whether the request may have reached a server: not if there was no connection for it.
  package var mayBeSent: Bool {
    switch self {
    case .resolve, .connect, .proxy, .tls, .untrusted, .certificates, .timedOut(.queued), .timedOut(.resolving),
      .timedOut(.connecting):
      false
    default: true
    }
  }
}
