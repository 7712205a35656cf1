import App
import Core
import EventLog
import Messages
import Platform

/// What this device knows of its hub: one record in the state folder. Lost, it costs a request.
package struct HubState {
  /// The hub that the rest is about.
  package var url: String
  /// When the logs were last exchanged.
  package var synced: Timestamp?
  /// When the hub was last tried.
  var tried: Timestamp?
  /// Since when it has failed, and why; nil while it responds.
  package var failingSince: Timestamp?
  package var problem: String?
  /// The time before which polls do not wait for a hub that failed, and the length of that pause in seconds.
  private(set) var pollRetry: Timestamp?
  private var pollPause: Int64 = 0
  /// The end of this device's log on the hub, and its name there.
  var sent = LogEnd.start
  var sentTo: String?
  /// Logs that differ from ours and have nothing new for it, or the hub's for ours.
  var settled: Set<String> = []

  /// The stored state of a hub; an empty one if it is about another hub or broken.
  init(_ url: String, in home: Home) {
    self.url = url
    // Broken, it is as if lost.
    guard let record = try? StateFile.read(HubExchange.path(in: home))?.first, record.text("url") == url else { return }
    synced = record.time("synced")
    tried = record.time("tried")
    failingSince = record.time("failingSince")
    problem = record.text("problem")
    pollRetry = record.time("pollRetry")
    pollPause = record.number("pollPause") ?? 0
    if let length = record.number("length").flatMap({ UInt64(exactly: $0) }), let checksum = record.text("checksum") {
      sent = LogEnd(length: length, checksum: checksum)
    }
    sentTo = record.text("sentTo")
    if case .texts(let texts) = record["settled"] { settled = Set(texts) }
  }

  func write(in home: Home) throws(Failure) {
    var record = StateRecord([("url", .text(url))])
    record.add("synced", synced)
    record.add("tried", tried)
    record.add("failingSince", failingSince)
    record.add("problem", problem)
    record.add("pollRetry", pollRetry)
    record.add("pollPause", pollPause)
    record.add("length", Int64(sent.length))
    record.add("checksum", sent.checksum)
    record.add("sentTo", sentTo)
    record.members.append(StateRecord.Member(name: "settled", value: .texts(settled.sorted())))
    do { try StateFile.write(HubExchange.path(in: home), [record]) } catch { throw UserMessages.failure(error) }
  }

  /// Notes that the logs were exchanged.
  mutating func noteSuccess(at now: Timestamp) {
    (synced, tried, failingSince, problem) = (now, now, nil, nil)
    (pollRetry, pollPause) = (nil, 0)
  }

  /// Notes that the hub failed.
  mutating func noteFailure(_ reason: String, at now: Timestamp) {
    (tried, problem) = (now, reason)
    failingSince = failingSince ?? now
  }

  /// Notes that a poll waited for the hub in vain.
  mutating func notePollFailure(at now: Timestamp) {
    pollPause = min(max(HubState.shortestPause, 2 * pollPause), HubState.longestPause)
    pollRetry = now.adding(seconds: pollPause)
  }

  /// The time until which polls do not wait for the hub; nil if they do.
  package func pollsWithoutHub(at now: Timestamp) -> Timestamp? {
    guard failingSince != nil, let pollRetry else { return nil }
    // One further away is from before a clock was set back.
    return (1...HubState.longestPause).contains(pollRetry.seconds(since: now)) ? pollRetry : nil
  }

  /// In seconds: a quarter of an hour, doubled by each further poll up to six hours.
  private static let shortestPause: Int64 = 900
  private static let longestPause: Int64 = 21_600
}
