import Core
import EventLog
import Messages
import Platform

/// The file of the channels whose news a WebSub hub announces: the server writes it, and polls read it.
package struct PushedFeeds {
  private let path: String

  package init(_ home: Home) { path = PushedFeeds.path(in: home) }

  package static func path(in home: Home) -> String { "\(home.pollState)/push" }

  /// The time until which each channel's news is announced; empty if the file is absent or unreadable, so that no
  /// channel is polled less often.
  package func read() -> [SubscriptionID: Timestamp] {
    var pushed: [SubscriptionID: Timestamp] = [:]
    do throws(LogError) {
      _ = try StateFile.read(path) { record in
        guard case .text(let id)? = record["channel"], case .text(let time)? = record["until"] else { return }
        if let id = SubscriptionID(id) { pushed[id] = Timestamp(rfc3339: time) }
      }
    } catch {
      StandardError.report(
        "\(path): \(UserMessages.unreadable(error)); all channels are polled at their usual intervals")
      return [:]
    }
    return pushed
  }

  package func write(_ pushed: [SubscriptionID: Timestamp]) throws(Failure) {
    let records = pushed.sorted { $0.key < $1.key }.map { id, until in
      StateRecord([("channel", .text(id.description)), ("until", .text(until.rfc3339))])
    }
    do { try StateFile.write(path, records) } catch { throw UserMessages.unkept(error) }
  }
}
