import Core
import Glibc
import Importers
import Platform

/// What to import, and the name that reports give it.
package struct ImportInput: Sendable {
  let name: String
  /// The content; nil if it is to be opened by its name.
  let scratch: ScratchFile?

  /// A file by its path; `-` is standard input.
  package init(path: String) { (name, scratch) = (path, nil) }

  /// A file that a client sent, with the name that it gave it. Only what a title may have is taken of the name.
  package init(named given: String?, _ scratch: ScratchFile) {
    var name = (given ?? "").filter { $0.isLetter || $0.isNumber || " .-_".contains($0) }.drop { $0 == "." }
    while name.utf8.count > ImportInput.longestName { name.removeLast() }
    (self.name, self.scratch) = (name.isEmpty ? "Imported" : String(name), scratch)
  }

  /// Whether it is the Google account, unless a file has that name.
  var isGoogleAccount: Bool { scratch == nil && name == ImportInput.accountName && !File.exists(name) }

  /// What names the Google account.
  private static let accountName = "google"

  /// The maximum length of a client's name, bytes.
  private static let longestName = 200
}

/// A file to import: a regular file, standard input or a pipe. Keeps it open for its own lifetime.
///
/// Input that does not support random access, such as a pipe, is first copied to an unlinked temporary file, so memory
/// use does not grow with the length of a history.
final class ImportFileSource {
  /// The progress of reading.
  private(set) var progress = ProgressLine(delay: 500)
  private let path: String
  private let descriptor: Int32
  private let beginning: off_t
  private let count: Int
  /// The temporary file that `descriptor` belongs to; nil if the file itself is read.
  private let copy: ScratchFile?

  init(_ input: ImportInput) throws {
    path = input.name
    if let scratch = input.scratch {
      (copy, descriptor, beginning) = (scratch, scratch.descriptor, 0)
      count = Int(lseek(scratch.descriptor, 0, SEEK_END))
      return
    }
    let opened = try File.open(path)
    var status = stat()
    if fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      (descriptor, copy) = (opened, nil)
      beginning = max(0, lseek(opened, 0, SEEK_CUR))
      count = max(0, Int(status.st_size) - Int(beginning))
      return
    }
    defer { close(opened) }
    guard let copy = ScratchFile(holding: []) else {
      throw File.failure(ScratchFile.folder, "cannot create a temporary file there for \(path)")
    }
    try File.forEachChunk(of: opened, path, limit: ImportFileSource.limit) { chunk in
      var output = Output(to: copy.descriptor)
      output.write(chunk)
      errno = output.end()
      guard errno == 0 else { throw File.failure(ScratchFile.folder, "cannot copy \(input.name) there") }
    }
    (self.copy, descriptor, beginning) = (copy, copy.descriptor, 0)
    count = Int(lseek(descriptor, 0, SEEK_END))
  }

  deinit { if copy == nil { close(descriptor) } }

  /// The maximum number of bytes that are copied: 2 GiB.
  private static let limit = 2 << 30

  /// The file's bytes.
  var source: ImportSource {
    ImportSource(count: count) { [self] (offset, length) throws(ImportError) in
      progress.show("\(DisplayText(path).text): reading, \(offset * 100 / max(1, count)) %")
      var problem: Int32?
      let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
        while filled < length, problem == nil {
          let got = pread(
            descriptor, buffer.baseAddress.map { $0 + filled }, length - filled, beginning + off_t(offset + filled))
          if got < 0, errno == EINTR { continue }
          if got <= 0 { problem = got < 0 ? errno : 0 }
          filled += max(0, got)
        }
      }
      if let problem { throw .unreadable(errno: problem) }
      return bytes
    }
  }
}
