import Core
import EventLog
import Glibc

/// The words for what befalls the log, and the status that goes with each.
extension Words {
  /// A failure of the log.
  static func failure(_ error: LogError) -> Failure {
    switch error {
    case .failed(let call, let path, let code):
      Failure(.disk, "\(path): \(call.rawValue): \(String(cString: strerror(code))); nothing of this was done")
    case .shortWrite(let path, let written, let length):
      Failure(.disk, "\(path): the disk took \(written) of \(length) bytes, which were cut off again; make room on it")
    case .notAFile(let path): Failure(.disk, "\(path): not an ordinary file; move it away")
    case .damaged(let position):
      Failure(.disk, "\(place(position)): a damaged line; nothing is written until metube-rss log repair has seen it")
    case .newerFormat(let position, let version):
      Failure(.disk, "\(place(position)): written by a later version (format \(version)); update metube-rss")
    case .locked(let path, let holder):
      Failure(.later, "\(holder.map { "\($0.command) (process \($0.process))" } ?? path) is still at work; try again")
    case .refused(let kind, let refusal): Failure(.notUnderstood, "\(kind) cannot be written: \(refusal)")
    case .suspect(let path): Failure(.disk, "\(path): a sync failed before; start again")
    case .unreadable(let path): Failure(.disk, "\(path): damaged")
    }
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
    case .unreadable(let error): failure(error).message
    case .readableByOthers(let path, let mode):
      "\(path): others may read it (mode \(String(mode & 0o777, radix: 8))); chmod 600 keeps it yours"
    case .ownedByAnother(let path, let user): "\(path): belongs to user \(user)"
    case .copies(let device, let paths):
      "several files of device \(device): \(paths.joined(separator: ", ")); see metube-rss log verify"
    case .otherMachine: "the state folder came from another machine; this one takes a device id of its own"
    }
  }

  private static func place(_ position: LogPosition) -> String {
    "\(position.path):\(position.line) (byte \(position.byte))"
  }
}
