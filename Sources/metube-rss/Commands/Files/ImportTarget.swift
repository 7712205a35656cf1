import Core
import EventLog

/// Receives the events of an import: appends them to the log, or in a dry run applies them to a discarded state.
struct ImportTarget {
  private let session: Session
  /// The action ID of the import's events; nil until the first append.
  private var action: EventID?
  /// The state that a dry run would lead to; nil otherwise.
  private var rehearsal: State?
  private var clock: HybridClock

  init(_ session: Session, isDry: Bool) {
    self.session = session
    rehearsal = isDry ? session.state : nil
    clock = session.journal.clock
  }

  /// The current state, or in a dry run the resulting one.
  var state: State { rehearsal ?? session.state }

  /// Appends the events that `decide` derives from the state, with one write, and returns their bodies.
  mutating func commit(_ decide: (State) -> [EventBody]) throws -> [EventBody] {
    guard rehearsal == nil else { return rehearse(decide) }
    let events = try session.commit(action: action, decide)
    action = action ?? events.first?.action
    return events.map(\.body)
  }

  private mutating func rehearse(_ decide: (State) -> [EventBody]) -> [EventBody] {
    let bodies = decide(state)
    for body in bodies {
      // Later than any event the log may hold, including other devices' events of the next day.
      let id = clock.next(now: Clock.milliseconds() + 2 * HybridClock.horizon)
      rehearsal?.apply(Event(id: id, action: id, body: body))
    }
    return bodies
  }
}
