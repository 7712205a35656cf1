import Glibc
import YouTubeAPI

/// How mpv says that a file ended, over its JSON IPC (mpv(1)), an object a line.
///
/// `{"event":"end-file","reason":"eof","playlist_entry_id":1}`. Its exit status tells an error, but not the end of a
/// video from a person who quit while it was still loading, or who left a stream that knows no positions.
struct PlayerTalk {
  /// Why the last file ended; nil where nothing was said.
  private(set) var ending: Ending?
  private var waitsAtEnd = false
  private var line: [UInt8] = []

  /// Why a file ended.
  enum Ending: Equatable { case reachedEnd, leftByPerson, failed }

  /// Takes the next bytes that mpv said.
  mutating func hear(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      if let said = JSON(line) { take(said) }
      line.removeAll(keepingCapacity: true)
    }
  }

  private mutating func take(_ said: JSON) {
    switch said["event"]?.text {
    case "property-change": waitsAtEnd = said["data"] == .boolean(true)
    case "end-file":
      switch said["reason"]?.text {
      case "eof": ending = .reachedEnd
      // With --keep-open mpv waits at the end until the person quits.
      case "quit", "stop": ending = waitsAtEnd ? .reachedEnd : .leftByPerson
      case "error": ending = .failed
      default: break
      }
    default: break
    }
  }
}

// MARK: The line to mpv

extension PlayerTalk {
  /// The descriptor by which mpv talks to us.
  static let descriptor: Int32 = 3
  /// The option that tells mpv of it.
  static let option = "--input-ipc-client=fd://\(descriptor)"
  private static let question = #"{"command":["observe_property",1,"eof-reached"]}"# + "\n"

  /// Two ends of a line, ours with the question already asked; `socketpair`. Neither outlives an exec by itself.
  static func line() -> (ours: Int32, theirs: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0, &ends) == 0 else { return nil }
    _ = question.utf8.withContiguousStorageIfAvailable { write(ends[0], $0.baseAddress, $0.count) }
    return (ends[0], ends[1])
  }

  /// Listens until mpv hangs up or `isOver`, which is asked once a second: a child of mpv's might keep the line.
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
