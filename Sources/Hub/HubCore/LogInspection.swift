import App
import Core
import EventLog
import Glibc
import Library
import Platform
import Synchronization

/// What is broken in the logs of a hub's folders.
///
/// A log that only grew is not read again by devices that know its beginning, and without requests it is not read at
/// all. So each file is read once when the hub starts and once a day, and when it changed other than by growing.
package final class LogInspection: Sendable {
  /// Damage, and the user whose log has it; nil for the catalogue and the log of a home.
  package struct Finding: Equatable, Sendable {
    package var user: String?
    package var damage: LogDamage
  }

  /// A file as it was when it was read.
  private struct Seen {
    var inode: UInt64
    var size: Int64
    var changed: timespec
    var read: Int64
    var damage: LogDamage?
  }

  /// The folders of the hub; nil with a database, where `HubDatabase.damage` reports damage.
  private let files: HubFiles?
  private let seen = Mutex<[String: Seen]>([:])
  private let found = Mutex<[Finding]>([])
  /// For how long a file that did not change is not read again, in seconds.
  private static let timeout: Int64 = 86_400

  package init(_ files: HubFiles?) { self.files = files }

  /// What was found last, by file.
  package var findings: [Finding] { found.withLock { $0 } }

  /// What was found last in the logs that a user reads.
  package func damage(of user: String?) -> [LogDamage] {
    findings.filter { $0.user == nil || $0.user == user }.map { finding in
      var damage = finding.damage
      damage.isOfCatalogue = user != nil && finding.user == nil
      return damage
    }
  }

  /// Looks at all files, and reads those that have to be; returns what was not known before.
  @discardableResult
  package func look() throws -> [Finding] {
    guard let files else { return [] }
    var found: [Finding] = []
    var paths: Set<String> = []
    var folders: [(user: String?, log: String)] = [(nil, try files.home(of: nil).folders.log)]
    if case .data(let folder) = files {
      for user in File.names(in: "\(folder)/users") where HubFiles.isValid(user: user) {
        folders.append((user, try files.home(of: user).folders.log))
      }
    }
    for (user, folder) in folders {
      for name in File.names(in: folder).sorted() where name.hasSuffix(".jsonl") {
        let path = "\(folder)/\(name)"
        paths.insert(path)
        if let damage = look(at: path) { found.append(Finding(user: user, damage: damage)) }
      }
    }
    seen.withLock { seen in seen = seen.filter { paths.contains($0.key) } }
    let before = findings
    self.found.withLock { $0 = found }
    return found.filter { !before.contains($0) }
  }

  private func look(at path: String) -> LogDamage? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let now = Int64(time(nil))
    if let before = seen.withLock({ $0[path] }), before.inode == UInt64(status.st_ino),
      now - before.read < LogInspection.timeout
    {
      let isSame =
        (before.size, before.changed.tv_sec, before.changed.tv_nsec)
        == (Int64(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
      // One that has grown was written by a program that reads what it appends.
      if isSame || before.damage == nil && before.size < Int64(status.st_size) {
        if !isSame { seen.withLock { $0[path]?.size = Int64(status.st_size) } }
        if !isSame { seen.withLock { $0[path]?.changed = status.st_mtim } }
        return before.damage
      }
    }
    let damage = LogDamage.read(path, isOfCatalogue: false)
    seen.withLock {
      $0[path] = Seen(
        inode: UInt64(status.st_ino), size: Int64(status.st_size), changed: status.st_mtim, read: now, damage: damage)
    }
    return damage
  }
}

extension HubDatabase {
  /// The damage in the logs that are marked as damaged, with their owners. Reads these logs completely.
  package func damage() throws -> [LogInspection.Finding] {
    let database = try connectOrFail(for: .maintenance)
    return try HubDatabase.reporting {
      try PostgresInspection.marked(database, clock: Clock.milliseconds).map {
        LogInspection.Finding(user: $0.user, damage: $0.damage)
      }
    }
  }
}
