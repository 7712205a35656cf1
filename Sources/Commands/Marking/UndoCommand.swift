import ArgumentParser
import Core
import EventLog
import Library
import ReadModel
import Terminal

/// `undo`: undoes the last action.
struct UndoCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo your last action on this device; repeat for the one before.",
    discussion: """
      Marks, follows, unfollows and imports can be undone, the last \(State.undoDepth) actions one
      by one. Polls decide nothing, so there is nothing in them to undo. Changes made
      later on another device stay; if that covers the whole action, undo says so and
      stops, and the next undo continues with the action before.

      It asks before unfollowing anything, and before more than \(UndoCommand.mostUnasked) changes.

      Examples:
        metube-rss watched 3 && metube-rss undo
        metube-rss undo --yes
      """)
  @OptionGroup var common: CommonOptions
  @Flag(help: "Do not ask for confirmation.") var yes = false

  /// The largest number of changes made without confirmation.
  private static let mostUnasked = 20
  /// The largest number of changes reported one by one.
  private static let mostTold = 5

  func run(in session: Session, to output: inout Output) throws {
    guard let action = try UndoCommand.lastAction(session) else {
      throw Failure(.partial, try UndoCommand.nothing(session))
    }
    let plan = try UndoPlan(action, session)
    if !yes, UndoCommand.isLarge(plan.bodies) {
      guard try Confirmation.isConfirmed(try UndoCommand.prompt(plan, session)) else {
        throw Failure(.partial, "nothing was undone")
      }
    }
    let events = try plan.carryOut(session)
    guard events.map(\.body) != [.actionUndone] else {
      let what = UserMessages.action(plan.done)
      throw Failure(.partial, "your last action (\(what)) was overridden by another device; nothing to undo")
    }
    output.write("undone: \(UserMessages.action(plan.done)) (\(UserMessages.count(events.count, "change")))\n")
    if events.count <= UndoCommand.mostTold {
      for words in try events.compactMap({ try UserMessages.outcome($0.body, in: session) }) {
        output.write("\(words)\n")
      }
    }
  }

  static func lastAction(_ session: Session) throws -> EventID? {
    try Session.reporting { try session.library.device.flatMap { try session.library.lastAction(of: $0) } }
  }

  private static func nothing(_ session: Session) throws -> String {
    let kept = try session.library.device.map { device in try session.query { try $0.actions(of: device).count }
    }
    guard kept ?? 0 >= State.undoDepth else { return "no action to undo on this device" }
    return "the last \(State.undoDepth) actions on this device are undone; undo goes no further back"
  }

  /// Whether to ask before it is done.
  static func isLarge(_ bodies: [EventBody]) -> Bool {
    bodies.count > mostUnasked
      || bodies.contains { body in
        switch body {
        case .channelUnfollowed, .handleUnfollowed: true
        default: false
        }
      }
  }

  /// `Undo 20 follows made 2 h ago (Adam Savage’s Tested, KEXP, NASA and 17 more)?`
  static func prompt(_ plan: UndoPlan, _ session: Session) throws -> String {
    let time = plan.action.timestamp.short(at: session.local)
    let named = try plan.bodies.prefix(3).map { try UserMessages.subject($0, in: session) }.joined(separator: ", ")
    let more = plan.bodies.count > 3 ? " and \(plan.bodies.count - 3) more" : ""
    return "Undo \(UserMessages.action(plan.done)) made \(time) (\(named)\(more))?"
  }
}

/// The events that undo one action, computed before the lock is taken because a large action takes time.
struct UndoPlan {
  let action: EventID
  /// The events of the action.
  let done: [Event]
  /// The events that undo them; empty if none of them is still in effect.
  let bodies: [EventBody]
  /// How far the logs were read when the plan was computed.
  private let extent: [Int: UInt64]

  init(_ action: EventID, _ session: Session) throws {
    self.action = action
    extent = session.library.extent
    (done, bodies) = try Session.reporting {
      let done = try session.library.events(of: action)
      return (done, try session.library.undoing(action, done))
    }
  }

  /// Appends the events, recomputed if the logs have grown since, and returns them. If there is nothing to undo, it
  /// appends one event without effect, so that the next undo continues with the action before.
  func carryOut(_ session: Session) throws -> [Event] {
    var isUndone = false
    let events = try session.commit(undoing: action) {
      isUndone = try session.library.model.undone().contains(action)
      guard !isUndone else { return [] }
      let isCurrent = session.library.extent == extent
      let bodies = isCurrent ? bodies : try session.library.undoing(action, done)
      return bodies.isEmpty ? [.actionUndone] : bodies
    }
    if isUndone { throw Failure(.partial, "another command has just undone the same action") }
    return events
  }
}
