import App
import ArgumentParser
import Arguments
import Core
import EventLog
import Library
import Messages
import Platform
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

      It asks before unfollowing anything, and before more than \(UndoPlan.maxUnconfirmed) changes.

      Examples:
        metube-rss watched 3 && metube-rss undo
        metube-rss undo --yes
      """)
  @OptionGroup var common: CommonOptions
  @Flag(help: "Do not ask for confirmation.") var yes = false

  /// The largest number of changes reported one by one.
  private static let maxReported = 5

  func run(in session: Session, to output: inout Output) throws {
    guard let action = try UndoPlan.lastAction(session) else {
      throw Failure(.partial, try UndoCommand.nothing(session))
    }
    let plan = try UndoPlan(action, session)
    if !yes, UndoPlan.isLarge(plan.bodies) {
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
    if events.count <= UndoCommand.maxReported {
      for text in try events.compactMap({ try UserMessages.outcome($0.body, in: session) }) {
        output.write("\(text)\n")
      }
    }
  }

  private static func nothing(_ session: Session) throws -> String {
    let kept = try session.library.device.map { device in try session.query { try $0.actions(of: device).count }
    }
    guard kept ?? 0 >= State.undoDepth else { return "no action to undo on this device" }
    return "the last \(State.undoDepth) actions on this device are undone; undo goes no further back"
  }

  /// `Undo 20 follows made 2 h ago (Adam Savage’s Tested, KEXP, NASA and 17 more)?`
  static func prompt(_ plan: UndoPlan, _ session: Session) throws -> String {
    let time = plan.action.timestamp.short(at: session.local)
    let named = try plan.bodies.prefix(3).map { try UserMessages.subject($0, in: session) }.joined(separator: ", ")
    let more = plan.bodies.count > 3 ? " and \(plan.bodies.count - 3) more" : ""
    return "Undo \(UserMessages.action(plan.done)) made \(time) (\(named)\(more))?"
  }
}
