import App
import Core
import EventLog
import Glibc
import HubStore
import Library
import Messages
import Platform

/// The files of a hub.
package enum HubFiles: Sendable {
  /// One person's: the folder of `--home`, or the standard ones. Every client of the hub uses this log.
  case home(String?)
  /// A folder with `catalogue`, what feeds reported, and `users/NAME`, the decisions of each user; each is a home.
  case data(String)

  /// The folder of the accounts.
  package var accounts: String {
    get throws {
      switch self {
      case .home(let folder): try Home(folder: folder, environment: HubFiles.environment).state
      case .data(let folder): folder
      }
    }
  }

  /// The right to be the one hub of a data folder, as long as the lock exists; nil for a home, which several may serve at
  /// once. Throws if another hub has it.
  package func lock() throws -> HubLock? {
    guard case .data(let folder) = self else { return nil }
    do {
      return HubLock(try FileLock("\(folder)/hub.lock", waiting: HubLock.timeout))
    } catch LogError.locked(_, let holder) {
      let hub = holder.map { "\($0.command) (process \($0.process))" } ?? "another hub"
      throw Failure(
        .temporaryFailure, "\(folder): \(hub) serves it already; end that one first, or let several share a database")
    } catch LogError.failed(_, path: _, errno: EROFS) {
      // It cannot be written.
      return nil
    } catch { throw UserMessages.failure(error) }
  }

  /// Whether each user has a log of their own.
  package var isShared: Bool { if case .home = self { false } else { true } }

  private static let environment = Environment.variables()

  /// The home of a user; in a data folder, that of the catalogue if `user` is nil.
  package func home(of user: String?) throws -> Home {
    switch self {
    case .home(let folder): return try Home(folder: folder, environment: HubFiles.environment)
    case .data(let folder):
      guard let user else { return try Home(folder: "\(folder)/catalogue", environment: [:]) }
      return Home(folder: userFolder(user, in: folder), catalogue: "\(folder)/catalogue")
    }
  }

  func userFolder(_ user: String, in folder: String) -> String {
    precondition(HubFiles.isValid(user: user), "a name that is no name of a user becomes no path")
    return "\(folder)/users/\(user)"
  }

  /// Whether a text is the name of a user: `[a-z0-9][a-z0-9._-]{0,63}`. It may become a path.
  package static func isValid(user: String) -> Bool {
    func isPlain(_ letter: UInt8) -> Bool { (0x61...0x7a).contains(letter) || (0x30...0x39).contains(letter) }
    return (1...64).contains(user.utf8.count) && user.utf8.first.map(isPlain) == true
      && user.utf8.allSatisfy { isPlain($0) || "._-".utf8.contains($0) }
  }

  /// The inode of a user's folder, which distinguishes it from an earlier folder of that name; nil if absent.
  package func identity(of user: String?) throws -> UInt64? {
    var status = stat()
    return stat(try home(of: user).data, &status) == 0 ? UInt64(status.st_ino) : nil
  }

  /// The ends of the logs that a user reads: their files and sizes, and the user's folder. It is cheaper than opening
  /// them to see whether they grew.
  package func position(of user: String?) throws -> [UInt64] {
    let folders = try home(of: user).folders
    var position = [try identity(of: user) ?? 0]
    for folder in [folders.log, folders.catalogue].compactMap(\.self) {
      for name in File.names(in: folder) where name.hasSuffix(".jsonl") {
        var status = stat()
        if stat("\(folder)/\(name)", &status) == 0 { position += [UInt64(status.st_ino), UInt64(status.st_size)] }
      }
    }
    return position
  }

  /// Whether a device's log is another user's, or the catalogue's, and not this one's: users may begin with copies of
  /// one home.
  package func isOfAnother(_ device: DeviceID, than user: String) -> Bool {
    guard case .data(let folder) = self else { return false }
    func has(_ home: String) -> Bool { File.exists("\(folder)/\(home)/log/\(device).jsonl") }
    let users = File.names(in: "\(folder)/users").filter { !$0.hasPrefix(".") }.map { "users/\($0)" }
    return !has("users/\(user)") && (["catalogue"] + users).contains(where: has)
  }

  /// Whether a device's log is one of the catalogue's and not one of this user's own.
  package func isOfCatalogue(_ device: DeviceID, notOf user: String) throws -> Bool {
    guard case .data(let folder) = self else { return false }
    func has(_ home: String) -> Bool { File.exists("\(folder)/\(home)/log/\(device).jsonl") }
    // Of a log that is gone the ID remains.
    return try !has("users/\(user)") && (has("catalogue") || isOwn(device, of: nil))
  }

  /// Whether a device's log is the one that the hub itself writes for a user; for nil the catalogue's.
  package func isOwn(_ device: DeviceID, of user: String?) throws -> Bool {
    let folders = try home(of: user).folders
    return try Session.reporting { try DeviceIdentity.read(in: folders, machine: DeviceIdentity.machine) }
      == .known(device)
  }

  /// The folder of these files and who owns it, if that is not who runs this program; nil if it is.
  package func foreignOwner() throws -> (folder: String, name: String)? {
    let folder: String
    switch self {
    case .data(let data): folder = data
    case .home: folder = try home(of: nil).data
    }
    var status = stat()
    guard stat(folder, &status) == 0, status.st_uid != geteuid() else { return nil }
    let name = getpwuid(status.st_uid).map { String(cString: $0.pointee.pw_name) }
    return (folder, name ?? "#\(status.st_uid)")
  }

  // MARK: Users' folders

  /// Makes the folder of a new user of a data folder, with the logs of the home `source` if one is given, which stays as
  /// it is. Throws if the user has a folder already, or if a log cannot be taken whole.
  package func addUser(_ user: String, from source: String?) throws {
    guard case .data(let folder) = self else { return }
    let path = userFolder(user, in: folder)
    if let source, try !HubFiles.hasLogs(source) {
      throw Failure(.invalidInput, "\(source): no logs (*.jsonl) in it; give a folder as --home takes it")
    }
    guard !File.exists(path) else {
      throw Failure(
        .partial, "\(path): already there, without its user; move it away, and give it with --from to take it over")
    }
    for path in [folder, "\(folder)/users", "\(folder)/catalogue"] { mkdir(path, 0o700) }
    // A crash leaves no partial user.
    let temporary = "\(folder)/users/.\(user).\(getpid())"
    guard mkdir(temporary, 0o700) == 0, mkdir("\(temporary)/log", 0o700) == 0 else {
      throw HubFiles.failure(temporary, "cannot be created")
    }
    if let source { try HubFiles.take(source, into: Home(folder: temporary, catalogue: "\(folder)/catalogue")) }
    try HubFiles.move(temporary, to: path)
  }

  /// Deletes the folder of a user that `addUser` just made, because the user was not added after all.
  package func discardUser(_ user: String) {
    guard case .data(let folder) = self else { return }
    Directory.removeAll(userFolder(user, in: folder))
  }

  /// Makes the folders that users lack: a restored backup has none for a user without events.
  package func makeFolders(of users: [String]) {
    guard case .data(let folder) = self else { return }
    for path in ["\(folder)/users"] + users.map({ userFolder($0, in: folder) }) { mkdir(path, 0o700) }
  }

  private static func hasLogs(_ source: String) throws -> Bool {
    File.names(in: try Home(folder: source, environment: [:]).folders.log).contains { $0.hasSuffix(".jsonl") }
  }

  private static func take(_ source: String, into home: Home) throws {
    let log = try Home(folder: source, environment: [:]).folders.log
    let reports = try Session.reporting { try Session(home, reports: false).files.merge(from: log) }
    for report in reports {
      guard case .taken = report.outcome, report.brokenLines == 0 else {
        throw Failure(.invalidInput, "\(UserMessages.merge(report)); repair it first: metube-rss log repair")
      }
    }
  }

  /// Renames a folder to a name that none has yet. `rename` replaces an empty folder only.
  static func move(_ old: String, to new: String) throws {
    guard rename(old, new) == 0 else { throw failure(new, "cannot be made of \(old)") }
    let parent = open(File.folder(of: new), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { close(parent) }
    guard fsync(parent) == 0 else { throw failure(new, "may be lost in a power cut") }
  }

  static func failure(_ path: String, _ what: String) -> Failure {
    Failure(.disk, "\(path): \(what): \(String(cString: strerror(errno)))")
  }

  // MARK: Backups

  /// Writes a copy of the numbers in a state folder, marked so that its first opener skips those assigned since.
  package static func copyNumbers(in folder: String, to path: String) throws {
    try Session.reporting { try NumberStore.copy(in: folder, to: path) }
  }

  /// What a backup contains besides the accounts: the files with their names in it, and the folders of numbers with
  /// those of their copies. It has the layout of `--home` or `--data`.
  package func contents() throws -> (files: [(name: String, path: String)], numbers: [(name: String, folder: String)]) {
    var files: [(name: String, path: String)] = []
    var numbers: [(name: String, folder: String)] = []
    func add(_ home: Home, _ prefix: String) {
      for name in File.names(in: home.folders.log) where name.hasSuffix(".jsonl") {
        files.append(("\(prefix)log/\(name)", "\(home.folders.log)/\(name)"))
      }
      numbers.append(("\(prefix)state/\(NumberStore.fileName)", home.state))
      if home.catalogue == nil, File.exists(home.settings) { files.append(("\(prefix)env", home.settings)) }
    }
    add(try home(of: nil), isShared ? "catalogue/" : "")
    if case .data(let folder) = self {
      for parent in ["users", "removed"] {
        for name in File.names(in: "\(folder)/\(parent)") where !name.hasPrefix(".") {
          add(Home(folder: "\(folder)/\(parent)/\(name)", catalogue: "\(folder)/catalogue"), "\(parent)/\(name)/")
        }
      }
    }
    return (files, numbers.filter { File.exists("\($0.folder)/\(NumberStore.fileName)") })
  }
}

/// The right to be the one hub of a data folder. Nothing but its end uses the lock, which therefore may be anywhere.
package final class HubLock: @unchecked Sendable {
  private let lock: FileLock

  init(_ lock: FileLock) { self.lock = lock }

  /// How long to wait for a hub that ends, in milliseconds.
  static let timeout = 2000
}
