import ArgumentParser
import Glibc
import HubCore
import HubStore
import Platform

/// `backup`: one file with everything that cannot be built anew.
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Write a backup, also while the hub runs: the logs, the settings and the users.",
    discussion: """
      The file is a tar archive in the layout of --home or --data. To restore it,
      unpack it into an empty folder and start the hub with that folder.

      Examples:
        metube-hub backup hub.tar
        mkdir restored && tar -xf hub.tar -C restored
      """)
  @OptionGroup var hub: HubOptions
  @Argument(help: "The file; it is replaced only when the backup is complete.") var file: String

  func run() throws {
    guard let hubFiles = try hub.location.files else {
      throw Failure(.usage, "back up a database with pg_dump or continuous archiving; see docs/many.md")
    }
    let folder = try BackupCommand.privateFolder(beside: file)
    let (copy, users) = (folder + "/copy.db", folder + "/users.db")
    defer {
      unlink(copy)
      unlink(users)
      rmdir(folder)
    }
    // First: a user's folder is made before the account, so none of these is without one below.
    let hasUsers = Accounts.exist(in: try hubFiles.accounts)
    if hasUsers { try hub.accounts().copy(to: users) }
    let (files, numbers) = try hubFiles.contents()
    let archive = try TarFile(file)
    do {
      for (name, path) in files { try archive.add(name, from: path) }
      for (name, folder) in numbers {
        try HubFiles.copyNumbers(in: folder, to: copy)
        try archive.add(name, from: copy)
        unlink(copy)
      }
      if hasUsers { try archive.add(hubFiles.isShared ? "hub.db" : "state/hub.db", from: users) }
      try archive.finish()
    } catch {
      archive.discard()
      throw error
    }
    print("\(file): \(archive.count) files")
  }

  /// A new folder that only this user may read.
  private static func privateFolder(beside file: String) throws -> String {
    var template = Array("\(file).XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(.disk, "\(file): a folder beside it cannot be created: \(String(cString: strerror(errno)))")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Writes a tar archive (POSIX.1-1988, ustar) beside its final name.
private final class TarFile {
  private let path: String
  private let temporary: String
  private let descriptor: Int32
  /// The files in it.
  private(set) var count = 0

  init(_ path: String) throws {
    (self.path, temporary) = (path, path + ".tmp")
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TarFile.failure(temporary, "cannot be created") }
  }

  deinit { close(descriptor) }

  /// Adds a file as long as it is now; a log may grow meanwhile.
  func add(_ name: String, from source: String) throws {
    let input = open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw TarFile.failure(source, "cannot be opened") }
    defer { close(input) }
    var status = stat()
    guard fstat(input, &status) == 0 else { throw TarFile.failure(source, "cannot be read") }
    guard let header = TarFile.header(name, size: Int(status.st_size), modified: status.st_mtim.tv_sec) else {
      throw Failure(.disk, "\(source): its name is too long for the archive")
    }
    try write(header)
    var left = Int(status.st_size)
    while left > 0 {
      var piece = [UInt8](repeating: 0, count: min(left, 1 << 20))
      let got = read(input, &piece, piece.count)
      if got < 0, errno == EINTR { continue }
      guard got > 0 else { throw TarFile.failure(source, "became shorter while it was read") }
      try write(Array(piece[..<got]))
      left -= got
    }
    try write([UInt8](repeating: 0, count: (512 - Int(status.st_size) % 512) % 512))
    count += 1
  }

  func finish() throws {
    try write([UInt8](repeating: 0, count: 1024))
    guard fsync(descriptor) == 0, rename(temporary, path) == 0 else { throw TarFile.failure(path, "cannot be written") }
  }

  func discard() { unlink(temporary) }

  private func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0, errno == EINTR { continue }
      guard written > 0 else { throw TarFile.failure(temporary, "cannot be written") }
      rest = rest.dropFirst(written)
    }
  }

  /// The header of a file; nil if its name does not fit into the 100 bytes for it and the 155 for folders before it.
  private static func header(_ path: String, size: Int, modified: Int) -> [UInt8]? {
    var (folder, name) = (""[...], path[...])
    while name.utf8.count > 100 {
      guard let slash = name.firstIndex(of: "/") else { return nil }
      folder = folder.isEmpty ? name[..<slash] : folder + "/" + name[..<slash]
      name = name[slash...].dropFirst()
    }
    guard folder.utf8.count <= 155 else { return nil }
    func octal(_ number: Int, _ digits: Int) -> String {
      let text = String(number, radix: 8)
      return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, at offset: Int) {
      for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte }
    }
    put(String(name), at: 0)
    put(String(folder), at: 345)
    put("0000600", at: 100)
    put("0000000", at: 108)
    put("0000000", at: 116)
    put(octal(size, 11), at: 124)
    put(octal(modified, 11), at: 136)
    put("        ", at: 148)
    put("0", at: 156)
    put("ustar", at: 257)
    put("00", at: 263)
    put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0 ", at: 148)
    return header
  }

  private static func failure(_ path: String, _ what: String) -> Failure {
    Failure(.disk, "\(path): \(what): \(String(cString: strerror(errno)))")
  }
}
