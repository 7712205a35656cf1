import Glibc
import HubCore
import HubLimits
import HubReaders
import HubStore

/// How feeds are polled: by this process, or by the pollers of a database.
protocol Polls: Sendable {
  /// Polls on request: all that is due, or what the variable parts of a route name.
  func start(for user: String?, _ parts: [String: String]) async throws -> PollStart
  /// What `/metrics` says of polls.
  func gauges(for user: String?) async throws -> [Metrics.Gauge]
}

/// Polls of files, which this process does itself.
struct FilePolls: Polls {
  let loop: PollLoop
  let services: UserServices

  func start(for _: String?, _: [String: String]) throws -> PollStart {
    if let problem = try services.obstacleToPolls { throw problem }
    return loop.start() ? .started : .running
  }

  /// Metrics of the feeds that the user follows.
  func gauges(for user: String?) async throws -> [Metrics.Gauge] {
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

/// Polls of a database: the user's feeds become due, and its pollers find them.
struct DatabasePolls: Polls {
  let services: UserServices
  let accounts: ConnectionPool<Accounts>

  func start(for user: String?, _ parts: [String: String]) async throws -> PollStart {
    try await services.run(user, on: \.writing) { try $0.requestPoll(of: parts) }
  }

  /// Of all feeds of the database.
  func gauges(for _: String?) async throws -> [Metrics.Gauge] {
    try await accounts.run(on: HubThreads.accounts) { try Metrics.gauges(ofPollers: $0) }
  }
}
