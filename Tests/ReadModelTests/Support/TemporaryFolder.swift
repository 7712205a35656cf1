import Glibc

/// A folder that is removed when the test ends.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/metube-rss-test-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? ""
    precondition(!path.isEmpty, "no temporary folder")
  }

  deinit {
    chmod(path, 0o700)
    for name in names { remove(path + "/" + name) }
    remove(path)
  }

  /// The bytes of a file in it; empty if absent.
  func read(_ name: String) -> [UInt8] {
    guard let file = fopen(path + "/" + name, "r") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
  }

  /// Writes a file in it.
  func write(_ bytes: [UInt8], to name: String) {
    guard let file = fopen(path + "/" + name, "w") else { preconditionFailure("cannot write \(name)") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
  }

  /// The names in it, sorted.
  var names: [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
