import Core
import EventLog
import Glibc

/// The file of how far the person's program was told: the id of the last event, `{"v":1,"told":"0019a1b2c3d4e-…","c":"…"}`.
struct ToldFile {
  private let path: String

  /// The file in this machine's own folder.
  init(_ home: Home) { path = "\(home.state)/told" }

  /// What stands before every event, where nothing was found yet.
  static let start = EventID(reading: 0, device: DeviceID(letters: 0))

  /// The last event that was told of; nil where that is not known.
  func read() -> EventID? {
    do throws(LogError) {
      guard case .text(let text) = try StateFile.read(path)?.first?["told"] else { return nil }
      return text.isEmpty ? ToldFile.start : EventID(text)
    } catch {
      let words = Words.unreadable(error)
      Messages.tell("\(path): how far METUBE_RSS_ON_NEW was told \(words); it is told of what is found from now on")
      return nil
    }
  }

  /// Keeps which event was told of last.
  func write(_ last: EventID) throws(Failure) {
    let text = last == ToldFile.start ? "" : last.description
    do { try StateFile.write(path, [StateRecord([("told", .text(text))])]) } catch { throw Words.failure(error) }
  }

  /// Forgets it, where nobody is to be told.
  func remove() { unlink(path) }
}
