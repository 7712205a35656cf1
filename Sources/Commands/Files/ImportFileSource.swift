import Glibc
import Importers

/// A file to import: a regular file, standard input or a pipe. Keeps it open for its own lifetime.
///
/// Input that does not support random access, such as a pipe, is first copied to an unlinked temporary file, so memory
/// use does not grow with the length of a history.
final class ImportFileSource {
  /// The progress of reading.
  private(set) var progress: ImportProgress
  private let descriptor: Int32
  private let beginning: off_t
  private let count: Int

  init(_ path: String) throws {
    progress = ImportProgress(path)
    if path == "-" { try StandardStreams.requireInput() }
    let opened = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw ImportFileSource.failure(path, "cannot be opened") }
    var status = stat()
    if fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
      descriptor = opened
      beginning = max(0, lseek(opened, 0, SEEK_CUR))
      count = max(0, Int(status.st_size) - Int(beginning))
    } else {
      defer { close(opened) }
      (descriptor, count) = try ImportFileSource.spool(opened, path)
      beginning = 0
    }
  }

  deinit { close(descriptor) }

  /// The file's bytes.
  var source: ImportSource {
    ImportSource(count: count) { [self] (offset, length) throws(ImportError) in
      progress.show("reading", done: offset, of: count)
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

  /// Copies the whole input to an unlinked file in the folder for temporary files (`TMPDIR`, else `/tmp`).
  private static func spool(_ input: Int32, _ path: String) throws -> (descriptor: Int32, count: Int) {
    let folder = Environment.variables()["TMPDIR"] ?? "/tmp"
    var name = Array("\(folder)/metube-rss-XXXXXX".utf8CString)
    let copy = mkstemp(&name)
    guard copy >= 0 else { throw failure(folder, "cannot create a temporary file there for \(path)") }
    unlink(name)
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    var count = 0
    while true {
      let got = read(input, &piece, piece.count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw closing(copy, failure(path, "cannot be read")) }
      if got == 0 { return (copy, count) }
      guard write(copy, piece, got) == got else {
        throw closing(copy, failure(folder, "cannot copy \(path) there"))
      }
      count += got
      guard count <= limit else {
        throw closing(copy, Failure(.invalidInput, "\(path): larger than \(limit) bytes; not imported"))
      }
    }
  }

  /// The most bytes that are copied: 2 GiB.
  private static let limit = 2 << 30

  private static func closing(_ descriptor: Int32, _ failure: Failure) -> Failure {
    close(descriptor)
    return failure
  }

  private static func failure(_ path: String, _ what: String) -> Failure {
    let problem = errno
    let status: ExitStatus = problem == ENOENT || problem == EISDIR ? .invalidInput : .disk
    return Failure(status, "\(path): \(what): \(String(cString: strerror(problem)))")
  }
}
