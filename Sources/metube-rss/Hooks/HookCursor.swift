import Core
import EventLog
import Glibc

/// The hook's cursor file: the ID of the last delivered event, `{"v":1,"told":"0019a1b2c3d4e-…","c":"…"}`.
struct ToldFile {
  private let path: String

  /// The file in this machine's state folder.
  init(_ home: Home) { path = "\(home.state)/told" }

  /// A position before every event, used until the first discovery.
  static let start = EventID(reading: 0, device: DeviceID(letters: 0))

  /// The last delivered event; nil if unknown.
  func read() -> EventID? {
    do throws(LogError) {
      guard case .text(let text) = try StateFile.read(path)?.first?["told"] else { return nil }
      return text.isEmpty ? ToldFile.start : EventID(text)
    } catch {
      let words = Words.unreadable(error)
      Messages.tell("\(path): the METUBE_RSS_ON_NEW position \(words); the program gets videos found from now on")
      return nil
    }
  }

  /// Stores the last delivered event.
  func write(_ last: EventID) throws(Failure) {
    let text = last == ToldFile.start ? "" : last.description
    do { try StateFile.write(path, [StateRecord([("told", .text(text))])]) } catch { throw Words.failure(error) }
  }

  /// Removes the cursor when no hook is set.
  func remove() { unlink(path) }
}
