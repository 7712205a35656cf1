import App
import Core
import HTTPTypes
import HubCore
import HubHTTP
import HubLimits
import Hummingbird
import NIOCore

extension RequestBodyReader {
  /// The fields of an `application/x-www-form-urlencoded` body.
  func form() async throws -> [(name: String, value: String)] {
    guard mediaType == "application/x-www-form-urlencoded" else {
      // A form without fields has no body and may have no type.
      if request.headers[.contentLength] ?? "0" == "0" { return [] }
      throw HubProblem(415, "the body must be a form")
    }
    guard
      let fields = RequestTarget.fields(
        of: String(decoding: try await bytes(), as: UTF8.self), takesLines: true)
    else {
      throw HubProblem(400, "malformed form")
    }
    return fields
  }

  /// The fields of a `multipart/form-data` body, and its file; nil if none was chosen.
  func upload() async throws -> (file: ImportInput?, fields: [(name: String, value: String)]) {
    guard mediaType == "multipart/form-data", let boundary else { throw HubProblem(415, "the body must be a form") }
    let upload = FormUpload(boundary: boundary)
    try await forEachPiece(RequestBodyReader.maxFileBytes, timeout * 20) { piece in
      try await HubThreads.storing.run { try upload.take(piece) }
    }
    return try upload.finish()
  }

  private var mediaType: String? {
    request.headers[.contentType]?.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
  }

  private var boundary: String? { MultipartSplitter.boundary(of: request.headers[.contentType] ?? "") }
}
