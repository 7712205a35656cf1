import App
import Glibc
import Gzip
import HTTPTypes
import HubAPI
import HubCore
import HubLimits
import Hummingbird
import NIOCore

/// Reads the body of a request, within limits of size and time.
struct RequestBodyReader {
  let request: Request
  static let maxBytes = 1 << 20
  static let maxFileBytes = 64 << 20
  /// A client that takes longer for a body is cut off; a file may take 20 times as long.
  let timeout: Duration
  /// The maximum size of a body that is neither lines of a log nor a file, bytes.
  let maximum: Int

  init(_ request: Request, timeout: Duration, maximum: Int) {
    (self.request, self.timeout, self.maximum) = (request, timeout, maximum)
  }

  /// Reads a body that nothing uses, so that the next request on the connection is found.
  func skip() async throws {
    if request.hasBody { try await forEachPiece(RequestBodyReader.maxBytes, timeout) { _ in } }
  }

  /// The body of a JSON request.
  func json() async throws -> [UInt8] {
    let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
    guard type == "application/json" else { throw HubProblem(415, "the body must be application/json") }
    return try await bytes()
  }

  /// The body, of any media type.
  func bytes() async throws -> [UInt8] { try await bytes(maximum: maximum) }

  private func bytes(maximum: Int) async throws -> [UInt8] {
    var body: [UInt8] = []
    try await forEachPiece(maximum, timeout) { body += $0.readableBytesView }
    return body
  }

  /// Lines of a log, at most one longest line; unpacked.
  func lines() async throws -> [UInt8] {
    let maximum = HubRoute.maxLineBytes
    let body = try await bytes(maximum: maximum)
    switch request.headers[.contentEncoding]?.lowercased() {
    case nil, "identity": return body
    case "gzip", "x-gzip":
      guard let lines = Gzip.unpack(body, limit: maximum) else {
        throw HubProblem(400, "the body is not gzip of at most \(maximum) bytes")
      }
      return lines
    default: throw HubProblem(415, "the body must be plain or gzip")
    }
  }

  /// The body as a file. `name` is what the client calls it.
  func file(named name: String?) async throws -> ImportInput {
    let file = try StoredFile()
    try await forEachPiece(RequestBodyReader.maxFileBytes, timeout * 20) { piece in
      try await HubThreads.storing.run { try file.append(piece) }
    }
    return file.input(named: name)
  }

  static func tooLarge(_ maximum: Int) -> HubProblem { HubProblem(413, "the body is larger than \(maximum) bytes") }

  func forEachPiece(_ maximum: Int, _ timeout: Duration, _ body: (ByteBuffer) async throws -> Void) async throws {
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maximum {
      throw RequestBodyReader.tooLarge(maximum)
    }
    let deadline = ContinuousClock.now + timeout
    var count = 0
    do {
      // A client that sends nothing at all is closed by the server's idle timeout.
      for try await piece in request.body {
        count += piece.readableBytes
        guard count <= maximum else { throw RequestBodyReader.tooLarge(maximum) }
        guard ContinuousClock.now < deadline else { throw HubProblem(408, "the body came too slowly") }
        try await body(piece)
      }
    } catch let problem as HubProblem {
      throw problem
    } catch {
      throw HubProblem(400, "the body is malformed or incomplete")
    }
  }
}

extension Request {
  /// Whether the headers announce a body.
  var hasBody: Bool {
    headers[.transferEncoding] != nil || headers[.contentLength].map { $0 != "0" } ?? false
  }
}
