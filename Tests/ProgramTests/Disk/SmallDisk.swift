import Glibc
import TestSupport
import Testing

/// A small in-memory file system (tmpfs), unmounted when the test ends.
final class SmallDisk {
  let path: String
  private let mounter: Program

  /// Whether this user can mount: only root, and not in every container.
  static let isPossible: Bool = {
    guard geteuid() == 0, let disk = try? SmallDisk(at: TemporaryFolder(), kibibytes: 64) else { return false }
    return access(disk.path, W_OK) == 0
  }()

  /// Mounts one of this size in a folder.
  init(at folder: TemporaryFolder, kibibytes: Int) throws {
    path = folder.path + "/disk"
    mounter = Program(path: "/bin/mount", environment: ["PATH": "/usr/bin:/bin"])
    mkdir(path, 0o700)
    let outcome = try mounter.run(["-t", "tmpfs", "-o", "size=\(kibibytes)k,mode=0700", "none", path])
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  deinit { _ = try? Program(path: "/bin/umount", environment: mounter.environment).run(["-l", path]) }

  /// Remounts it, read-only or not.
  func remount(readOnly: Bool) throws {
    let outcome = try mounter.run(["-o", "remount,\(readOnly ? "ro" : "rw")", path])
    try #require(outcome.status == 0, "\(outcome.errors)")
  }

  /// Fills it except for `room` bytes.
  func fill(leaving room: Int) throws {
    let file = open(path + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    let page = [UInt8](repeating: 0, count: 4096)
    var size = 0
    while case let count = write(file, page, page.count), count > 0 { size += count }
    // tmpfs allocates in pages.
    ftruncate(file, off_t(max(0, size - room)))
  }

  /// Removes the filler.
  func clear() { unlink(path + "/filler") }
}
