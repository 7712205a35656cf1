import Core
import EventLog
import ReadModel

/// A log and what it amounts to: what programs need of both, wherever they are kept.
///
/// Use one library per thread; whatever keeps the log coordinates between processes.
package protocol Library: AnyObject {
  var model: ReadModel { get }
  /// Under whose ID events are appended; nil before the first one.
  var device: DeviceID? { get }
  /// The clock that has observed every event that was read.
  var clock: HybridClock { get }
  /// The position in the log, as an opaque text that `events(after:maximum:)` takes.
  var position: String { get }
  /// What changes when the log that was read has grown.
  var extent: [Int: UInt64] { get }
  /// Whether a catalogue, which other users share, says what feeds reported.
  var hasCatalogue: Bool { get }

  /// Reads what was appended since, by whatever process.
  func refresh() throws
  /// What is broken in the logs as last read.
  var damage: [LogDamage] { get throws }
  /// Throws if nothing can be appended.
  func refuseDamage() throws
  /// Appends the events that `decide` derives from the state at the end of the log, and returns them once they are on
  /// disk. `action` is nil for a command's first batch.
  func commit(action: EventID?, undoing undone: EventID?, _ decide: () throws -> [EventBody]) throws -> [Event]
  /// What was found while appending, to be reported once.
  func takeNews() -> [LogFinding]

  /// The events of lines, read again; those that do not count are left out.
  func events(at positions: Set<LinePosition>) throws -> [Event]
  /// Events appended after a position, up to `maximum` read, and the position after them; nil if it is not a position
  /// of this log as it is now.
  func events(after position: String, maximum: Int) throws -> (events: [Event], position: String)?
  /// Whether an event's time is too far ahead to count yet.
  func isAhead(_ event: Event) -> Bool
  /// The text of a description.
  func text(of description: Description) throws -> String
  /// The texts of descriptions, in their order.
  func texts(of descriptions: [Description]) throws -> [String]
}

// MARK: Events again

extension Library {
  /// The events about a video, by ID, each once.
  package func events(about video: VideoID) throws -> [Event] {
    var events: [EventID: Event] = [:]
    for event in try self.events(at: model.positions(about: video)) where event.body.video == video {
      events[event.id] = event
    }
    return events.values.sorted { $0.id < $1.id }
  }

  /// The events of an action that decided something, in the order of the files.
  package func events(of action: EventID) throws -> [Event] {
    try events(at: model.positions(of: action)).filter { $0.body.isUserAction && $0.action == action }
  }

  /// The latest action of a device that its user decided and has not undone; nil if there is none.
  package func lastAction(of device: DeviceID) throws -> EventID? {
    let undone = try model.undone()
    return try model.actions(of: device).first { !undone.contains($0) }
  }

  /// The decisions as they would be without some actions and without what undid those, and as they would be without one
  /// action more; as far as they are about the same as some events are. What YouTube said is left out.
  package func states(
    without undone: Set<EventID>, and action: EventID, about events: [Event]
  ) throws -> (state: DecidedState, before: DecidedState) {
    let videos = Set(events.compactMap(\.body.video))
    var (later, earlier): ([Event], [Event]) = ([], [])
    for event in try self.events(at: model.positions(aboutSubjectsOf: events)) {
      guard event.setsDecision, !undone.contains(event.action), !isAhead(event) else { continue }
      if let undoes = event.undoes, undone.contains(undoes) { continue }
      if event.action == action || event.undoes == action { later.append(event) } else { earlier.append(event) }
    }
    // What an event changes does not depend on when it is applied.
    let model = try ReadModel(user: 0)
    let before = try Self.decided(earlier, videos, model)
    return (try Self.decided(later, videos, model), before)
  }

  /// The decisions once some events are applied too.
  private static func decided(
    _ events: [Event], _ videos: Set<VideoID>, _ model: ReadModel
  ) throws -> DecidedState {
    try model.apply(events)
    var known: [VideoID: Video] = [:]
    for video in videos { known[video] = try model.video(video) }
    return DecidedState(state: try model.state(), videos: known)
  }

  /// What undoes an action. What was undone before counts as never done, so that a value which an undo restored is that
  /// of the action it came from.
  package func undoing(_ action: EventID, _ events: [Event]) throws -> [EventBody] {
    let states = try states(without: try model.undone(), and: action, about: events)
    let before = states.before
    var state = states.state
    // What a channel without a setting shows depends on them.
    let setsPreferences = events.contains { if case .preferenceSet = $0.body { true } else { false } }
    if !setsPreferences { state.state.preferences = try model.preferences() }
    var videos: [VideoID: Video] = [:]
    for case .statusSet(let set) in Undo.bodies(takingBack: events, from: state, to: before)
    where set.status == .skipped {
      // Only of these it matters what YouTube said.
      videos[set.video] = try model.video(set.video)
    }
    return Undo.bodies(takingBack: events, from: state, to: before, in: videos)
  }
}

extension Event {
  /// Whether it writes a register that a decision writes too.
  fileprivate var setsDecision: Bool {
    switch body {
    case .videoFound(let found): found.status != nil
    case .entryFound(let found): found.status != nil
    case .feedChanged(let change): change.url != nil || body.isUserAction
    default: body.isUserAction
    }
  }
}
