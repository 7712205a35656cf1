import Core
import Library
import Platform
import ReadModel

/// The events that undo one action, computed before the lock is taken because a large action takes time.
package struct UndoPlan {
  package let action: EventID
  /// The events of the action.
  package let done: [Event]
  /// The events that undo them; empty if none of them is still in effect.
  package let bodies: [EventBody]
  /// The ends of the logs when the plan was computed.
  private let extent: [Int: UInt64]

  package init(_ action: EventID, _ session: Session) throws {
    self.action = action
    extent = session.library.extent
    (done, bodies) = try Session.reporting {
      let done = try session.library.events(of: action)
      return (done, try session.library.undoing(action, done))
    }
  }

  /// Appends the events, recomputed if the logs have grown since, and returns them. If there is nothing to undo, it
  /// appends one event without effect, so that the next undo continues with the action before.
  package func carryOut(_ session: Session) throws -> [Event] {
    var isUndone = false
    let events = try session.commit(undoing: action) {
      isUndone = try session.library.model.undone().contains(action)
      guard !isUndone else { return [] }
      let isCurrent = session.library.extent == extent
      let bodies = isCurrent ? bodies : try session.library.undoing(action, done)
      return bodies.isEmpty ? [.actionUndone] : bodies
    }
    if isUndone { throw Failure(ActionError.undoneMeanwhile) }
    return events
  }

  /// The last action of this device; nil if nothing of it can be undone.
  package static func lastAction(_ session: Session) throws -> EventID? {
    try Session.reporting { try session.library.device.flatMap { try session.library.lastAction(of: $0) } }
  }

  /// The largest number of changes made without confirmation.
  package static let maxUnconfirmed = 20

  /// Whether to ask before it is done.
  package static func isLarge(_ bodies: [EventBody]) -> Bool {
    bodies.count > maxUnconfirmed
      || bodies.contains { body in
        switch body {
        case .channelUnfollowed, .handleUnfollowed, .feedUnfollowed: true
        default: false
        }
      }
  }
}
