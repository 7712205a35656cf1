/// One HTTP request.
package struct HTTPRequest: Equatable, Sendable {
  /// The HTTP method.
  package enum Method: Equatable, Sendable {
    case get
    /// Status and headers only.
    case head
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
  /// The ETag of an earlier response, sent as `If-None-Match`.
  package var etag: String?
  /// The `Last-Modified` of an earlier response, verbatim, sent as `If-Modified-Since`.
  package var lastModified: String?
  /// `SOCS=CAI`, sent to the first host only, never to another one after a redirect.
  package var cookie: String?
  /// Further header lines, `X-Name: value`.
  package var headers: [String] = []

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
