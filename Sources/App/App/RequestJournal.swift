import Core
import EventLog

/// The requests for feeds without a stored result, in a file beside the polling state: those under way, and those of a
/// poll that was killed or could not write the log.
///
/// A request is noted before it is sent. Once the polling state is written, only those without a stored result remain.
final class RequestJournal {
  private let path: String
  private var journal: StateJournal?

  init(_ home: Home) { path = RequestJournal.path(in: home) }

  private static func path(in home: Home) -> String { "\(home.pollState)/poll.asked" }

  /// Whether a home has no such requests, as far as they can be read: polls report a file that cannot.
  static func isEmpty(_ home: Home) -> Bool { (try? StateJournal.isEmpty(path(in: home))) ?? true }

  /// Notes a request that is about to be sent.
  func note(_ id: SubscriptionID, at time: Timestamp) throws(LogError) {
    try opened().append(RequestJournal.record(id, time))
  }

  /// Forgets all requests but those without a stored result, by this state.
  func keep(_ memory: PollState) throws(LogError) {
    let unstored = memory.feeds.filter(\.value.isUnstored).sorted { $0.key < $1.key }
    try opened().replace(with: unstored.compactMap { id, feed in feed.requested.map { RequestJournal.record(id, $0) } })
  }

  /// Adds the requests to a polling state that was saved before they were sent.
  func add(to memory: inout PollState) throws(LogError) {
    for record in try StateJournal.read(path) {
      guard let id = record.text("channel").flatMap({ SubscriptionID($0) }), let time = record.time("asked") else {
        continue
      }
      memory.noteUnstored(id, at: time)
    }
  }

  private func opened() throws(LogError) -> StateJournal {
    if let journal { return journal }
    let journal = try StateJournal(path)
    self.journal = journal
    return journal
  }

  private static func record(_ id: SubscriptionID, _ time: Timestamp) -> StateRecord {
    var record = StateRecord([("channel", .text(id.description))])
    record.add("asked", time)
    return record
  }
}
