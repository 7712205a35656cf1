import Core
import EventLog
import Glibc
import Platform
import ReadModel
import SQLDrivers

/// Messages about problems of the log, with their exit statuses.
extension UserMessages {
  /// The prefix of messages about a PostgreSQL server.
  static let ofPostgres = "the PostgreSQL server: "

  /// A failure of the log.
  package static func failure(_ error: DatabaseError) -> Failure {
    switch error {
    case .damaged(_, let message): Failure(.disk, "the read model is damaged and cannot be rebuilt: \(message)")
    case .busy: Failure(.temporaryFailure, "another process holds the read model; try again")
    case .connectionLost(let message): Failure(.temporaryFailure, ofPostgres + message, .unreachable)
    case .interrupted:
      Failure(.temporaryFailure, "the response took too long to make; request less at once", .tookTooLong)
    case .notWritable(_, let message):
      Failure(.disk, "the read model failed: \(message)", error.isFull ? .full : .readOnly)
    case .failed(_, let message): Failure(.disk, "the read model failed: \(message)")
    }
  }

  /// A failure of a hub's database as a message, which never has the address: that may have a password.
  package static func databaseFailure(_ error: DatabaseError) -> Failure {
    switch error {
    case .connectionLost, .interrupted: failure(error)
    case .busy: Failure(.temporaryFailure, "the database is busy; try again")
    case .notWritable(_, let message): Failure(.disk, "the database cannot be written: \(message)")
    case .damaged(_, let message), .failed(_, let message): Failure(.disk, "the database: \(message)")
    }
  }

  /// What a failed system call says about its path; nil if nothing.
  private static func obstacle(_ code: Int32) -> Failure.Obstacle? {
    switch code {
    case ENOSPC, EDQUOT, EFBIG: .full
    case EROFS, EACCES, EPERM: .readOnly
    default: nil
    }
  }

  /// The owner of the file or folder that a call had no right to, and the remedy: `; /data belongs to root (uid 0), …`;
  /// empty for other failures.
  private static func owner(of path: String, _ code: Int32) -> String {
    guard code == EACCES || code == EPERM, let problem = Unwritable(path) else { return "" }
    return "; \(shown(problem.path)) \(problem.reason)"
  }

  private static func name(_ path: String) -> String { Directory.name(of: path) }

  /// The failure of the log as a message.
  package static func failure(_ error: LogError) -> Failure {
    switch error {
    case .failed(let call, let path, let code) where [.fdatasync, .fsync, .ftruncate].contains(call):
      Failure(
        .disk,
        "\(shown(path)): \(call.rawValue): \(String(cString: strerror(code))); "
          + "unknown whether the change was saved: check before you repeat it", .unknown)
    case .failed(let call, let path, let code):
      Failure(
        .disk,
        "\(shown(path)): \(call.rawValue): \(String(cString: strerror(code))); nothing was changed"
          + owner(of: path, code), obstacle(code))
    case .shortWrite(let path, let written, let length):
      Failure(
        .disk, "\(shown(path)): short write (\(written) of \(length) bytes) rolled back; free some disk space",
        .full)
    case .notAFile(let path): Failure(.disk, "\(shown(path)): not a regular file; move it away")
    case .damaged(let position):
      Failure(
        .disk, "\(shown(position)): damaged line; run metube-rss log repair before writing",
        .damaged(log: name(position.path), line: position.line))
    case .lost(let path, let latest): Failure(.disk, lost(path, latest), .lost(log: name(path)))
    case .newerFormat(let position, let version):
      Failure(.disk, "\(shown(position)): written by a later version (format \(version)); update metube-rss")
    case .locked(_, let holder?):
      Failure(.temporaryFailure, "\(holder.command) (process \(holder.process)) is still running; try again")
    case .locked(let path, nil): Failure(.temporaryFailure, "another program has locked \(shown(path)); try again")
    case .refused(let kind, let refusal): Failure(.invalidInput, "\(kind) cannot be written: \(refusal)")
    case .suspect(let path): Failure(.disk, "\(shown(path)): an earlier sync failed; run the command again")
    case .unreadable(let path): Failure(.disk, "\(shown(path)): damaged")
    }
  }

  /// Why lines from elsewhere are not taken.
  package static func refusal(_ refusal: LineRefusal) -> String { self.refusal(refusal, of: " of what was sent") }

  /// Why a line was refused; `whole` says what the line is part of, after a blank, and may be empty.
  package static func refusal(_ refusal: LineRefusal, of whole: String) -> String {
    switch refusal {
    case .incomplete: "the last line is incomplete"
    case .damaged(let line): "line \(line)\(whole) is damaged"
    case .tooLong(let line): "line \(line)\(whole) is too long"
    case .foreign(let line): "line \(line)\(whole) was written by another device"
    case .newerFormat(let line, let version):
      "line \(line)\(whole) is of a later version (format \(version)); update this one"
    case .noStart: "the first line of the log is missing"
    case .future(let line, let time):
      "line \(line)\(whole) is dated \(time.rfc3339), more than a day after the receiver's clock, "
        + "\(Clock.now().rfc3339); set the clock that is wrong"
    case .strangeFeed(let line): "line \(line)\(whole) follows a feed at a URL that is not the feed's"
    }
  }

  /// The message that lines of this device's log are not sent because they are from the future; `file` holds its ID.
  package static func heldBack(_ count: Int, until last: Timestamp, _ file: String) -> String {
    let one = count == 1
    return "\(UserMessages.count(count, "line")) of this device's log \(one ? "is" : "are") dated up to \(last.local), "
      + "more than a day after its clock, and \(one ? "is" : "are") not sent before; if its clock was wrong, delete "
      + "\(shown(file)) so that it goes on under a new ID, and mark again what you marked since"
  }

  /// Why a per-machine file could not be read: `is damaged`, `cannot be read (Permission denied)`.
  package static func unreadable(_ error: LogError) -> String {
    guard case .failed(_, _, let code) = error else { return "is damaged" }
    return "cannot be read (\(String(cString: strerror(code))))"
  }

  /// A failure to write the polling state.
  package static func unkept(_ error: LogError) -> Failure {
    let what =
      switch error {
      case .failed(let call, let path, let code): "\(shown(path)): \(call.rawValue): \(String(cString: strerror(code)))"
      default: failure(error).message
      }
    return Failure(.disk, "\(what); the polling state is not saved: the next poll requests the same feeds again")
  }

  /// A finding about the log that the user should know; nil if it needs no report.
  package static func finding(_ finding: LogFinding) -> String? {
    switch finding {
    case .damaged(let position): "\(shown(position)): damaged line, skipped; see metube-rss log verify"
    case .damagedFurther(let path, let lines): "\(shown(path)): \(UserMessages.count(lines, "more damaged line"))"
    case .lost(let path, let latest): lost(path, latest)
    case .missing(let path): "\(shown(path)): missing; it was here when this device last wrote"
    case .empty(let path): "\(shown(path)): empty; its device's events are missing"
    case .unfinished(let position, let bytes):
      "\(shown(position)): an unfinished write of \(bytes) bytes, skipped; its device moves it aside when it writes again"
    case .tornTailMoved(let position, let copy, let bytes):
      "\(shown(position)): an unfinished write of \(bytes) bytes was moved to \(shown(copy))"
    case .newerFormat(let position, let version):
      "\(shown(position)): written by a later version (format \(version)); read as far as this version understands it"
    case .ahead(let count, let earliest):
      "\(UserMessages.count(count, "event")) from \(earliest.timestamp.local) on: the clock of device \(earliest.device) "
        + "is ahead; they take effect at that time"
    case .clockSetBack(let latest):
      "this machine's clock is behind \(latest.timestamp.local), the time of its last write: check it. Changes made "
        + "now take effect, but on other devices only at that time"
    case .unreadable(let error): failure(error).message
    case .readableByOthers(let path, let mode):
      "\(shown(path)): readable by other users (mode \(String(mode & 0o777, radix: 8))); chmod 600 makes it private"
    case .ownedByAnother(let path, let user): "\(shown(path)): owned by user \(user)"
    case .copies(let device, let paths):
      "several files of device \(device): \(paths.map(shown).joined(separator: ", ")); see metube-rss log verify"
    case .newDevice(let path):
      "this machine is new here, or its state folder was lost: from now on it writes its own log, \(shown(path))"
    case .deviceDamaged(let path):
      "\(shown(path)): damaged; this machine takes a new device ID with the next change, and all earlier events still count"
    case .otherMachine: "the state folder came from another machine; this one takes a new device ID"
    }
  }

  private static func lost(_ path: String, _ latest: EventID) -> String {
    "\(shown(path)): missing, or older than this device's last write (\(latest.timestamp.rfc3339)); restore it with metube-rss "
      + "log merge, or accept the loss with metube-rss log repair"
  }

  /// A path on one line of a terminal: a log may come from anywhere, under any name.
  private static func shown(_ path: String) -> String { DisplayText(path).text }

  private static func shown(_ position: LogPosition) -> String {
    "\(shown(position.path)):\(position.line) (byte \(position.byte))"
  }
}

// MARK: Log maintenance

extension UserMessages {
  /// The line of `log verify` about a file.
  package static func file(_ report: FileReport) -> String {
    var text = "\(shown(report.path)): \(count(report.events, "event")), \(report.bytes) bytes"
    if report.generation > 1 { text += ", generation \(report.generation)" }
    if report.unknown > 0 { text += ", \(count(report.unknown, "line")) of unknown kinds" }
    if let later = report.later { text += ", written by a later version from line \(later.line) on" }
    if report.isGood { return text + ": good\n" }
    if report.bytes == 0 { return text + ": empty\n" }
    if report.unfinished > 0 {
      return text + ": \(report.unfinished) bytes of an unfinished write at the end, which its device moves aside\n"
    }
    return text + ": \(count(report.damage.count, "damaged line"))\n"
  }

  /// The line of `log verify` about two files of one device.
  package static func copy(_ report: CopyReport) -> String {
    switch report.relation {
    case .same: "\(shown(report.second)): identical to \(shown(report.first)); one of them can be deleted"
    case .older:
      "\(shown(report.second)): an older copy of \(shown(report.first)), which contains all of it; it can be deleted"
    case .newer:
      "\(shown(report.first)): an older copy of \(shown(report.second)), which contains all of it; it can be deleted"
    case .forked where report.isKeptFork:
      "\(shown(report.first)) and \(shown(report.second)): each has lines that the other lacks; both count: keep both"
    case .forked:
      "\(shown(report.first)) and \(shown(report.second)): diverged; each has lines that the other lacks, and both count. Move one "
        + "that no program writes to a folder of its own, and run metube-rss log merge on that folder: it stays beside "
        + "the other for good"
    }
  }

  /// A damaged line with its beginning, without control characters.
  package static func damage(_ line: DamagedLine) -> String {
    let beginning = DisplayText(String(decoding: line.beginning, as: UTF8.self)).text
    return "\(shown(line.position)): damaged, \(line.length) bytes: \(beginning)"
  }

  /// What a repair did with a file.
  package static func mended(_ report: MendReport) -> [String] {
    var lines: [String] = []
    if report.mended > 0 {
      lines.append("\(shown(report.path)): \(count(report.mended, "line")) mended from another copy")
    }
    if report.removed > 0 {
      lines.append("\(shown(report.path)): \(count(report.removed, "damaged line")) removed")
    }
    return lines
  }

  /// The result of `log merge` for one file.
  package static func merge(_ report: MergeReport) -> String {
    let broken = report.brokenLines > 0 ? "; \(count(report.brokenLines, "damaged line")) left out" : ""
    switch report.outcome {
    case .taken(let path): return "\(shown(report.path)): added as \(shown(path))\(broken)"
    case .replaced(let path, let backup):
      return
        "\(shown(report.path)): contains all of \(shown(path)) and more, and replaced it; original file: \(shown(backup))\(broken)"
    case .nothingNew: return "\(shown(report.path)): nothing new\(broken)"
    case .mended(let path, let lines):
      return "\(shown(report.path)): \(count(lines, "damaged line")) of \(shown(path)) mended from it\(broken)"
    case .forkKept(let path): return "\(shown(report.path)): diverged; kept beside ours as \(shown(path))\(broken)"
    case .notALog: return "\(shown(report.path)): not a log"
    case .unreadable(let error): return failure(error).message
    }
  }
}
