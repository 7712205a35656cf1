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

  /// The figures in Prometheus' text format.
  func text(videos: Int, channels: Int, listeners: Int, connections: Int) -> String {
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
    for (name, help, value) in [
      ("videos", "Videos found.", videos), ("channels", "Subscriptions.", channels),
      ("listeners", "Open event streams.", listeners),
      ("connections", "Open connections.", connections),
    ] {
      lines += ["# HELP metube_hub_\(name) \(help)", "# TYPE metube_hub_\(name) gauge", "metube_hub_\(name) \(value)"]
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
