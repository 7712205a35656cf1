import CCrypt
import Glibc

/// The file of a `SecretKey`: 64 hexadecimal digits and a newline, which only its owner may read. No backup of the hub has
/// it, so that a backup alone reveals nothing.
package struct SecretKeyFile: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// Why there is no key.
  package enum Failure: Error, Equatable {
    case missing
    case unreadable(errno: Int32)
    case unwritable(errno: Int32)
    /// Others may read it, by its mode.
    case exposed(mode: UInt32)
    case malformed
  }

  /// The key. Throws `missing` if there is no file.
  package func read() throws(Failure) -> SecretKey {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .unreadable(errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .malformed }
    guard status.st_mode & 0o077 == 0 else { throw .exposed(mode: status.st_mode & 0o777) }
    var bytes = [UInt8](repeating: 0, count: SecretKeyFile.maxBytes)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw .unreadable(errno: errno) }
    guard let key = SecretKeyFile.key(bytes.prefix(count)) else { throw .malformed }
    return key
  }

  private static let maxBytes = 256

  private static func key(_ text: ArraySlice<UInt8>) -> SecretKey? {
    let digits = text.reversed().drop { $0 == 10 || $0 == 13 }.reversed().map {
      Character(UnicodeScalar($0)).hexDigitValue
    }
    guard digits.count == 2 * SecretKey.length, !digits.contains(nil) else { return nil }
    let values = digits.compactMap(\.self)
    return SecretKey(stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] * 16 + values[$0 + 1]) })
  }

  /// The key; makes the file if it is missing. Of two processes that do so at once, both get the same key: a complete file
  /// is linked to the path, which fails if there is one.
  package func readOrMake() throws(Failure) -> SecretKey {
    do { return try read() } catch { guard error == .missing else { throw error } }
    var generator = SystemRandomNumberGenerator()
    let digits = (0..<SecretKey.length).map { _ -> String in
      let byte = UInt8.random(in: .min ... .max, using: &generator)
      return (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    let temporary = "\(path).\(getpid()).tmp"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .unwritable(errno: errno) }
    defer { unlink(temporary) }
    let text = Array((digits.joined() + "\n").utf8)
    let isWritten = write(descriptor, text, text.count) == text.count && fsync(descriptor) == 0
    let problem = errno
    close(descriptor)
    guard isWritten else { throw .unwritable(errno: problem) }
    if link(temporary, path) != 0, errno != EEXIST { throw .unwritable(errno: errno) }
    return try read()
  }
}
