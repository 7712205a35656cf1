import Core
import EventLog
import Glibc

/// A folder that is removed when the test ends.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/metube-rss-test-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? ""
    precondition(!path.isEmpty, "no temporary folder")
  }

  deinit { remove(path) }

  var folders: Folders { Folders(data: path, state: path + "/state", cache: path + "/cache") }

  /// The bytes of a file in it; nil if missing.
  func read(_ name: String) -> [UInt8]? {
    guard let file = fopen(path + "/" + name, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
  }

  /// Writes a file in it, creating parent folders.
  func write(_ bytes: [UInt8], to name: String) {
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/" + part
      mkdir(folder, 0o700)
    }
    guard let file = fopen(path + "/" + name, "w") else { preconditionFailure("cannot write \(name)") }
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    chmod(path + "/" + name, 0o600)
  }

  /// The names in a subfolder, sorted.
  func names(in folder: String) -> [String] {
    guard let stream = opendir(path + "/" + folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private func remove(_ path: String) {
    if Glibc.remove(path) == 0 { return }
    let inside = path.dropFirst(self.path.count + 1)
    for name in names(in: String(inside)) { remove(path + "/" + name) }
    _ = Glibc.remove(path)
  }
}
