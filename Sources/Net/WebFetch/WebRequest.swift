import Core
import HTTPClient

/// A request for what is at any URL, as users type them and pages contain them; its redirects are followed hop by hop.
package struct WebRequest: Equatable, Sendable {
  /// The caller's identifier of the request; its outcome carries it.
  package let tag: Int
  /// What to fetch; user name and password are sent to this host alone, the fragment to none.
  package let url: WebURL
  /// Where connections may lead, at each hop.
  package let rules: AddressRules
  /// The validators of an earlier response, verbatim.
  package var etag: String?
  package var lastModified: String?
  /// What is wanted, `application/rss+xml, */*;q=0.1`; nil for anything.
  package var accept: String?

  /// A request without validators.
  package init(tag: Int, url: WebURL, rules: AddressRules) { (self.tag, self.url, self.rules) = (tag, url, rules) }
}

/// The limits of a fetch, fixed for all of them.
package enum WebLimits {
  /// The size of a body, decompressed, in bytes.
  package static let body = 32 << 20
  /// How many redirects are followed.
  package static let redirects = 5
  /// For all hops together.
  package static let timeout = Duration.seconds(60)
}

/// A response that is no redirect, and the way to it.
package struct WebResponse: Equatable, Sendable {
  package let response: HTTPResponse
  /// The URL that responded; with credentials only if they were sent there.
  package let url: WebURL
  /// The redirects that led there, in order.
  package let hops: [Hop]
  /// Where the permanent redirects at the beginning lead; nil if the first redirect is temporary, or there is none.
  package let permanentURL: WebURL?

  /// One redirect.
  package struct Hop: Equatable, Sendable {
    /// The URL that redirected.
    package let url: WebURL
    /// 301, 302, 303, 307 or 308.
    package let status: Int

    /// Whether the server says that the new address is to be used from now on (RFC 9110 §15.4).
    package var isPermanent: Bool { status == 301 || status == 308 }
  }
}

/// Why there is no response.
package enum WebFailure: Error, Equatable, Sendable {
  /// A transfer failed, at this URL.
  case transfer(HTTPFailure, at: WebURL)
  /// A URL, the first or a redirect's, has a port that is not allowed.
  case forbiddenPort(WebURL)
  /// A redirect from https to http, to this URL.
  case downgrade(to: WebURL)
  /// A redirect without a target, or to one that is not http or https; the target as sent.
  case badRedirect(String?)
  /// More redirects than `limit`.
  case tooManyRedirects(limit: Int)
}

/// The outcome of a request; each request has exactly one.
package struct WebOutcome: Equatable, Sendable {
  /// The request's tag.
  package let tag: Int
  package let result: Result<WebResponse, WebFailure>
  /// Of all hops together.
  package let elapsed: Duration
  /// Bytes received, of headers and of bodies as they were sent.
  package let bytes: Int
}
