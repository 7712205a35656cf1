import Core
import EventLog
import Glibc
import Platform

/// The folders of removed users of a data folder, `removed/NAME-TIME`. With a database see `Accounts.removed`.
extension HubFiles {
  /// What the folder of a user is called if the user is removed now; nil without a folder.
  package func nameOfRemoved(user: String) -> String? {
    guard case .data(let folder) = self, File.exists(userFolder(user, in: folder)) else { return nil }
    return "\(user)-\(Clock.now().rfc3339.filter { $0 != "-" && $0 != ":" })"
  }

  /// What the folder of a removed user is called that a path leads to; nil for any other folder.
  package func nameOfRemoved(at path: String) -> String? {
    guard case .data(let folder) = self else { return nil }
    let (absolute, parent) = (File.absolute(path), File.absolute("\(folder)/removed"))
    return removed.first { "\(parent)/\($0)" == absolute }
  }

  /// Moves the folder of a user who was removed out of the way, to this name; returns where it is now, nil if there was
  /// none.
  package func removeUser(_ user: String, as name: String) throws -> String? {
    guard case .data(let folder) = self else { return nil }
    let path = userFolder(user, in: folder)
    guard File.exists(path) else { return nil }
    let kept = "\(folder)/removed/\(name)"
    mkdir("\(folder)/removed", 0o700)
    try HubFiles.move(path, to: kept)
    return kept
  }

  /// The names of the folders, sorted: `ann-20261123T045532Z`.
  package var removed: [String] {
    guard case .data(let folder) = self else { return [] }
    return File.names(in: "\(folder)/removed").filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Deletes the folder with one of these names; returns false without it. If it is interrupted, the next call deletes
  /// the rest.
  package func erase(_ name: String) throws -> Bool {
    guard case .data(let folder) = self, removed.contains(name) else { return false }
    let path = "\(folder)/removed/\(name)"
    // Of a link, only the link.
    if unlink(path) != 0 { Directory.removeAll(path) }
    guard !File.exists(path) else { throw HubFiles.failure(path, "cannot be deleted") }
    return true
  }
}
