import Core
import Gzip
import HTTPTypes
import HubCore
import HubLimits
import Hummingbird
import NIOCore
import Platform
import ReadModel
import SQLDrivers
import Synchronization

/// The response of a route as an HTTP response: validators, compression, headers.
struct ResponseForm {
  /// The response. A long body is not compressed.
  let response: Response
  /// The body, if it is long.
  private(set) var longBody: [UInt8]?
  /// Whether a long body is to be compressed.
  private var packs = false

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

  /// The body in a file, which is neither compressed nor validated, and sent as it is.
  private(set) var file: RouteResponse.File?
  /// The length of a long body.
  var longCount: Int? { longBody?.count ?? file?.count }

  /// The response to `request`; 304 if the client has the body already.
  init(_ response: RouteResponse, to request: Request) { self.init(response, to: request, isConstant: false) }

  /// The response to `request` that is the same for all clients as long as the process runs: it takes no memory for
  /// each.
  init(constant response: RouteResponse, to request: Request) { self.init(response, to: request, isConstant: true) }

  private init(_ response: RouteResponse, to request: Request, isConstant: Bool) {
    var fields = ResponseForm.common
    fields[.contentType] = response.type.isEmpty ? nil : response.type
    for (name, value) in response.headers { if let name = HTTPField.Name(name) { fields[name] = value } }
    if let file = response.file {
      fields[.cacheControl] = "no-store"
      self.response = Response(status: .init(code: response.status), headers: fields, body: .file(file, nil))
      self.file = file
      return
    }
    guard response.status == 200, request.method == .get || request.method == .head else {
      fields[.cacheControl] = "no-store"
      self.response = Response(status: .init(code: response.status), headers: fields, body: .pieces(response.body, nil))
      longBody = ResponseLimits.isLong(response.body.count) ? response.body : nil
      return
    }
    if fields[.cacheControl] == nil { fields[.cacheControl] = "private, no-cache" }
    fields[.vary] = "Accept-Encoding, Authorization, Cookie"
    let digest = response.digest ?? Fingerprint.of(response.body.span.bytes)
    // Weak: the compressed form has the same.
    let tag = "W/\"\(String(hex: digest, digits: 16))\""
    fields[.eTag] = tag
    if ResponseForm.has(request.headers[.ifNoneMatch], tag) {
      fields[.contentType] = nil
      self.response = Response(status: .notModified, headers: fields)
      return
    }
    var body = response.body
    let isLong = !isConstant && ResponseLimits.isLong(body.count)
    if body.count >= ResponseForm.worthPacking, ResponseForm.takesGzip(request.headers[.acceptEncoding]) {
      if isLong {
        packs = true
      } else {
        body = isConstant ? ResponseForm.packed(constant: body, digest) : Gzip.pack(body)
        fields[.contentEncoding] = "gzip"
      }
    }
    self.response = Response(status: .ok, headers: fields, body: .pieces(body, nil))
    longBody = isLong ? body : nil
  }

  private static let worthPacking = 1400

  /// The response with a long body, compressed on a thread of its own kind, which holds its slot until it is sent.
  func response(holding slot: Turns.Slot, of user: String) async throws -> Response {
    var headers = response.headers
    headers[.contentLength] = nil
    if let file { return Response(status: response.status, headers: headers, body: .file(file, slot)) }
    guard let longBody else { return response }
    guard packs else { return Response(status: response.status, headers: headers, body: .pieces(longBody, slot)) }
    headers[.contentEncoding] = "gzip"
    let packed = try await ResponseForm.packed(longBody, of: user)
    return Response(status: response.status, headers: headers, body: .pieces(packed, slot))
  }

  /// A long body of a user, compressed.
  static func packed(_ body: [UInt8], of user: String) async throws -> [UInt8] {
    try await HubThreads.packing.run(of: user, until: Interruption.current) { Gzip.pack(body) }
  }

  /// The compressed forms of what is constant, by the digest of the plain one.
  private static let constants = Mutex<[UInt64: [UInt8]]>([:])

  private static func packed(constant body: [UInt8], _ digest: UInt64) -> [UInt8] {
    if let packed = constants.withLock({ $0[digest] }) { return packed }
    let packed = Gzip.pack(body)
    constants.withLock { $0[digest] = packed }
    return packed
  }

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
      let parts = part.split(separator: ";").map(\.trimmed)
      guard parts.first == "gzip" else { return false }
      return !parts.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { ("1"..."9").contains($0) } }
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
  /// A body that is written piece by piece, as the client takes it; then its slot is released.
  fileprivate static func pieces(_ bytes: [UInt8], _ slot: Turns.Slot?) -> ResponseBody {
    guard ResponseLimits.isLong(bytes.count) else { return ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)) }
    return ResponseBody(contentLength: bytes.count) { writer in
      defer { slot?.leave() }
      // Each is copied when it is its turn, not the whole for each client.
      for start in stride(from: 0, to: bytes.count, by: longestPiece) {
        try await writer.write(ByteBuffer(bytes: bytes[start..<min(start + longestPiece, bytes.count)]))
      }
      try await writer.finish(nil)
    }
  }

  /// A body that is read from a file piece by piece, as the client takes it; then its slot is released.
  fileprivate static func file(_ file: RouteResponse.File, _ slot: Turns.Slot?) -> ResponseBody {
    ResponseBody(contentLength: file.count) { writer in
      defer { slot?.leave() }
      for start in stride(from: 0, to: file.count, by: longestPiece) {
        // From the page cache: it was just written.
        let piece = file.scratch.bytes(at: start, count: min(longestPiece, file.count - start))
        guard !piece.isEmpty else { throw HubProblem(503, "the file cannot be read") }
        try await writer.write(ByteBuffer(bytes: piece))
      }
      try await writer.finish(nil)
    }
  }

  private static let longestPiece = 1 << 14
}

extension Response {
  /// The response with a body that is written no faster than the client takes it. `begin` runs before a long one.
  func paced(on channel: any NIOCore.Channel, _ begin: @escaping @Sendable () -> Void) -> Response {
    guard let length = body.contentLength, ResponseLimits.isLong(length) else { return self }
    let (loop, whole) = (channel.eventLoop, body)
    var response = self
    response.body = ResponseBody(contentLength: length) { writer in
      begin()
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
