import App
import Core
import EventLog
import Glibc
import HubStore
import Library
import Messages
import Platform
import ReadModel
import SQLDrivers
import SharedPollers

/// The logs, numbers and lists of a hub's users, on their way from a data folder into a database or back, whole or not
/// at all. The source stays as it is.
package struct HubMove {
  private let folder: String
  private let database: Database

  /// What was moved of an owner.
  package struct Report: Sendable {
    /// nil: the catalogue.
    package var user: String?
    package var logs = 0
    package var bytes: UInt64 = 0
    package var videos = 0
  }

  /// `folder` is a data folder: the source, or a new one that is being filled. The database has a transaction open that
  /// excludes other writers.
  package init(folder: String, database: Database) { (self.folder, self.database) = (folder, database) }

  private func home(of user: String?) throws -> Home { try HubFiles.data(folder).home(of: user) }

  /// What an owner has beside the log, in the folder.
  private func others(_ home: Home) throws -> (numbers: NumberStore, apps: AppLists) {
    (try NumberStore(folder: home.state) { Clock.now().seconds }, AppLists(folder: home.state))
  }

  // MARK: Into a database

  /// Copies what an owner has into the database, whose users are there already; the catalogue comes first.
  package func store(_ user: String?) throws -> Report {
    let home = try home(of: user)
    let session = try Session(home, reports: true)
    var report = Report(user: user)
    let library = try PostgresLibrary(database, of: user, clock: Clock.milliseconds)
    let logs = library.deviceLogs(temporary: ScratchFile.folder)
    // Not those of the catalogue, which a user reads too.
    for file in try session.files.journal.verify().files where file.path.hasPrefix("\(home.folders.log)/") {
      let name = String((file.path.split(separator: "/").last ?? "").dropLast(".jsonl".count))
      guard let device = file.device else {
        throw Failure(.invalidInput, "\(file.path): no log of metube-rss; move it out of the folder")
      }
      guard file.unfinished == 0 else {
        throw Failure(
          .invalidInput,
          "\(file.path): its last line is not complete; end what writes to it, or repair it: "
            + "metube-rss log repair")
      }
      report.bytes += try store(file.path, as: name, of: device, file.generation, in: logs)
      report.logs += 1
    }
    if user == nil {
      try PollTables.add(PollStateFile(session).read(at: session.now), to: database, now: session.now)
    }
    try library.refreshAfterCopying()
    let owner = Int64(library.owner)
    let (numbers, apps) = try others(home)
    try numbers.copy(into: database, owner: owner)
    try apps.copy(into: database, owner: owner)
    report.videos = try compare(session, library)
    return report
  }

  /// Copies a log file, and reads it again from the database; returns its length.
  private func store(
    _ path: String, as name: String, of device: DeviceID, _ generation: Int, in logs: PostgresDeviceLogs
  ) throws -> UInt64 {
    var parts = try LogParts(path)
    var start: UInt64 = 0
    while let lines = try parts.next() {
      guard try logs.append(lines, to: name, of: device, generation, at: start),
        try logs.allLines(of: name, from: start, maximum: lines.count) == lines
      else { throw HubMove.failure(path, "the database has other lines of it after copying") }
      start = parts.end
    }
    guard parts.torn == 0 else { throw HubMove.failure(path, "it grew meanwhile; stop the hub that writes to it") }
    return start
  }

  // MARK: Into a folder

  /// Writes what an owner has into the new folder.
  package func write(_ user: String?) throws -> Report {
    let home = try home(of: user)
    for path in [folder, "\(folder)/users", home.data, home.folders.log, home.state] { mkdir(path, 0o700) }
    var report = Report(user: user)
    let library = try PostgresLibrary(database, of: user, clock: Clock.milliseconds)
    let logs = library.deviceLogs(temporary: ScratchFile.folder)
    for (name, length) in try logs.ownLogs() {
      let path = "\(home.folders.log)/\(name).jsonl"
      let file = try Replacement(ofLog: path)
      var start: UInt64 = 0
      while start < length {
        let lines = try logs.allLines(of: name, from: start, maximum: 1 << 20)
        guard !lines.isEmpty else { throw HubMove.failure(path, "the database lacks some of its lines") }
        try file.append(lines)
        start += UInt64(lines.count)
      }
      try file.commit()
      report.logs += 1
      report.bytes += length
    }
    let owner = Int64(library.owner)
    let (numbers, apps) = try others(home)
    try numbers.fill(from: database, owner: owner)
    try apps.fill(from: database, owner: owner)
    let session = try Session(home, reports: true)
    if user == nil {
      var polls = PollState()
      polls.feeds = try PollRows.states(of: session.state.channels.keys, in: database)
      polls.pause = try PollRows.pause(in: database)
      try PollStateFile(session).write(polls)
    }
    report.videos = try compare(session, library)
    return report
  }

  // MARK: The folder

  /// Whether a folder is one of several users.
  package static func isDataFolder(_ folder: String) -> Bool { File.isFolder("\(folder)/catalogue") }

  /// Calls `body` while no hub polls in a folder. Throws at once if one does, or serves it.
  package static func whileStopped<Result>(_ folder: String, _ body: () throws -> Result) throws -> Result {
    let home = try HubFiles.data(folder).home(of: nil)
    mkdir(home.pollState, 0o700)
    let lock: FileLock
    do { lock = try FileLock("\(home.pollState)/poll.lock", waiting: 0) } catch { throw UserMessages.failure(error) }
    defer { withExtendedLifetime(lock) {} }
    return try body()
  }

  /// The file that says that a folder was moved into a database.
  private static func marker(_ folder: String) -> String { "\(folder)/moved" }

  /// Marks a folder as moved, so that it is not served by mistake.
  package static func mark(_ folder: String) throws {
    let file = open(marker(folder), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw Failure(.disk, "\(marker(folder)): cannot be written; do not serve this folder again")
    }
    close(file)
  }

  /// Throws if a folder was moved into a database.
  package static func checkNotMoved(_ folder: String) throws {
    guard File.exists(marker(folder)) else { return }
    throw Failure(
      .usage,
      "\(folder): this hub was moved into a database; serve that, or remove \(marker(folder)) to go on with the folder")
  }

  /// Has `body` fill a new folder, which gets its name once it is complete.
  package static func making<Result>(_ folder: String, _ body: (String) throws -> Result) throws -> Result {
    removeInterrupted(folder)
    var template = Array("\(folder).XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Failure(.disk, "\(folder): cannot be created: \(String(cString: strerror(errno)))")
    }
    let new = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do {
      let mark = open("\(new)/\(unfinished)", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      defer { close(mark) }
      flock(mark, LOCK_EX)
      let result = try body(new)
      sync()
      unlink("\(new)/\(unfinished)")
      guard rename(new, folder) == 0 else {
        throw Failure(.disk, "\(folder): cannot be created: \(String(cString: strerror(errno)))")
      }
      sync()
      return result
    } catch {
      Directory.removeAll(new)
      throw error
    }
  }

  /// Removes what moves left that were killed while they filled the folder: it has logs and hashes of passwords.
  private static func removeInterrupted(_ folder: String) {
    let parent = folder.contains("/") ? File.folder(of: folder) : "."
    for name in File.names(in: parent) where name.hasPrefix(Directory.name(of: folder) + ".") {
      let mark = open("\(parent)/\(name)/\(unfinished)", O_RDWR | O_CLOEXEC)
      guard mark >= 0 else { continue }
      defer { close(mark) }
      // One that is being filled is locked.
      guard flock(mark, LOCK_EX | LOCK_NB) == 0 else { continue }
      StandardError.report("\(parent)/\(name): left by a move that was killed; removed")
      Directory.removeAll("\(parent)/\(name)")
    }
  }

  /// The file by which a folder says that it is being filled; locked as long as that is so.
  private static let unfinished = "unfinished"

  /// A number of bytes as text.
  package static func size(_ bytes: UInt64) -> String {
    bytes < 1_000_000 ? "\((bytes + 999) / 1000) kB" : "\(bytes / 1_000_000) MB"
  }

  // MARK: Verifying

  /// Throws unless the folder and the database tell the same of an owner; returns how many videos it has.
  private func compare(_ session: Session, _ library: PostgresLibrary) throws -> Int {
    try library.refresh()
    let name = session.home.data
    let (one, other) = (try session.query({ try $0.digests() }), try library.model.digests())
    let tables = zip(one, other).enumerated().filter { $0.element.0 != $0.element.1 }.map { "\($0.offset)" }
    guard tables.isEmpty else {
      throw HubMove.failure(
        name, "the folder and the database differ after copying, in part \(tables.joined(separator: ", "))")
    }
    return try session.query { try $0.videoCount() }
  }

  private static func failure(_ path: String, _ message: String) -> Failure {
    Failure(.disk, "\(path): \(message); nothing was moved")
  }
}
