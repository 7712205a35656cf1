import Commands
import Glibc
import Gzip
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads the body of a request, within limits of size and time.
struct RequestBodyReader {
  let request: Request
  static let mostBytes = 1 << 20
  static let mostFileBytes = 64 << 20
  /// A client that takes longer for a body is cut off; a file may take 20 times as long.
  let patience: Duration

  init(_ request: Request, patience: Duration) { (self.request, self.patience) = (request, patience) }

  /// Reads a body that nothing uses, so that the next request on the connection is found.
  func skip() async throws {
    if request.hasBody { try await forEachPiece(RequestBodyReader.mostBytes, patience) { _ in } }
  }

  /// The body of a JSON request.
  func json() async throws -> [UInt8] {
    let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased()
    guard type == "application/json" else { throw HubProblem(415, "the body must be application/json") }
    return try await bytes()
  }

  /// The body, of any media type.
  func bytes(most: Int = RequestBodyReader.mostBytes) async throws -> [UInt8] {
    var body: [UInt8] = []
    try await forEachPiece(most, patience) { body += $0.readableBytesView }
    return body
  }

  /// Lines of a log, at most one longest line; unpacked.
  func lines() async throws -> [UInt8] {
    let most = HubRoute.mostLineBytes
    let body = try await bytes(most: most)
    switch request.headers[.contentEncoding]?.lowercased() {
    case nil, "identity": return body
    case "gzip", "x-gzip":
      guard let lines = Gzip.unpack(body, limit: most) else {
        throw HubProblem(400, "the body is not gzip of at most \(most) bytes")
      }
      return lines
    default: throw HubProblem(415, "the body must be plain or gzip")
    }
  }

  /// The body as a temporary file, which the caller removes. `name` ends its path.
  func file(named name: String?) async throws -> TemporaryFile {
    let file = try TemporaryFile(name: name)
    do {
      try await forEachPiece(RequestBodyReader.mostFileBytes, patience * 20) { piece in
        try file.append(piece)
      }
      return file
    } catch {
      file.remove()
      throw error
    }
  }

  func forEachPiece(_ most: Int, _ patience: Duration, _ body: (ByteBuffer) throws -> Void) async throws {
    let tooLarge = HubProblem(413, "the body is larger than \(most) bytes")
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > most { throw tooLarge }
    let deadline = ContinuousClock.now + patience
    var count = 0
    do {
      // A client that sends nothing at all is closed by the server's idle timeout.
      for try await piece in request.body {
        count += piece.readableBytes
        guard count <= most else { throw tooLarge }
        guard ContinuousClock.now < deadline else { throw HubProblem(408, "the body came too slowly") }
        try body(piece)
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

/// A file in a temporary folder of its own.
struct TemporaryFile {
  let path: String
  private let folder: String
  private let descriptor: Int32

  /// The most bytes of a name; file systems take 255.
  private static let longestName = 200

  init(name: String?) throws {
    var template = Array("\(Program.temporaryFolder)/metube-hub-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw HubProblem(503, "no room for the file", retryAfter: 60) }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // Only what cannot leave the folder.
    var given = (name ?? "").filter { $0.isLetter || $0.isNumber || " .-_".contains($0) }.drop { $0 == "." }
    while given.utf8.count > TemporaryFile.longestName { given.removeLast() }
    path = folder + "/" + (given.isEmpty ? "Imported" : String(given))
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      rmdir(folder)
      throw HubProblem(503, "no room for the file", retryAfter: 60)
    }
  }

  func append(_ piece: ByteBuffer) throws {
    try piece.withUnsafeReadableBytes { bytes in
      var rest = bytes[...]
      while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
        let written = write(descriptor, base, rest.count)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { throw HubProblem(503, "no room for the file", retryAfter: 60) }
        rest = rest.dropFirst(written)
      }
    }
  }

  func remove() {
    close(descriptor)
    unlink(path)
    rmdir(folder)
  }
}
