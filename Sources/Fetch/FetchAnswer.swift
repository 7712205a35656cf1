/// What a server answered, whatever the status: a 404 or a 304 is an answer too.
package struct FetchAnswer: Equatable, Sendable {
  /// `200`, `304`, `404`…
  package let status: Int
  /// The complete body, decompressed; empty for HEAD and 304.
  package let body: [UInt8]
  /// `text/xml; charset=UTF-8`
  package let contentType: String?
  /// The entity tag as written, quotes and all.
  package let etag: String?
  /// `Wed, 01 Jul 2026 14:00:35 GMT`, as written.
  package let lastModified: String?
  package let retryAfter: RetryAfter?
  /// Where a redirect that was not followed points.
  package let location: String?
  /// The URL that answered, after redirects.
  package let effectiveURL: String
  /// How many redirects were followed.
  package let redirects: Int
}

/// When a server wants to be asked again (RFC 9110 §10.2.3).
package enum RetryAfter: Equatable, Sendable {
  /// After so many seconds; `Retry-After: 120`.
  case seconds(Int)
  /// At a moment in seconds of UTC since 1970; `Retry-After: Wed, 01 Jul 2026 14:00:35 GMT`.
  case date(secondsSince1970: Int)

  /// What the header's value says; nil where it is neither form.
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

/// How one request ended; every request that was given has exactly one.
package struct FetchOutcome: Equatable, Sendable {
  /// The request's own.
  package let tag: Int
  package let result: Result<FetchAnswer, FetchFailure>
  /// From the start of the transfer to its end.
  package let elapsed: Duration
  /// Bytes received of headers and bodies as they came, compressed ones counted compressed.
  package let bytes: Int
}
