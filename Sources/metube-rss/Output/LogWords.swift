import Core
import EventLog
import Glibc

/// The words for what befalls the log, and the status that goes with each.
extension Words {
  /// A failure of the log.
  static func failure(_ error: LogError) -> Failure {
    switch error {
    case .failed(let call, let path, let code) where [.fdatasync, .fsync, .ftruncate].contains(call):
      Failure(
        .disk,
        "\(path): \(call.rawValue): \(String(cString: strerror(code))); "
          + "whether this was kept is not known: look before you do it again")
    case .failed(let call, let path, let code):
      Failure(.disk, "\(path): \(call.rawValue): \(String(cString: strerror(code))); nothing of this was done")
    case .shortWrite(let path, let written, let length):
      Failure(.disk, "\(path): the disk took \(written) of \(length) bytes, which were cut off again; make room on it")
    case .notAFile(let path): Failure(.disk, "\(path): not an ordinary file; move it away")
    case .damaged(let position):
      Failure(.disk, "\(place(position)): a damaged line; nothing is written until metube-rss log repair has seen it")
    case .newerFormat(let position, let version):
      Failure(.disk, "\(place(position)): written by a later version (format \(version)); update metube-rss")
    case .locked(_, let holder?):
      Failure(.later, "\(holder.command) (process \(holder.process)) is still at work; try again")
    case .locked(let path, nil): Failure(.later, "another program holds \(path); try again")
    case .refused(let kind, let refusal): Failure(.notUnderstood, "\(kind) cannot be written: \(refusal)")
    case .suspect(let path): Failure(.disk, "\(path): a sync failed before; start again")
    case .unreadable(let path): Failure(.disk, "\(path): damaged")
    }
  }

  /// Why a file of this machine's own could not be read: `is damaged`, `cannot be read (Permission denied)`.
  static func unreadable(_ error: LogError) -> String {
    guard case .failed(_, _, let code) = error else { return "is damaged" }
    return "cannot be read (\(String(cString: strerror(code))))"
  }

  /// A failure to keep what was learnt by asking, when what was found is safe.
  static func unkept(_ error: LogError) -> Failure {
    let what =
      switch error {
      case .failed(let call, let path, let code): "\(path): \(call.rawValue): \(String(cString: strerror(code)))"
      default: failure(error).message
      }
    return Failure(.disk, "\(what); what was found is kept, but not what was asked when: the next poll asks again")
  }

  /// Something about the log that a person should know; nil where there is no need.
  static func finding(_ finding: LogFinding) -> String? {
    switch finding {
    case .damaged(let position): "\(place(position)): a damaged line, left out; see metube-rss log verify"
    case .damagedFurther(let path, let lines): "\(path): \(Words.count(lines, "further line")) damaged"
    case .unfinished: nil
    case .tornTailMoved(let position, let copy, let bytes):
      "\(place(position)): an unfinished write of \(bytes) bytes was moved to \(copy)"
    case .newerFormat(let position, let version):
      "\(place(position)): written by a later version (format \(version)); read as far as it is understood"
    case .ahead(let count, let earliest):
      "\(Words.count(count, "event")) from \(earliest.timestamp.rfc3339) on: the clock of device \(earliest.device) "
        + "is ahead; they count once that time has come"
    case .clockSetBack(let latest):
      "this machine's clock is behind \(latest.timestamp.rfc3339), when it wrote last: is it right? What is done now "
        + "counts, on other devices once that time has come"
    case .unreadable(let error): failure(error).message
    case .readableByOthers(let path, let mode):
      "\(path): others may read it (mode \(String(mode & 0o777, radix: 8))); chmod 600 keeps it yours"
    case .ownedByAnother(let path, let user): "\(path): belongs to user \(user)"
    case .copies(let device, let paths):
      "several files of device \(device): \(paths.joined(separator: ", ")); see metube-rss log verify"
    case .newDevice(let path):
      "this machine is new to the logs, or its state folder was lost: from now on it writes a log of its own, \(path)"
    case .deviceDamaged(let path):
      "\(path): damaged; with the next change this machine takes a device id of its own, and all that was logged before "
        + "still counts"
    case .otherMachine: "the state folder came from another machine; this one takes a device id of its own"
    }
  }

  private static func place(_ position: LogPosition) -> String {
    "\(position.path):\(position.line) (byte \(position.byte))"
  }
}

// MARK: The care of the log

extension Words {
  /// What `log verify` says of a file.
  static func file(_ report: FileReport) -> String {
    var words = "\(report.path): \(count(report.events, "event")), \(report.bytes) bytes"
    if report.generation > 1 { words += ", generation \(report.generation)" }
    if report.unknown > 0 { words += ", \(count(report.unknown, "line")) of kinds this version does not know" }
    if let later = report.later { words += ", a later version's from line \(later.line) on" }
    if report.unfinished > 0 { words += ", \(report.unfinished) bytes of an unfinished write at its end" }
    words += report.damage.isEmpty ? ": good\n" : ": \(count(report.damage.count, "damaged line"))\n"
    return words
  }

  /// What `log verify` says of two files of one device.
  static func copy(_ report: CopyReport) -> String {
    switch report.relation {
    case .same: "\(report.second): the same as \(report.first)"
    case .older: "\(report.second): an older copy of \(report.first), which has all of it"
    case .newer: "\(report.first): an older copy of \(report.second), which has all of it"
    case .forked: "\(report.first) and \(report.second): a fork; each has what the other lacks, and both count"
    }
  }

  /// What `log verify` says of a checkpoint that is not what the logs say.
  static func wrongCheckpoint(_ path: String) -> String {
    "\(path): said something else than the logs, and was thrown away; what was listed before may have been wrong"
  }

  /// A broken line with its beginning, made harmless.
  static func damage(_ line: DamagedLine) -> String {
    let beginning = DisplayText(String(decoding: line.beginning, as: UTF8.self)).text
    let state = line.isRestorable ? "damaged, but can be restored" : "damaged"
    return "\(place(line.position)): \(state), \(line.length) bytes: \(beginning)"
  }

  /// What `log repair` asks before it does it.
  static func repairing(_ damage: [DamagedLine]) -> String {
    let restorable = damage.count(where: \.isRestorable)
    let rest = damage.count - restorable
    if rest == 0 { return "Restore \(count(restorable, "line"))?" }
    if restorable == 0 { return "Take \(count(rest, "line")) out?" }
    return "Restore \(count(restorable, "line")) and take \(rest) out?"
  }

  /// What `log repair` did.
  static func repaired(_ report: RewriteReport) -> String {
    let taken = "\(count(report.droppedLines, "line")) taken out"
    if report.restoredLines == 0 { return taken }
    let restored = "\(count(report.restoredLines, "line")) restored"
    return report.droppedLines == 0 ? restored : "\(restored), \(taken)"
  }

  /// What became of a file offered to `log merge`.
  static func merge(_ report: MergeReport) -> String {
    let broken = report.brokenLines > 0 ? "; \(count(report.brokenLines, "damaged line")) left out" : ""
    switch report.outcome {
    case .taken(let path): return "\(report.path): taken as \(path)\(broken)"
    case .replaced(let path, let backup):
      return "\(report.path): has all of \(path) and more, and took its place; that is now \(backup)\(broken)"
    case .broughtBack(let lines, let path):
      return "\(report.path): \(count(lines, "line")) that \(path) had lost, brought back\(broken)"
    case .nothingNew: return "\(report.path): nothing new\(broken)"
    case .forkKept(let path): return "\(report.path): a fork; kept beside ours as \(path)\(broken)"
    case .notALog: return "\(report.path): not a log"
    case .unreadable(let error): return failure(error).message
    }
  }
}
