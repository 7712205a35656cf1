import App
import Core
import Library
import PollEngine
import ReadModel

/// Polls on request with a database: they make feeds due, which all pollers look for every two seconds. With files the
/// server polls instead.
extension HubService {
  /// Makes feeds due now by their IDs; nil for all. Returns false if some of them were due or being requested already.
  /// With files it changes nothing.
  @discardableResult
  package func hurry(_ ids: [SubscriptionID]?) throws -> Bool {
    try session.workspace.hurry(ids, limit: HubService.maxHurried)
  }

  /// The feeds of a user that are polled on request in 15 minutes, so that one user cannot take all requests.
  private static let maxHurried = 200
}

/// What a request for a poll led to.
package enum PollStart: Equatable, Sendable {
  case started
  /// A poll runs already, or feeds are due already.
  case running
  /// The feeds are due, but no poller works; the last one was seen then, nil if none was within a week.
  case waiting(seen: Timestamp?)

  /// The word of the API.
  package var state: String {
    switch self {
    case .started: "started"
    case .running: "running"
    case .waiting: "waiting"
    }
  }

  /// When the last poller was seen, if none works.
  package var seen: Timestamp? { if case .waiting(let seen) = self { seen } else { nil } }
}

/// How many feeds of a user wait for a poll or fail, and what the Data API has been used.
package struct PollFigures: Sendable {
  package var due: Int
  /// Due for a quarter of an hour or more, in which each poll should have come.
  package var late: Int
  /// Seconds since the one that waits longest became due.
  package var longestWait: Int
  package var isPaused: Bool
  package var failing: Int
  /// The units of the Data API that were used today; 0 without a key.
  package var units: Int
}

extension HubService {
  /// The feeds that the user follows, or all of a home.
  package func pollFigures() throws -> PollFigures {
    try refresh()
    let report = try StatusReport(session, runs: 0)
    let waits = report.dueTimes.map { Int(session.now.seconds(since: $0)) }.filter { $0 >= 0 }
    return PollFigures(
      due: waits.count, late: waits.count { $0 >= PollPlan.floor }, longestWait: waits.max() ?? 0,
      isPaused: report.pause != nil, failing: report.failing.count, units: report.unitsUsed)
  }
}
