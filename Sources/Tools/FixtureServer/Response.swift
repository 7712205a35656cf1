/// The response to a request if no fault applies.
package struct Response: Equatable, Sendable {
  /// The status code, 200 to 599.
  package var status: Int
  /// Header fields besides `Content-Length`, `Content-Encoding`, `ETag` and `Date`, which the server writes itself.
  package var headers: [String: String]
  /// The body, before any content encoding.
  package var body: [UInt8]
  /// The body already gzipped; if nil, the server compresses it for each client that accepts gzip.
  package var gzip: [UInt8]?

  /// A response with these parts.
  package init(status: Int, headers: [String: String], body: some Sequence<UInt8>) {
    (self.status, self.headers) = (status, headers)
    self.body = Array(body)
    gzip = nil
  }

  /// A feed as YouTube sends it: `text/xml`, cacheable for 15 minutes, without ETag or Last-Modified.
  package static func feed(_ body: some Sequence<UInt8>) -> Response {
    Response(status: 200, headers: common("text/xml; charset=UTF-8").merging(cached) { _, new in new }, body: body)
  }

  /// A feed given as a string.
  package static func feed(_ text: String) -> Response { feed(text.utf8) }

  /// A web page with this status.
  package static func html(_ text: String, status: Int) -> Response {
    Response(status: status, headers: common("text/html; charset=UTF-8"), body: text.utf8)
  }

  /// A Data API document with this status.
  package static func json(_ text: String, status: Int) -> Response {
    Response(status: status, headers: common("application/json; charset=UTF-8"), body: text.utf8)
  }

  /// A response with this status and a page of 1,613 bytes, the size of YouTube's own.
  package static func status(_ status: Int) -> Response { html(errorPage(status), status: status) }

  /// `429 Too Many Requests` with a `Retry-After` in seconds.
  package static func tooManyRequests(retryAfter seconds: Int) -> Response {
    var response = status(429)
    response.headers["Retry-After"] = String(seconds)
    return response
  }

  /// `302 Found` to any `location`: a path, another host, `file:///etc/passwd`.
  package static func redirect(to location: String) -> Response {
    Response(status: 302, headers: ["Location": location], body: [])
  }

  /// A response with this status and an empty body.
  package static func empty(status: Int) -> Response { Response(status: status, headers: [:], body: []) }

  private static let cached = ["Cache-Control": "public, max-age=900"]

  private static func common(_ type: String) -> [String: String] {
    ["Content-Type": type, "X-Frame-Options": "SAMEORIGIN", "X-XSS-Protection": "0"]
  }

  private static func errorPage(_ status: Int) -> String {
    let head =
      "<!DOCTYPE html>\n<html lang=en>\n<title>\(status)</title>\n<h1>\(status)</h1>\n<p>A simulated response.\n"
    return head + String(repeating: " ", count: 1_613 - head.utf8.count)
  }
}
