import Glibc

/// A file that replaces another one atomically: written beside it, synced, renamed, and the folder synced. The other
/// stays as it is until `commit`.
package final class Replacement {
  private let path: String
  let file: File
  private var isCommitted = false

  /// Begins the replacement of `path` under a temporary name that nobody else uses meanwhile; `mode` as for chmod.
  package init(of path: String, as temporary: String, mode: UInt32) throws(LogError) {
    self.path = path
    file = try File(temporary, .replace, mode: mode)
    try file.truncate(to: 0)
  }

  /// For whoever writes the content.
  package var descriptor: Int32 { file.descriptor }

  /// Puts the file into place.
  package func commit() throws(LogError) {
    try file.synchronize()
    try Directory.rename(file.path, to: path)
    isCommitted = true
  }

  deinit { if !isCommitted { unlink(file.path) } }
}
