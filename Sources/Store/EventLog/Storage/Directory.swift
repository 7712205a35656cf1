import Glibc

/// Operations on folders and the names in them.
package enum Directory {
  /// Removes a temporary folder with everything in it; what cannot be removed stays.
  package static func removeAll(_ path: String) {
    for name in (try? names(in: path)) ?? [] where name != "." && name != ".." {
      // What unlink(2) says of a folder on Linux.
      if unlink("\(path)/\(name)") != 0, errno == EISDIR { removeAll("\(path)/\(name)") }
    }
    rmdir(path)
  }

  /// Creates a folder and its missing parents with mode 0700, and syncs their names to disk.
  static func make(_ path: String) throws(LogError) {
    if access(path, F_OK) == 0 { return }
    let parent = parent(of: path)
    if parent != path { try make(parent) }
    if mkdir(path, 0o700) != 0 {
      if errno == EEXIST { return }
      throw .failed(.mkdir, path: path, errno: errno)
    }
    try synchronize(parent)
  }

  /// Syncs the names in a folder to disk.
  static func synchronize(_ path: String) throws(LogError) {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .failed(.open, path: path, errno: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .failed(.fsync, path: path, errno: errno) }
  }

  /// The names in a folder, sorted; empty if the folder is missing.
  package static func names(in path: String) throws(LogError) -> [String] {
    guard let stream = opendir(path) else {
      if errno == ENOENT { return [] }
      throw .failed(.readdir, path: path, errno: errno)
    }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        })
    }
    if errno != 0 { throw .failed(.readdir, path: path, errno: errno) }
    return names.sorted()
  }

  /// Renames a file within a file system, replacing any existing file, and syncs the new name to disk.
  static func rename(_ old: String, to new: String) throws(LogError) {
    guard Glibc.rename(old, new) == 0 else { throw .failed(.rename, path: new, errno: errno) }
    try synchronize(parent(of: new))
  }

  /// Creates a hard link, and syncs its name to disk.
  static func link(_ path: String, as other: String) throws(LogError) {
    guard Glibc.link(path, other) == 0 else { throw .failed(.link, path: other, errno: errno) }
    try synchronize(parent(of: other))
  }

  /// Deletes a file; a missing one is not an error.
  static func remove(_ path: String) throws(LogError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw .failed(.unlink, path: path, errno: errno) }
  }

  /// `NAME` and `ending`, or the first unused path of `NAME-2`, `NAME-3` … and `ending`.
  static func unusedPath(_ name: String, _ ending: String) throws(LogError) -> String {
    var path = name + ending
    var number = 1
    while try FileStatus.of(path) != nil {
      number += 1
      path = "\(name)-\(number)\(ending)"
    }
    return path
  }

  /// The folder that contains a path.
  static func parent(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The last component of a path.
  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }
}

/// The folders for the log, for state of this machine, and for caches.
package struct Folders: Equatable, Sendable {
  /// `$XDG_DATA_HOME/metube-rss`, or the folder given with `--home`.
  package var data: String
  /// `$XDG_STATE_HOME/metube-rss`, or `state` in that folder.
  package var state: String
  /// `$XDG_CACHE_HOME/metube-rss`, or `cache` in that folder.
  package var cache: String
  /// The log folder of a catalogue, which is read too and never written; nil if absent. See `CatalogueView`.
  package var catalogue: String?

  package init(data: String, state: String, cache: String) {
    (self.data, self.state, self.cache) = (data, state, cache)
  }

  /// The folder of every device's log: the only one to synchronise.
  package var log: String { data + "/log" }
  /// Copies of files made before they were rewritten.
  package var backups: String { data + "/backups" }
  /// Held while writing one batch.
  package var writerLock: String { state + "/log.lock" }
  /// The file with this device's ID.
  package var deviceFile: String { state + "/device" }
  /// The file with what is known of the logs; see `Extent`.
  var extentFile: String { state + "/extent" }

  /// The prefix of the names of the catalogue's logs.
  static let cataloguePrefix = "catalogue/"

  /// The path of a log by its name: `k3v9x2ap.jsonl`, or `catalogue/k3v9x2ap.jsonl`.
  func path(of name: String) -> String {
    guard let catalogue, name.hasPrefix(Folders.cataloguePrefix) else { return log + "/" + name }
    return catalogue + "/" + name.dropFirst(Folders.cataloguePrefix.count)
  }

  /// The names of all logs, sorted; those of the catalogue come last.
  func logNames() throws(LogError) -> [String] {
    let own = try Directory.names(in: log).filter { $0.hasSuffix(".jsonl") }
    guard let catalogue else { return own }
    let shared = try Directory.names(in: catalogue).filter { $0.hasSuffix(".jsonl") }
    return own + shared.map { Folders.cataloguePrefix + $0 }
  }
}
