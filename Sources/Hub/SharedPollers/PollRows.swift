import App
import Core
import Exporters
import ReadModel
import SQLDrivers

/// The polling state in the tables that pollers of a database share, for everyone who reads it; see `0003-polling.sql`.
package enum PollRows {
  /// The polling state of some feeds.
  package static func states(of ids: some Sequence<SubscriptionID>, in database: Database) throws -> [SubscriptionID:
    FeedState]
  {
    var states: [SubscriptionID: FeedState] = [:]
    try Session.reporting {
      try database.forEach(
        """
        SELECT \(FeedState.columns) FROM poll_channel
        WHERE subscription = ANY (ARRAY(SELECT jsonb_array_elements_text(?::jsonb)))
        """, list(ids)
      ) { row in
        if let (id, state, _, _) = FeedState.read(row) { states[id] = state }
      }
    }
    return states
  }

  /// When some feeds are requested next, at the earliest; at once if they are claimed.
  static func nextRequests(
    of ids: some Sequence<SubscriptionID>, in database: Database
  ) throws -> [SubscriptionID: Timestamp] {
    var times: [SubscriptionID: Timestamp] = [:]
    try Session.reporting {
      try database.forEach(
        """
        SELECT subscription, CASE WHEN poller IS NULL THEN due ELSE least(due, due_before, unix_time()) END
        FROM poll_channel WHERE due IS NOT NULL
          AND subscription = ANY (ARRAY(SELECT jsonb_array_elements_text(?::jsonb)))
        """, list(ids)
      ) { row in
        if let id = SubscriptionID(row.text(0)) { times[id] = Timestamp(seconds: row.int(1)) }
      }
    }
    return times
  }

  /// The pause of all pollers, as in an outage; else the longest one of an address.
  package static func pause(in database: Database) throws -> Backoff? {
    try Session.reporting {
      try database.first(
        "SELECT reason, since, retry, backoff FROM poll_pause ORDER BY address = '' DESC, retry DESC LIMIT 1"
      ) { Backoff.read($0) } ?? nil
    }
  }

  /// The lookup state of some names.
  static func states(ofNames names: [String], in database: Database) throws -> [String: HandleState] {
    var states: [String: HandleState] = [:]
    guard !names.isEmpty else { return [:] }
    try Session.reporting {
      try database.forEach(
        """
        SELECT name, requested, last_answer, undecided::integer FROM poll_name
        WHERE requested IS NOT NULL AND name = ANY (ARRAY(SELECT jsonb_array_elements_text(?::jsonb)))
        """, list(names)
      ) { row in
        states[row.text(0)] = HandleState(
          requested: Timestamp(seconds: row.int(1)), lastOutcome: row.text(2), isUndecided: row.int(3) != 0)
      }
    }
    return states
  }

  // MARK: Parameters

  /// Texts as a JSON array, which the statements turn into one of SQL.
  package static func list(_ texts: some Sequence<String>) -> String {
    var line = JSONLine()
    line.add("", Array(texts))
    return list(in: line)
  }

  /// Objects as a JSON array.
  package static func list(_ objects: [JSONLine]) -> String {
    var line = JSONLine()
    line.add("", objects: objects)
    return list(in: line)
  }

  /// The only member, whose name is empty.
  private static func list(in line: JSONLine) -> String {
    String(decoding: line.object.dropFirst(#"{"":"#.utf8.count).dropLast(), as: UTF8.self)
  }

  package static func list(_ ids: some Sequence<SubscriptionID>) -> String { list(ids.map(\.description)) }
}
