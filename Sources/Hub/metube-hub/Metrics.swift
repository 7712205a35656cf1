import HubStore
import ReadModel
import SharedPollers
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

/// What `/metrics` says of a database's pollers: what docs/many.md says to watch.
extension Metrics {
  static func gauges(ofPollers accounts: Accounts) throws -> [Gauge] {
    guard let figures = try PollerFigures(accounts.database) else { return [] }
    return [
      Gauge("feeds_due", "Feeds that are due.", figures.due),
      Gauge("feeds_late", "Feeds that are due for 15 minutes or more.", figures.late),
      Gauge(
        "feeds_longest_wait_seconds", "How long the feed that is due longest waits.", figures.longestWaitSeconds),
      Gauge("poll_pauses", "Pauses of polling in force.", figures.pauses),
      Gauge("pollers", "Pollers that work.", figures.pollers),
      Gauge(
        "poller_seen_seconds", "How long ago a poller was seen; -1 if none was for a week.", figures.seenSeconds),
      Gauge("lost_claims", "Feeds claimed by pollers that did not finish them in time.", figures.lostClaims),
      Gauge("lookups_due", "Videos that wait for the Data API.", figures.lookupsDue),
      Gauge(
        "database_waits", "Connections of the database that wait for another one.", figures.waitingConnections),
      Gauge("database_bytes", "Size of the database.", figures.databaseBytes),
      Gauge("feeds_failing", "Feeds that fail.", figures.failing),
      Gauge("api_units_today", "Units of the Data API that were used today.", figures.unitsToday),
    ]
  }
}
