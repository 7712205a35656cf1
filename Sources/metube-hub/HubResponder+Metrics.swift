import Glibc
import HubCore
import HubStore

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
    ] + (try await pollGauges(for: user))
  }

  /// Of all feeds of a database, or of those that the user follows in files.
  private func pollGauges(for user: String?) async throws -> [Metrics.Gauge] {
    guard services.location.database == nil else {
      return try await gate.accounts.run(on: HubThreads.accounts) { try Metrics.gauges(ofPollers: $0) }
    }
    let figures = try await services.run(user, on: \.reading) { try $0.pollFigures() }
    let last = loop.times.last.map { Int(Int64(time(nil)) - $0) } ?? -1
    return [
      Metrics.Gauge("feeds_due", "Feeds that are due.", figures.due),
      Metrics.Gauge("feeds_late", "Feeds that are due for 15 minutes or more.", figures.late),
      Metrics.Gauge("feeds_longest_wait_seconds", "How long the feed that is due longest waits.", figures.longestWait),
      Metrics.Gauge("feeds_failing", "Feeds that fail.", figures.failing),
      Metrics.Gauge("api_units_today", "Units of the Data API that were used today.", figures.units),
      Metrics.Gauge("poll_pauses", "Pauses of polling in force.", figures.isPaused ? 1 : 0),
      Metrics.Gauge("poll_seconds", "How long ago this process last began to poll; -1 if it did not.", last),
    ]
  }
}
