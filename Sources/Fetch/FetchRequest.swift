/// One thing to ask a server for.
package struct FetchRequest: Equatable, Sendable {
  /// What is wanted of the resource.
  package enum Method: Equatable, Sendable {
    case get
    /// The status and headers alone.
    case head
  }

  /// The caller's own number for this request; its outcome carries it.
  package let tag: Int
  /// `https://www.youtube.com/feeds/videos.xml?channel_id=UC…`
  package let url: String
  package var method = Method.get
  /// The most bytes the body may have once decompressed; one more is `FetchFailure.tooLarge`.
  package let maxBodyBytes: Int
  /// Whether a redirect is followed, up to five; if not, the redirect is the answer and `FetchAnswer.location` its target.
  package var followsRedirects = true
  /// The entity tag of an earlier answer, sent as `If-None-Match`.
  package var etag: String?
  /// The `Last-Modified` of an earlier answer as the server wrote it, sent as `If-Modified-Since`.
  package var lastModified: String?
  /// `SOCS=CAI`, sent to the first host alone, never to another one after a redirect.
  package var cookie: String?
  /// Further header lines, `X-Name: value`.
  package var headers: [String] = []

  /// A plain GET; what else is wanted is set on the value.
  package init(tag: Int, url: String, maxBodyBytes: Int) {
    self.tag = tag
    self.url = url
    self.maxBodyBytes = maxBodyBytes
  }

  /// The header lines this request adds to those that every request has.
  var headerLines: [String] {
    var lines = headers
    if let etag { lines.append("If-None-Match: \(etag)") }
    if let lastModified { lines.append("If-Modified-Since: \(lastModified)") }
    if let cookie { lines.append("Cookie: \(cookie)") }
    return lines
  }

  /// Whether the transfer begins under TLS.
  var isSecure: Bool { url.utf8.prefix(6).elementsEqual("https:".utf8) { $0 | 0x20 == $1 | 0x20 } }
}
