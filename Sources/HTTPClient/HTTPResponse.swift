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
  /// The URL that responded, after redirects.
  package let effectiveURL: String
  /// How many redirects were followed.
  package let redirects: Int
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
