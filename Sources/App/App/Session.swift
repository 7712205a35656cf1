import Core
import EventLog
import Library
import Messages
import Platform
import ReadModel
import SQLDrivers
import Terminal

/// The context of a command or a request: what it works on, and the time at which it began.
package struct Session {
  package let workspace: any Workspace
  package private(set) var now: Timestamp
  let preferenceMemo = PreferenceMemo()
  /// The maximum number of subscriptions after a commit, and of those that are shown and polled; nil for no limit.
  package var maxSubscriptions: Int? { didSet { workspace.limitSubscriptions(to: maxSubscriptions) } }

  /// A session that begins at a time, in milliseconds since 1970; nil for the current one.
  package init(_ workspace: any Workspace, at milliseconds: UInt64? = nil) {
    self.workspace = workspace
    now = Session.time(milliseconds ?? workspace.milliseconds)
  }

  private static func time(_ milliseconds: UInt64) -> Timestamp { Timestamp(seconds: Int64(milliseconds / 1000)) }

  package var settings: Settings { workspace.settings }
  package var library: any Library { workspace.library }

  /// Reports what the user should know of these.
  package func report(_ findings: [LogFinding]) {
    for finding in findings { if let message = UserMessages.finding(finding) { StandardError.report(message) } }
  }

  /// Calls `body` with failures of the log and the read model turned into messages.
  package static func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as LogError {
      throw UserMessages.failure(error)
    } catch let error as DatabaseError {
      throw UserMessages.failure(error)
    } catch let error as QueryError {
      throw AppError.cursor(error)
    }
  }

  /// Brings what is known up to date, for a process that goes on: what was appended since, and the time.
  package mutating func refresh() throws {
    now = Session.time(workspace.milliseconds)
    try Session.reporting { try library.refresh() }
  }

  /// The current time in the user's time zone.
  package var local: LocalTime {
    // A log that cannot be read must not prevent messages that contain a time.
    (try? preferences)?.local(at: now) ?? LocalTime(now, dates: Clock.dates, offset: Clock.offset)
  }

  /// The current state, but for the videos; without the subscriptions beyond the limit.
  package var state: State {
    get throws {
      let state = try wholeState
      return maxSubscriptions.map(state.limited(to:)) ?? state
    }
  }

  /// The current state, but for the videos.
  private var wholeState: State {
    get throws { try Session.reporting { try library.model.state() } }
  }

  /// How many subscriptions of the log are beyond the limit, and so neither shown nor polled.
  package var leftOutSubscriptions: Int {
    get throws { try maxSubscriptions.map { try max(0, wholeState.followedCount - $0) } ?? 0 }
  }

  /// The video with this ID; also if only a decision about it is known.
  package func video(_ id: VideoID) throws -> Video? { try Session.reporting { try library.model.video(id) } }

  /// Asks the read model.
  package func query<Result>(_ body: (ReadModel) throws -> Result) throws -> Result {
    try Session.reporting { try body(library.model) }
  }

  /// The rows of videos as views show them; those that were never found are left out unless `alsoUnseen`.
  package func rows(_ videos: some Sequence<VideoID>, alsoUnseen: Bool = false) throws -> [VideoRow] {
    let (found, sources) = try query { try $0.videos(videos, alsoUnseen: alsoUnseen) }
    let awaitsExchange = awaitsExchange
    return found.map { video in
      var row = VideoRow(video, in: sources, at: now) ?? VideoRow(unseen: video, in: sources, at: now)
      row.isStatusKnown = !awaitsExchange || video.statusChanged != nil
      return row
    }
  }

  /// Whether the status of a video that has none on this device is unknown, because its hub may have one.
  package var awaitsExchange: Bool { workspace.files?.awaitsExchange ?? false }

  /// The title of a video, by its feed or as described; empty if unknown.
  package func title(of id: VideoID) throws -> String { try query { try $0.title(of: id) } ?? "" }

  /// The title of a subscription; its ID if nothing is known of it.
  package func title(of id: SubscriptionID) throws -> String {
    try query { try $0.state(of: [id]) }.channels[id]?.title ?? "\(id)"
  }

  /// Appends the events that `decide` derives from what the log says at its end, as one batch; returns them.
  @discardableResult
  package func commit(
    action: EventID? = nil, undoing: EventID? = nil, _ decide: () throws -> [EventBody]
  ) throws -> [Event] {
    defer { report(library.takeNews()) }
    return try Session.reporting {
      try library.commit(action: action, undoing: undoing) {
        let events = try decide()
        try checkSubscriptions(after: events)
        return events
      }
    }
  }

  /// Throws if events lead to more subscriptions than there may be. What was followed is not counted again.
  private func checkSubscriptions(after events: [EventBody]) throws {
    guard let maximum = maxSubscriptions else { return }
    let added = events.compactMap { event -> String? in
      switch event {
      case .channelFollowed(let body): body.subscription.description
      case .handleFollowed(let body): body.handle
      case .feedFollowed(let body): body.feed.description
      default: nil
      }
    }
    guard !added.isEmpty else { return }
    let state = try wholeState
    let known = Set(state.followed.map(\.id.description) + state.unresolved.map(\.handle))
    let count = known.union(added).count
    guard count > maximum, count > known.count else { return }
    throw Failure(ActionError.tooManySubscriptions(count, limit: maximum))
  }
}
