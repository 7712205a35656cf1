import Commands
import Core
import HTTPTypes
import Hummingbird
import NIOCore

extension RequestBodyReader {
  /// The fields of an `application/x-www-form-urlencoded` body.
  func form(most: Int = RequestBodyReader.mostBytes) async throws -> [(name: String, value: String)] {
    guard mediaType == "application/x-www-form-urlencoded" else {
      // A form without fields has no body and may have no type.
      if request.headers[.contentLength] ?? "0" == "0" { return [] }
      throw HubProblem(415, "the body must be a form")
    }
    guard
      let fields = RequestTarget.fields(
        of: String(decoding: try await bytes(most: most), as: UTF8.self), takesLines: true)
    else {
      throw HubProblem(400, "malformed form")
    }
    return fields
  }

  /// The fields of a `multipart/form-data` body (RFC 7578), and its file, which the caller removes; nil if none was
  /// chosen.
  func upload() async throws -> (file: TemporaryFile?, fields: [(name: String, value: String)]) {
    guard mediaType == "multipart/form-data", let boundary else { throw HubProblem(415, "the body must be a form") }
    var body: [UInt8] = []
    try await forEachPiece(RequestBodyReader.mostFileBytes, patience * 20) {
      body += $0.readableBytesView
    }
    guard let parts = FormPart.parts(of: body, boundary: boundary) else { throw HubProblem(400, "malformed form") }
    let fields = parts.filter { $0.file == nil }.map { ($0.name, String(decoding: body[$0.content], as: UTF8.self)) }
    guard let part = parts.first(where: { $0.file != nil && !$0.content.isEmpty }) else { return (nil, fields) }
    let file = try TemporaryFile(name: part.file)
    do { try file.append(ByteBuffer(bytes: body[part.content])) } catch {
      file.remove()
      throw error
    }
    return (file, fields)
  }

  private var mediaType: String? {
    request.headers[.contentType]?.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
  }

  private var boundary: String? {
    for part in (request.headers[.contentType] ?? "").split(separator: ";").dropFirst() {
      let sides = part.split(separator: "=", maxSplits: 1).map { $0.drop { $0 == " " } }
      guard sides.count == 2, sides[0].lowercased() == "boundary" else { continue }
      let text = sides[1].filter { $0 != "\"" }
      return (1...70).contains(text.utf8.count) ? String(text) : nil
    }
    return nil
  }
}

/// A part of a form's body.
struct FormPart {
  var name: String
  /// The name of the file; nil if the part is a field.
  var file: String?
  /// Where its content is in the body.
  var content: Range<Int>

  /// The most parts of a form.
  private static let most = 50

  /// The parts of a body between lines `--boundary`; nil if it is malformed.
  static func parts(of body: [UInt8], boundary: String) -> [FormPart]? {
    let line = Array("--\(boundary)".utf8)
    guard body.starts(with: line) else { return nil }
    let separator = Array("\r\n".utf8) + line
    var parts: [FormPart] = []
    var start = line.count
    while !body[start...].starts(with: "--".utf8) {
      guard parts.count < most, body[start...].starts(with: "\r\n".utf8),
        let head = body[start...].firstRange(of: Array("\r\n\r\n".utf8)),
        let end = body[head.upperBound...].firstRange(of: separator),
        let part = FormPart(header: body[start..<head.lowerBound], content: head.upperBound..<end.lowerBound)
      else { return nil }
      parts.append(part)
      start = end.upperBound
    }
    return parts
  }

  /// Reads `Content-Disposition: form-data; name="file"; filename="subscriptions.csv"`.
  private init?(header: ArraySlice<UInt8>, content: Range<Int>) {
    let lines = String(decoding: header, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard let line = lines.first(where: { $0.lowercased().hasPrefix("content-disposition:") }),
      let name = FormPart.parameter("name", of: line)
    else { return nil }
    self.init(name: name, file: FormPart.parameter("filename", of: line), content: content)
  }

  private init(name: String, file: String?, content: Range<Int>) {
    (self.name, self.file, self.content) = (name, file, content)
  }

  /// A parameter in quotes, in which browsers write a quote as `%22`.
  private static func parameter(_ name: String, of line: Substring) -> String? {
    guard let start = line.firstRange(of: "; \(name)=\"")?.upperBound else { return nil }
    return String(line[start...].prefix { $0 != "\"" })
  }
}
