/// One HTTP request.
package struct HTTPRequest: Equatable, Sendable {
  /// The HTTP method.
  package enum Method: Equatable, Sendable {
    case get
    /// Status and headers only.
    case head
    /// A form, `hub.mode=subscribe&hub.topic=…`; redirects with 307 and 308 repeat it.
    case post(String)
    /// A POST of any bytes; headers name their media type.
    case send([UInt8])
  }

  /// The caller's identifier for this request; its outcome carries it.
  package let tag: Int
  /// `https://www.youtube.com/feeds/videos.xml?channel_id=UC…`
  package let url: String
  package var method = Method.get
  /// Maximum size of the decompressed body, in bytes; one more is `HTTPFailure.tooLarge`.
  package let maxBodyBytes: Int
  /// Whether redirects are followed, up to five; if not, the redirect is the response and `HTTPResponse.location` its
  /// target.
  package var followsRedirects = true
  /// The limit for this request, including its redirects, if that is less than `HTTPSettings.totalTimeout`.
  package var timeout: Duration?
  /// The ETag of an earlier response, sent as `If-None-Match`.
  package var etag: String?
  /// The `Last-Modified` of an earlier response, verbatim, sent as `If-Modified-Since`.
  package var lastModified: String?
  /// `SOCS=CAI`, sent to the first host only, never to another one after a redirect.
  package var cookie: String?
  /// Further header lines, `X-Name: value`.
  package var headers: [String] = []
  /// Which addresses may be connected to, in place of what the settings say; nil for URLs of the user's own settings.
  package var rules: AddressRules?

  /// A plain GET; set the properties for anything else.
  package init(tag: Int, url: String, maxBodyBytes: Int) {
    (self.tag, self.url, self.maxBodyBytes) = (tag, url, maxBodyBytes)
  }

  /// The header lines that this request adds to those of every request.
  var headerLines: [String] {
    var lines = headers
    if let etag { lines.append("If-None-Match: \(etag)") }
    if let lastModified { lines.append("If-Modified-Since: \(lastModified)") }
    if let cookie { lines.append("Cookie: \(cookie)") }
    return lines
  }

  /// Whether the transfer starts with TLS.
  var isSecure: Bool { url.utf8.prefix(6).elementsEqual("https:".utf8) { $0 | 0x20 == $1 | 0x20 } }
}

/// An HTTP response, whatever its status: a 404 or a 304 is a response too.
package struct HTTPResponse: Equatable, Sendable {
  /// `200`, `304`, `404`…
  package let status: Int
  /// The complete body, decompressed; empty for HEAD and 304.
  package let body: [UInt8]
  /// `text/xml; charset=UTF-8`
  package let contentType: String?
  /// The ETag verbatim, including quotes.
  package let etag: String?
  /// `Wed, 01 Jul 2026 14:00:35 GMT`, verbatim.
  package let lastModified: String?
  package let retryAfter: RetryAfter?
  /// The target of a redirect that was not followed.
  package let location: String?
  /// The values of the `Link` headers.
  package let links: [String]
  /// The URL that responded, after redirects.
  package let effectiveURL: String
  /// How many redirects were followed.
  package let redirects: Int
  /// The values of the `Cache-Control` headers, separated by commas; nil if absent.
  package internal(set) var cacheControl: String?
  /// `Expires` in seconds since 1970; nil if absent or invalid, as `0` is.
  package internal(set) var expires: Int?
  /// `Date`, the server's own time, in seconds since 1970.
  package internal(set) var date: Int?
  /// `challenge` if a gatekeeper before the server wants to see a browser (`cf-mitigated`).
  package internal(set) var mitigation: String?
  /// How far the address reaches that responded, or the proxy's; nil if it is unknown.
  package internal(set) var scope: AddressScope?
}

/// When the server allows the next request (RFC 9110 §10.2.3).
package enum RetryAfter: Equatable, Sendable {
  /// A delay; `Retry-After: 120`.
  case seconds(Int)
  /// A UTC time in seconds since 1970; `Retry-After: Wed, 01 Jul 2026 14:00:35 GMT`.
  case date(secondsSince1970: Int)

  /// Parses the header's value; nil if it is in neither form.
  init?(_ value: String) {
    if let seconds = Int(value) {
      guard seconds >= 0 else { return nil }
      self = .seconds(seconds)
    } else {
      guard let moment = CurlEasy.secondsSince1970(value) else { return nil }
      self = .date(secondsSince1970: moment)
    }
  }
}

/// The outcome of one request; every request gets exactly one.
package struct HTTPOutcome: Equatable, Sendable {
  /// The request's tag.
  package let tag: Int
  package let result: Result<HTTPResponse, HTTPFailure>
  /// From the start of the transfer to its end.
  package let elapsed: Duration
  /// Bytes of headers and bodies as received; compressed bodies count compressed.
  package let bytes: Int
}

extension HTTPOutcome {
  /// The outcome of a request to which something other than a server responds: no time, no headers.
  package init(of request: HTTPRequest, status: Int, body: [UInt8]) {
    let response = HTTPResponse(
      status: status, body: body, contentType: nil, etag: nil, lastModified: nil, retryAfter: nil, location: nil,
      links: [], effectiveURL: request.url, redirects: 0)
    self.init(tag: request.tag, result: .success(response), elapsed: .zero, bytes: body.count)
  }
}

/// Settings for every transfer of a fetcher.
package struct HTTPSettings: Equatable, Sendable {
  /// The IP version to connect with.
  package enum IPVersion: Equatable, Sendable {
    case any, v4, v6
  }

  /// `metube-rss/1.0 (+https://…)`
  package let userAgent: String
  /// Maximum number of simultaneous transfers.
  package var jobs = 4
  /// For DNS, the connection and the TLS handshake together.
  package var connectTimeout = Duration.seconds(15)
  /// For one request, including its redirects.
  package var totalTimeout = Duration.seconds(60)
  /// A transfer slower than `stallBytesPerSecond` for this long is cancelled; in whole seconds.
  package var stallTime = Duration.seconds(20)
  package var stallBytesPerSecond = 50
  /// Maximum size of the headers of one request, including those of redirects, in bytes.
  package var maxHeaderBytes = 65_536
  /// `http://proxy.example:3128`; nil uses `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` from the
  /// environment, an empty string disables the proxy.
  package var proxy: String?
  /// A file of PEM certificates to trust in addition to the system's.
  package var caFile: String?
  package var ipVersion = IPVersion.any
  /// The hosts a redirect may lead to, including their subdomains; nil is any host.
  package var redirectHosts: [String]?
  /// Whether a redirect may lead to another port of an address that is not public and that a request names, as needed
  /// if the user's own server on a home network redirects to HTTPS.
  package var allowsOtherPorts = false
  /// Whether requests may go to private addresses without a redirect. False for URLs that come from outside; a proxy's
  /// address counts too, so only without one.
  package var allowsPrivateAddresses = true

  /// The default settings with this user agent.
  package init(userAgent: String) { self.userAgent = userAgent }
}

extension Duration {
  /// The duration in milliseconds, rounded up; at most `Int32.max`.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds < Int64(Int32.max) / 1000 else { return Int(Int32.max) }
    return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}

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
  case noResponse
  /// The body is shorter than announced.
  case truncated
  /// The response is not HTTP, or its content encoding cannot be decoded; a `CURLcode`.
  case malformed(code: Int32)
  case tooManyRedirects
  /// A scheme other than HTTP and HTTPS, or a redirect from HTTPS to anything else.
  case forbiddenScheme
  /// A redirect to an address that is not public, or an address or port that the request's rules do not allow.
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
