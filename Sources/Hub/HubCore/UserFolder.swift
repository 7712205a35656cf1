import EventLog
import Glibc
import Platform

/// The folder of a user of a data folder, which keeps its name as long as this exists. Polls hold it while they append to
/// the user's log; who renames or removes the user holds it alone.
///
/// `flock` on the folder itself: the lock moves with it, and ends with the process.
final class UserFolder {
  private let descriptor: Int32

  /// Holds the folder together with others; nil if it is gone, or is about to get another name. Throws if it cannot be
  /// opened.
  init?(shared path: String) throws {
    guard let descriptor = try UserFolder.locked(path, LOCK_SH, waiting: 0) else { return nil }
    self.descriptor = descriptor
  }

  /// Holds the folder alone, waiting for others up to this many milliseconds; nil if they keep it. Throws if it cannot be
  /// opened.
  init?(alone path: String, waiting milliseconds: Int) throws {
    guard let descriptor = try UserFolder.locked(path, LOCK_EX, waiting: milliseconds) else { return nil }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// A descriptor of the folder with a lock; nil if it is gone, or locked by others.
  private static func locked(_ path: String, _ kind: Int32, waiting milliseconds: Int) throws -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw HubFiles.failure(path, "cannot be opened")
    }
    let end = MonotonicClock.milliseconds + milliseconds
    while flock(descriptor, kind | LOCK_NB) != 0 {
      guard MonotonicClock.milliseconds < end else {
        close(descriptor)
        return nil
      }
      usleep(5000)
    }
    var (own, named) = (stat(), stat())
    // Whoever held it before may have renamed it.
    guard fstat(descriptor, &own) == 0, stat(path, &named) == 0, own.st_ino == named.st_ino, own.st_dev == named.st_dev
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}

extension HubFiles {
  /// Calls `body` while the user keeps the name; returns nil if the user is gone, or is being renamed. The folder of such a
  /// user must not be made again.
  @discardableResult
  func whileNamed<Result>(_ user: String, _ body: () throws -> Result) throws -> Result? {
    guard case .data(let folder) = self else { return try body() }
    guard let held = try UserFolder(shared: userFolder(user, in: folder)) else { return nil }
    return try withExtendedLifetime(held, body)
  }

  /// The folder of a user of a data folder, held for as long as the result exists; nil as above.
  func held(_ user: String) throws -> UserFolder? {
    guard case .data(let folder) = self else { return nil }
    return try UserFolder(shared: userFolder(user, in: folder))
  }

  /// How long renaming or removing a user waits for a poll, in milliseconds.
  private static let longestWait = 15_000

  /// Calls `body` while nothing else uses the folder of a user; throws `inUse` if a poll keeps it. A folder that is absent
  /// is in nobody's use.
  func whileUnused<Result>(_ user: String, _ body: () throws -> Result) throws -> Result {
    guard case .data(let folder) = self, File.exists(userFolder(user, in: folder)) else { return try body() }
    guard let held = try UserFolder(alone: userFolder(user, in: folder), waiting: HubFiles.longestWait) else {
      throw HubUsers.Refusal.inUse
    }
    return try withExtendedLifetime(held, body)
  }
}
