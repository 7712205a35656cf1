import Glibc

/// A disposable database in the cache folder, under a link to the file of the last build, so that a process that still
/// has an older build open never shares a rollback journal with a newer one.
package struct CacheFile {
  package let folder: String
  /// What the names of all versions begin with.
  package let prefix: String
  /// Part of the name: a database of another version is never opened.
  package let version: Int
  package let applicationID: Int64

  package init(folder: String, prefix: String, version: Int, applicationID: Int64) {
    (self.folder, self.prefix, self.version, self.applicationID) = (folder, prefix, version, applicationID)
  }

  package var linkName: String { "\(prefix)\(version).db" }
  private var link: String { folder + "/" + linkName }

  /// The name of the file that the link stands for.
  package var target: String? {
    var bytes = [CChar](repeating: 0, count: 256)
    let count = readlink(link, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Opens it; nil if missing or of another version.
  package func open() throws(DatabaseError) -> (database: Database, isWritable: Bool)? {
    guard access(link, R_OK) == 0 else { return nil }
    let isWritable = access(link, W_OK) == 0 && access(folder, W_OK) == 0
    let database = try Database(link, isWritable ? .readWrite : .readOnly)
    try database.execute(
      .sqlite(
        """
        PRAGMA cell_size_check = 1; PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL; PRAGMA cache_size = -8192
        """))
    let id = try database.integer(.sqlite("PRAGMA application_id"))
    let known = try database.integer(.sqlite("PRAGMA user_version"))
    return id == applicationID && known == Int64(version) ? (database, isWritable) : nil
  }

  /// A new file that only this process knows, and its name; nil if there can be none. What a crash leaves of it is never
  /// read.
  package func make() -> (database: Database, name: String)? {
    let name = "\(prefix)\(version)-\(String(UInt32.random(in: .min ... .max), radix: 16)).db"
    let descriptor = Glibc.open(folder + "/" + name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    close(descriptor)
    return (try? Database(folder + "/" + name, .readWrite)).map { ($0, name) }
  }

  /// Says in a new database what it is, and has it written without regard to crashes.
  package func begin(_ database: Database) throws(DatabaseError) {
    try database.execute(
      .sqlite(
        """
        PRAGMA application_id = \(number: applicationID); PRAGMA user_version = \(number: version);
        PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
        """))
  }

  /// Removes a file that was made.
  package func remove(_ name: String) { unlink(folder + "/" + name) }

  /// Puts a file that was made under the link, once it is on the disk: what stands there is whole. Removes those of
  /// earlier builds, of any version. If it fails, removes the file and returns false.
  package func publish(_ name: String) -> Bool {
    let (path, temporary) = (folder + "/" + name, folder + "/" + name + ".link")
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    let isSynchronized = descriptor >= 0 && fdatasync(descriptor) == 0
    if descriptor >= 0 { close(descriptor) }
    guard isSynchronized, symlink(name, temporary) == 0, rename(temporary, link) == 0 else {
      remove(name)
      return false
    }
    removeOlder(than: name)
    return true
  }

  private func removeOlder(than name: String) {
    guard let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let other = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if other.hasPrefix(prefix), other != linkName, !other.hasPrefix(name) { remove(other) }
    }
  }
}
