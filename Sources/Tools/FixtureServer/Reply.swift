import Core
import Gzip

/// One action on a connection while replying.
enum Step: Equatable, Sendable {
  /// Send these bytes.
  case send([UInt8])
  /// Wait this long, unless the client disconnects.
  case pause(milliseconds: Int32)
  /// Wait until the server answers as many requests, counted from its start, unless the client disconnects.
  case turn(Int)
  /// Wait until the client disconnects or the server stops.
  case hang
  /// Send these bytes repeatedly until the client disconnects.
  case flood([UInt8])
  /// Close the connection normally (FIN).
  case close
  /// Reset the connection (RST).
  case reset
}

/// A response as it is sent to one client.
struct Reply: Sendable {
  /// The status line and every field except the framing ones, each with its line end.
  private var head: [UInt8]
  /// The body in the encoding this client gets.
  private var body: [UInt8]
  private let hasFraming: Bool
  private let sendsBody: Bool

  /// The reply to `request`: gzipped if the client accepts it, `304 Not Modified` if the client has this very body.
  ///
  /// `date` is the value of the `Date` field; with `tagged`, a body with status 200 gets an ETag.
  init(_ response: Response, to request: Request, date: String, tagged: Bool) {
    var response = response
    if tagged && response.status == 200 {
      let tag = "\"\(String(Fingerprint.of(response.body.span.bytes), radix: 16))\""
      if request.headers["if-none-match"] == tag { response = .empty(status: 304) }
      response.headers["ETag"] = tag
    }
    var body = response.body
    if request.acceptsGzip && !body.isEmpty {
      body = response.gzip ?? Gzip.pack(body)
      response.headers["Content-Encoding"] = "gzip"
    }
    self.init(response.status, headers: response.headers, body: body, to: request, date: date)
  }

  private init(_ status: Int, headers: [String: String], body: [UInt8], to request: Request, date: String) {
    var text = "HTTP/1.1 \(status) \(Reply.reasons[status] ?? "Other")\r\nDate: \(date)\r\n"
    for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += "\(name): \(value)\r\n" }
    head = Array(text.utf8)
    self.body = body
    hasFraming = status != 304 && status != 204
    sendsBody = hasFraming && request.method != "HEAD"
  }

  /// The steps that send this reply normally; the connection stays open.
  var steps: [Step] { [.send(framed(length: body.count) + (sendsBody ? body : []))] }

  /// The steps that send this reply with `fault` applied.
  func steps(with fault: Fault, to request: Request, date: String) -> [Step] {
    switch fault {
    case .response(let other): Reply(other, to: request, date: date, tagged: false).steps
    case .hangBeforeResponse: [.hang]
    case .hangInsideBody(let count): [.send(framed(length: body.count) + body.prefix(count)), .hang]
    case .reset: [.reset]
    case .truncatedBody: [.send(framed(length: body.count) + body.prefix(body.count / 2)), .close]
    case .shortLength(let missing): [.send(framed(length: max(body.count - missing, 0)) + body), .close]
    case .gzipBomb(let count): Reply(packedSpaces: count, to: request, date: date).steps
    case .endlessHeaders:
      [.send(head), .flood(Array("X-Filler: \(String(repeating: "0123456789", count: 100))\r\n".utf8)), .close]
    case .drip(let bytesPerSecond): dripping(bytesPerSecond: bytesPerSecond)
    case .chunked(let size): [.send(head + Array("Transfer-Encoding: chunked\r\n\r\n".utf8) + chunks(of: size))]
    case .raw(let bytes): [.send(bytes), .close]
    }
  }

  private init(packedSpaces count: Int, to request: Request, date: String) {
    var headers = Response.feed("").headers
    headers["Content-Encoding"] = "gzip"
    self.init(200, headers: headers, body: Gzip.bomb(bytes: count), to: request, date: date)
  }

  private func framed(length: Int) -> [UInt8] {
    head + Array((hasFraming ? "Content-Length: \(length)\r\n\r\n" : "\r\n").utf8)
  }

  /// Ten pieces per second.
  private func dripping(bytesPerSecond: Int) -> [Step] {
    let piece = max(bytesPerSecond / 10, 1)
    let milliseconds = Int32(clamping: piece * 1000 / max(bytesPerSecond, 1))
    return [.send(framed(length: body.count))]
      + stride(from: 0, to: body.count, by: piece).flatMap { start -> [Step] in
        [.pause(milliseconds: milliseconds), .send(Array(body[start...].prefix(piece)))]
      }
  }

  private func chunks(of size: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: body.count, by: max(size, 1)) {
      let chunk = body[start...].prefix(max(size, 1))
      bytes += "\(String(chunk.count, radix: 16))\r\n".utf8 + chunk + "\r\n".utf8
    }
    return bytes + "0\r\n\r\n".utf8
  }

  private static let reasons = [
    200: "OK", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified", 400: "Bad Request",
    403: "Forbidden", 404: "Not Found", 410: "Gone", 429: "Too Many Requests", 500: "Internal Server Error",
    503: "Service Unavailable",
  ]
}
