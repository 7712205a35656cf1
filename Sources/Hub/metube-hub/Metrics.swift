import HubStore
import ReadModel
import SQLDrivers
import Synchronization

/// Counts of what the server did, as Prometheus reads them.
final class Metrics: Sendable {
  private struct Counts {
    var responses: [Int: Int] = [:]
    var seconds = 0.0
    var buckets = [Int](repeating: 0, count: Metrics.bounds.count)
  }

  private static let bounds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5]
  private let counts = Mutex(Counts())

  /// Counts a response and the time that it took.
  func count(_ status: Int, _ duration: Duration) {
    let (seconds, atto) = duration.components
    let time = Double(seconds) + Double(atto) / 1e18
    counts.withLock { counts in
      counts.responses[status, default: 0] += 1
      counts.seconds += time
      for (index, bound) in Metrics.bounds.enumerated() where time <= bound { counts.buckets[index] += 1 }
    }
  }

  /// A figure that goes up and down.
  struct Gauge {
    var name: String
    var help: String
    var value: Int
    init(_ name: String, _ help: String, _ value: Int) { (self.name, self.help, self.value) = (name, help, value) }
  }

  /// The figures in Prometheus' text format, with gauges of what else is known.
  func text(_ gauges: [Gauge]) -> String {
    let counts = counts.withLock { $0 }
    let total = counts.responses.values.reduce(0, +)
    var lines = [
      "# HELP metube_hub_responses_total Responses by status.", "# TYPE metube_hub_responses_total counter",
    ]
    for (status, count) in counts.responses.sorted(by: { $0.key < $1.key }) {
      lines.append("metube_hub_responses_total{status=\"\(status)\"} \(count)")
    }
    lines += [
      "# HELP metube_hub_response_seconds Time from a request to its response.",
      "# TYPE metube_hub_response_seconds histogram",
    ]
    for (bound, count) in zip(Metrics.bounds, counts.buckets) {
      lines.append("metube_hub_response_seconds_bucket{le=\"\(bound)\"} \(count)")
    }
    lines += [
      "metube_hub_response_seconds_bucket{le=\"+Inf\"} \(total)", "metube_hub_response_seconds_sum \(counts.seconds)",
      "metube_hub_response_seconds_count \(total)",
    ]
    for gauge in gauges {
      let name = "metube_hub_\(gauge.name)"
      lines += ["# HELP \(name) \(gauge.help)", "# TYPE \(name) gauge", "\(name) \(gauge.value)"]
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

/// What `/metrics` says of a database's pollers: what docs/postgresql.md says to watch.
extension Metrics {
  static func gauges(ofPollers accounts: Accounts) throws -> [Gauge] {
    let figures = try accounts.database.first(
      """
      SELECT (SELECT count(*) FROM poll_channel WHERE due < unix_time()),
        (SELECT count(*) FROM poll_channel WHERE due < unix_time() - 900),
        (SELECT coalesce(unix_time() - min(due), 0) FROM poll_channel WHERE due < unix_time()),
        (SELECT count(*) FROM poll_pause WHERE retry > unix_time()),
        (SELECT working FROM poller_life()),
        (SELECT coalesce(unix_time() - seen, -1) FROM poller_life()),
        lost,
        (SELECT count(*) FROM video_lookup WHERE due < unix_time()),
        (SELECT count(*) FROM pg_stat_activity
          WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0),
        (SELECT pg_database_size(current_database())),
        failing,
        (SELECT coalesce(sum(units_taken(
            known, (now() AT TIME ZONE 'America/Los_Angeles')::date - DATE '1970-01-01')), 0)::bigint
          FROM api_key AS known)
      FROM (SELECT count(*) FILTER (WHERE lease_until < unix_time()) AS lost,
          count(*) FILTER (
            WHERE due IS NOT NULL AND (failures > 0 OR answered IS NULL AND last_answer IS NOT NULL)) AS failing
        FROM poll_channel) AS feeds
      """
    ) { row in (0..<12).map { Int(row.int($0)) } }
    guard let figures else { return [] }
    let names = [
      ("feeds_due", "Feeds that are due."), ("feeds_late", "Feeds that are due for 15 minutes or more."),
      ("feeds_longest_wait_seconds", "How long the feed that is due longest waits."),
      ("poll_pauses", "Pauses of polling in force."), ("pollers", "Pollers that work."),
      ("poller_seen_seconds", "How long ago a poller was seen; -1 if none was for a week."),
      ("lost_claims", "Feeds claimed by pollers that did not finish them in time."),
      ("lookups_due", "Videos that wait for the Data API."),
      ("database_waits", "Connections of the database that wait for another one."),
      ("database_bytes", "Size of the database."), ("feeds_failing", "Feeds that fail."),
      ("api_units_today", "Units of the Data API that were used today."),
    ]
    return zip(names, figures).map { Gauge($0.0, $0.1, $1) }
  }
}
