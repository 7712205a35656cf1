import Glibc
import JSON

/// How mpv reports the end of a file, over its JSON IPC (mpv(1)), one object per line.
///
/// `{"event":"end-file","reason":"eof","playlist_entry_id":1}`. The exit status shows an error, but does not tell the
/// end of a video from a user who quit while it was loading, or who left a stream without positions.
struct PlayerProtocol {
  /// Why the last file ended; nil if mpv reported nothing.
  private(set) var ending: Ending?
  private var waitsAtEnd = false
  private var line: [UInt8] = []

  /// Why a file ended.
  enum Ending: Equatable { case reachedEnd, leftByPerson, failed }

  /// Parses the next bytes from mpv.
  mutating func hear(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      if let said = JSONValue(line) { take(said) }
      line.removeAll(keepingCapacity: true)
    }
  }

  private mutating func take(_ said: JSONValue) {
    switch said["event"]?.text {
    case "property-change": waitsAtEnd = said["data"] == .boolean(true)
    case "end-file":
      switch said["reason"]?.text {
      case "eof": ending = .reachedEnd
      // With --keep-open mpv waits at the end until the user quits.
      case "quit", "stop": ending = waitsAtEnd ? .reachedEnd : .leftByPerson
      case "error": ending = .failed
      default: break
      }
    default: break
    }
  }
}

// MARK: The socket to mpv

extension PlayerProtocol {
  /// The socket's descriptor in the mpv process.
  static let descriptor: Int32 = 3
  /// The mpv option that names it.
  static let option = "--input-ipc-client=fd://\(descriptor)"
  private static let question = #"{"command":["observe_property",1,"eof-reached"]}"# + "\n"

  /// A socket pair with the request already written to our end; nil on failure. Both are close-on-exec. `socketpair`.
  static func line() -> (ours: Int32, theirs: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0, &ends) == 0 else { return nil }
    _ = question.utf8.withContiguousStorageIfAvailable { write(ends[0], $0.baseAddress, $0.count) }
    return (ends[0], ends[1])
  }

  /// Listens until mpv hangs up or `isOver`, polled every second: a child of mpv might keep the socket open.
  mutating func listen(at descriptor: Int32, until isOver: () -> Bool) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var over = false
    while true {
      var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&question, 1, over ? 0 : 1000)
      if ready < 0, errno == EINTR { continue }
      if ready <= 0 {
        if over { return }
        over = isOver()
        continue
      }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      hear(buffer[..<count])
    }
  }
}
