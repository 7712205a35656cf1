/// Why there is no answer, or no fetcher: the evidence, without words.
package enum FetchFailure: Error, Equatable, Sendable {
  /// The part of a transfer that took too long.
  package enum Phase: Equatable, Sendable {
    /// Waiting for a connection that others hold.
    case queued
    case resolving
    /// TCP and TLS.
    case connecting
    /// The request is out and no byte of the answer is in.
    case waiting
    case receiving
  }

  /// The host's name, or the proxy's, has no address.
  case resolve
  /// No connection; `errno` as the system gave it, or 0.
  case connect(errno: Int32)
  /// The proxy refused with this status, or spoke nonsense: 0.
  case proxy(status: Int)
  /// The TLS handshake failed; a `CURLcode`.
  case tls(code: Int32)
  /// The certificate does not hold; an `X509_V_ERR_…` of OpenSSL, 1 where it is for another name.
  case untrusted(verification: Int)
  /// The certificates to trust cannot be read.
  case authorities
  /// The connect or total timeout passed.
  case timedOut(Phase)
  /// Too few bytes for too long.
  case stalled(Phase)
  /// The body is larger than this many bytes.
  case tooLarge(limit: Int)
  /// The headers are larger than this many bytes.
  case headersTooLarge(limit: Int)
  /// The connection, or the request's part of it, broke while sending or receiving; so do chunks that make no sense.
  case reset
  /// The connection was closed without a byte of an answer.
  case noAnswer
  /// The body is shorter than was announced.
  case truncated
  /// What came is no HTTP, or an encoding that cannot be undone; a `CURLcode`.
  case malformed(code: Int32)
  case tooManyRedirects
  /// Neither HTTP nor HTTPS, or a redirect from HTTPS to anything else.
  case forbiddenScheme
  /// A redirect to an address that is not public.
  case forbiddenAddress
  /// A redirect to a host that is not among the allowed ones.
  case forbiddenHost
  /// The URL cannot be read.
  case invalidURL
  /// A header to be sent has a line break or a NUL in it.
  case invalidHeader
  /// The caller dropped the transfer.
  case aborted
  /// libcurl cannot be loaded; why, in the system's words.
  case library(String)
  /// libcurl does not take a setting of ours: its name there, and a `CURLcode` or `CURLMcode`.
  case setting(name: String, code: Int32)
  /// The multi handle failed as a whole; a `CURLMcode`.
  case multi(code: Int32)
  /// Any other `CURLcode`.
  case other(code: Int32)
}
