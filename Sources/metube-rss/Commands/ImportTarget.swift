import Core
import EventLog

/// Where the events of an import go: into the log, or in a dry run into a state that is thrown away.
struct ImportTarget {
  private let session: Session
  /// The action of the import's events, once the first was appended.
  private var action: EventID?
  /// What would be so, in a dry run.
  private var rehearsal: State?
  private var clock: HybridClock

  init(_ session: Session, isDry: Bool) {
    self.session = session
    rehearsal = isDry ? session.state : nil
    clock = session.journal.clock
  }

  /// What is so now, or would be.
  var state: State { rehearsal ?? session.state }

  /// Appends what `decide` makes of the state, with one write, and returns it.
  mutating func commit(_ decide: (State) -> [EventBody]) throws -> [EventBody] {
    guard rehearsal == nil else { return rehearse(decide) }
    let events = try session.commit(action: action, decide)
    action = action ?? events.first?.action
    return events.map(\.body)
  }

  private mutating func rehearse(_ decide: (State) -> [EventBody]) -> [EventBody] {
    let bodies = decide(state)
    for body in bodies {
      // Above everything the log may hold, other devices' events of the next day too.
      let id = clock.next(now: Clock.milliseconds() + 2 * HybridClock.horizon)
      rehearsal?.apply(Event(id: id, action: id, body: body))
    }
    return bodies
  }
}
