/// What a request is answered with when nothing goes wrong.
package struct Answer: Equatable, Sendable {
  /// The status code, 200 to 599.
  package var status: Int
  /// Fields beside `Content-Length`, `Content-Encoding`, `ETag` and `Date`, which the server writes itself.
  package var headers: [String: String]
  /// The body before any content encoding.
  package var body: [UInt8]
  /// The body in gzip where it was made beforehand; otherwise it is packed for each client that asks.
  package var gzip: [UInt8]?

  /// An answer of these parts.
  package init(status: Int, headers: [String: String], body: some Sequence<UInt8>) {
    self.status = status
    self.headers = headers
    self.body = Array(body)
    gzip = nil
  }

  /// A feed as YouTube sends it: `text/xml`, good for 15 minutes, without ETag or Last-Modified.
  package static func feed(_ body: some Sequence<UInt8>) -> Answer {
    Answer(status: 200, headers: common("text/xml; charset=UTF-8").merging(cached) { _, new in new }, body: body)
  }

  /// A feed given as text.
  package static func feed(_ text: String) -> Answer { feed(text.utf8) }

  /// A web page with this status.
  package static func html(_ text: String, status: Int) -> Answer {
    Answer(status: status, headers: common("text/html; charset=UTF-8"), body: text.utf8)
  }

  /// A document of the Data API with this status.
  package static func json(_ text: String, status: Int) -> Answer {
    Answer(status: status, headers: common("application/json; charset=UTF-8"), body: text.utf8)
  }

  /// An answer of this status with a page of 1,613 bytes, as long as YouTube's own.
  package static func status(_ status: Int) -> Answer { html(errorPage(status), status: status) }

  /// `429 Too Many Requests`, to be asked again after so many seconds.
  package static func tooManyRequests(retryAfter seconds: Int) -> Answer {
    var answer = status(429)
    answer.headers["Retry-After"] = String(seconds)
    return answer
  }

  /// `302 Found` at `location`, whatever that is: a path, another host, `file:///etc/passwd`.
  package static func redirect(to location: String) -> Answer {
    Answer(status: 302, headers: ["Location": location], body: [])
  }

  /// An answer of this status with nothing in it.
  package static func empty(status: Int) -> Answer { Answer(status: status, headers: [:], body: []) }

  private static let cached = ["Cache-Control": "public, max-age=900"]

  private static func common(_ type: String) -> [String: String] {
    ["Content-Type": type, "X-Frame-Options": "SAMEORIGIN", "X-XSS-Protection": "0"]
  }

  private static func errorPage(_ status: Int) -> String {
    let head = """
      <!DOCTYPE html>
      <html lang=en>
        <meta charset=utf-8>
        <title>\(status)</title>
        <h1>\(status)</h1>
        <p>The fixture server was told to answer so.</p>
        <p>
      """
    let filler = "This page is as long as the one it stands in for. "
    return String((head + String(repeating: filler, count: 40)).prefix(errorPageLength))
  }

  private static let errorPageLength = 1_613
}
