import SQLDrivers

/// In PostgreSQL, where every web process receives pushes, one of them sends requests to hubs, and pollers fetch the news.
extension PushStore {
  /// How long a process is the one that sends requests, in seconds, unless it says again that it is.
  package static let term = 60

  /// Makes a process the one that sends requests, unless another one is; returns whether it is.
  package func keep(as process: String) throws -> Bool {
    try database.integer("SELECT keep_pushes(?, ?)::integer", process, PushStore.term) == 1
  }

  /// Leaves the requests to another process.
  package func leave(as process: String) throws {
    try database.run("UPDATE push_keeper SET until = unix_time() WHERE process = ? AND until > unix_time()", process)
  }

  /// A channel that somebody follows, or that was subscribed to.
  package struct Candidate: Sendable {
    package var channel: String
    package var isFollowed: Bool
    /// What its feed names; nil if that is unknown.
    package var source: (hub: String, topic: String)?
    /// nil if there was no need for one yet.
    package var subscription: PushSubscription?
  }

  /// Up to `maximum` channels in order after one, from the first after an empty text.
  package func candidates(after channel: String, maximum: Int) throws -> [Candidate] {
    var found: [Candidate] = []
    try database.forEach(
      """
      SELECT key.channel, followed::integer, feed_hub, feed_topic, \(PushStore.selected)
      FROM push_candidates(?, ?) AS key LEFT JOIN push ON push.channel = key.channel ORDER BY key.channel
      """, channel, maximum
    ) { row in
      var source: (hub: String, topic: String)?
      if let hub = row.optionalText(2), let topic = row.optionalText(3) { source = (hub, topic) }
      found.append(
        Candidate(
          channel: row.text(0), isFollowed: row.int(1) == 1, source: source,
          subscription: row.optionalText(4).map { _ in PushStore.subscription(row, from: 4) }))
    }
    return found
  }

  /// Makes the feed of a channel due as soon as the 15 minutes allow, because there may be news.
  package func hurry(_ channel: String) throws {
    try database.run("SELECT hurry_channels(unix_time(), ARRAY[?::text])", channel)
  }
}
