import App
import HubCore
import HubHTTP
import NIOCore
import Platform

/// The fields of a form and its file, which is stored while it arrives.
///
/// `@unchecked`: pieces are taken one after the other.
final class FormUpload: @unchecked Sendable {
  private var splitter: MultipartSplitter
  private var target = Target.nothing
  private var fields: [(name: String, value: [UInt8])] = []
  private var fieldBytes = 0
  private var file: ImportInput?

  /// What becomes of the content of the present part.
  private enum Target {
    /// The last one of `fields`.
    case field
    /// The file, which is made when its first byte comes: without one, no file was chosen.
    case file(named: String)
    case stored(StoredFile)
    case nothing
  }

  init(boundary: String) { splitter = MultipartSplitter(boundary: boundary) }

  /// Takes the next piece of the body. Throws a `HubProblem`.
  func take(_ piece: ByteBuffer) throws {
    do {
      for event in try splitter.take(piece) {
        switch event {
        case .part(let part): begin(part)
        case .content(let content): try add(content)
        }
      }
    } catch is MultipartSplitter.Malformed { throw HubProblem(400, "malformed form") }
  }

  private func begin(_ part: FormPart) {
    if let name = part.file {
      // Only one is imported.
      target = file == nil ? .file(named: name) : .nothing
    } else {
      fields.append((part.name, []))
      target = .field
    }
  }

  private func add(_ content: ByteBuffer) throws {
    switch target {
    case .field:
      fieldBytes += content.readableBytes
      guard fieldBytes <= RequestBodyReader.maxBytes else {
        throw RequestBodyReader.tooLarge(RequestBodyReader.maxBytes)
      }
      fields[fields.count - 1].value += content.readableBytesView
    case .file(let name):
      let stored = try StoredFile()
      try stored.append(content)
      (target, file) = (.stored(stored), stored.input(named: name))
    case .stored(let stored): try stored.append(content)
    case .nothing: break
    }
  }

  /// The file, nil if none was chosen, and the fields, once all has come. Throws a `HubProblem` if the form is incomplete.
  func finish() throws -> (file: ImportInput?, fields: [(name: String, value: String)]) {
    guard splitter.isComplete else { throw HubProblem(400, "malformed form") }
    return (file, fields.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) })
  }
}

/// A file that a client sends.
struct StoredFile {
  private let scratch: ScratchFile

  init() throws {
    guard let scratch = ScratchFile(holding: []) else { throw StoredFile.noRoom }
    self.scratch = scratch
  }

  func append(_ piece: ByteBuffer) throws {
    guard piece.withUnsafeReadableBytes({ scratch.append($0) }) == 0 else { throw StoredFile.noRoom }
  }

  /// The file for the import.
  func input(named name: String?) -> ImportInput { ImportInput(named: name, scratch) }

  private static let noRoom = HubProblem(503, "the hub has no room for the file; try again", retryAfter: 60)
}
