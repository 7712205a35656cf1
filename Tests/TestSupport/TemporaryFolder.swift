import EventLog
import Glibc

/// A folder that is removed when the test ends.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() {
    var template = Array("/tmp/metube-rss-test-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? ""
    precondition(!path.isEmpty, "no temporary folder")
  }

  deinit {
    // Tests of folders that cannot be written leave it so.
    chmod(path, 0o700)
    TemporaryFolder.remove(path)
  }

  /// The folders of a home in it: the logs directly, state and cache in subfolders.
  package var folders: Folders { Folders(data: path, state: path + "/state", cache: path + "/cache") }

  /// The bytes of a file in it; nil if missing.
  package func read(_ name: String) -> [UInt8]? { PackageFiles.read(path + "/" + name) }

  /// Writes a file in it, creating parent folders, and returns its path.
  @discardableResult
  package func write(_ bytes: some Sequence<UInt8>, to name: String) -> String {
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder += "/" + part
      mkdir(folder, 0o700)
    }
    let bytes = Array(bytes)
    guard let file = fopen(path + "/" + name, "w"), fwrite(bytes, 1, bytes.count, file) == bytes.count else {
      preconditionFailure("cannot write \(name)")
    }
    fclose(file)
    chmod(path + "/" + name, 0o600)
    return path + "/" + name
  }

  /// The names in it, or in a subfolder, sorted.
  package func names(in folder: String = ".") -> [String] { TemporaryFolder.names(in: path + "/" + folder) }

  /// When a file in it was last written, to the nanosecond.
  package func modified(_ name: String) -> [Int] {
    var status = stat()
    guard stat(path + "/" + name, &status) == 0 else { return [] }
    return [status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
  }

  /// The names in any folder, sorted.
  package static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func remove(_ path: String) {
    if Glibc.remove(path) == 0 { return }
    for name in names(in: path) { remove(path + "/" + name) }
    _ = Glibc.remove(path)
  }
}
