import Commands
import Core
import Gzip
import HTTPTypes
import Hummingbird
import NIOCore

/// An answer as an HTTP response: validators, compression, headers.
struct ResponseForm {
  let response: Response

  /// Headers of every response.
  static let common: HTTPFields = {
    var fields = HTTPFields()
    fields[.xContentTypeOptions] = "nosniff"
    fields[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
    // With `no-referrer` the forms of the page would have the origin `null`.
    if let policy = HTTPField.Name("Referrer-Policy") { fields[policy] = "same-origin" }
    if let policy = HTTPField.Name("Cross-Origin-Resource-Policy") { fields[policy] = "same-origin" }
    return fields
  }()

  /// Answers `request`; with 304 if the client has the body already.
  init(_ answer: HubAnswer, to request: Request) {
    var fields = ResponseForm.common
    fields[.contentType] = answer.type.isEmpty ? nil : answer.type
    for (name, value) in answer.headers { if let name = HTTPField.Name(name) { fields[name] = value } }
    guard answer.status == 200, request.method == .get || request.method == .head else {
      fields[.cacheControl] = "no-store"
      response = Response(
        status: .init(code: answer.status), headers: fields,
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.body)))
      return
    }
    if fields[.cacheControl] == nil { fields[.cacheControl] = "private, no-cache" }
    fields[.vary] = "Accept-Encoding, Authorization, Cookie"
    let digest = answer.digest ?? Fingerprint.of(answer.body.span.bytes)
    // Weak: the compressed form has the same.
    let tag = "W/\"\(String(hex: digest, digits: 16))\""
    fields[.eTag] = tag
    if ResponseForm.has(request.headers[.ifNoneMatch], tag) {
      fields[.contentType] = nil
      response = Response(status: .notModified, headers: fields)
      return
    }
    var body = answer.body
    if body.count >= ResponseForm.worthPacking, ResponseForm.takesGzip(request.headers[.acceptEncoding]) {
      body = Gzip.pack(body)
      fields[.contentEncoding] = "gzip"
    }
    response = Response(status: .ok, headers: fields, body: .pieces(body))
  }

  private static let worthPacking = 1400

  /// Whether an `If-None-Match` header has a tag, by weak comparison.
  private static func has(_ header: String?, _ tag: String) -> Bool {
    guard let header else { return false }
    if header.trimmed == "*" { return true }
    return header.split(separator: ",").contains { part in
      let text = part.trimmed
      return text == tag || "W/\(text)" == tag
    }
  }

  /// Whether an `Accept-Encoding` header takes gzip.
  private static func takesGzip(_ header: String?) -> Bool {
    (header ?? "").lowercased().split(separator: ",").contains { part in
      let words = part.split(separator: ";").map(\.trimmed)
      guard words.first == "gzip" else { return false }
      return !words.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { ("1"..."9").contains($0) } }
    }
  }
}

extension StringProtocol {
  /// The text without blanks around it.
  fileprivate var trimmed: String {
    let start = drop { $0 == " " || $0 == "\t" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}

extension ResponseBody {
  /// A body that is written piece by piece, as the client takes it.
  fileprivate static func pieces(_ bytes: [UInt8]) -> ResponseBody {
    let whole = ByteBuffer(bytes: bytes)
    guard bytes.count > longestWhole else { return ResponseBody(byteBuffer: whole) }
    return ResponseBody(contentLength: bytes.count) { writer in
      var rest = whole
      while let piece = rest.readSlice(length: min(longestPiece, rest.readableBytes)), piece.readableBytes > 0 {
        try await writer.write(piece)
      }
      try await writer.finish(nil)
    }
  }

  /// What is written in one go, such as a page of videos.
  fileprivate static let longestWhole = 1 << 16
  private static let longestPiece = 1 << 14
}

extension Response {
  /// The response with a body that is written no faster than the client takes it.
  func paced(on channel: any NIOCore.Channel) -> Response {
    guard let length = body.contentLength, length > ResponseBody.longestWhole else { return self }
    let (loop, whole) = (channel.eventLoop, body)
    var response = self
    response.body = ResponseBody(contentLength: length) { writer in
      // A write waits only if the channel is known to be full, which the event loop learns from the write before.
      let paced = whole.map { piece in
        try await loop.submit {}.get()
        return piece
      }
      try await paced.write(writer)
    }
    return response
  }

  /// The response, after which the connection is closed: soon, so that the client can read it.
  func closing(_ channel: any NIOCore.Channel) -> Response {
    var response = self
    response.headers[.connection] = "close"
    channel.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    return response
  }
}
