import HubCore
import HubLimits

/// The figures of `/metrics`.
extension HubResponder {
  /// What the log of a user has, or the one log.
  private func counts(for user: String?) async throws -> HealthCheck.Counts {
    guard services.location.isShared else { return try await health.counts() }
    return try await services.run(user, on: \.reading) { try $0.counts() }
  }

  /// What `/metrics` says besides the responses.
  func gauges(for user: String?) async throws -> [Metrics.Gauge] {
    let (counts, health) = (try await counts(for: user), try await self.health.health())
    return [
      Metrics.Gauge("videos", "Videos found.", counts.videos),
      Metrics.Gauge("channels", "Subscriptions.", counts.channels),
      Metrics.Gauge("listeners", "Open event streams.", watch.count(of: user)),
      Metrics.Gauge("connections", "Open connections.", connections.count),
      Metrics.Gauge("waiting", "Requests that wait for a thread or a connection.", services.waiting),
      Metrics.Gauge("damaged_logs", "Logs with damaged lines, of all users.", health.damaged),
      Metrics.Gauge("writable", "Whether the files or the database take changes.", health.isWritable ? 1 : 0),
    ] + (try await polls.gauges(for: user))
  }
}
