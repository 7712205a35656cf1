import ArgumentParser
import Core
import EventLog

/// `undo`: takes back the last action.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back your last action on this device; again for the one before.",
    discussion: """
      Marks, follows, unfollows and imports can be taken back, the last \(State.undoDepth) actions
      one after the other. Polls decide nothing, so there is nothing in them to take
      back. What another device has decided since stays; where that is all of an
      action, undo says so and stops, and given again goes on to the one before.

      It asks before it unfollows anything, and before more than \(UndoCommand.mostUnasked) changes.

      Examples:
        metube-rss watched 3 && metube-rss undo
        metube-rss undo --yes
      """)
  @OptionGroup var common: CommonOptions
  @Flag(name: .long, help: "Do not ask.")
  var yes = false

  /// How many changes are made without a question.
  private static let mostUnasked = 20
  /// How many changes are told one by one.
  private static let mostTold = 5

  func run() throws {
    let session = try Session(common)
    guard let action = session.journal.device.flatMap(session.state.lastDecision(of:)) else {
      throw Failure(.inPart, UndoCommand.nothing(session))
    }
    let plan = try UndoPlan(action, session)
    if !yes, UndoCommand.isLarge(plan.bodies) {
      guard try Question.isAnsweredYes(UndoCommand.question(plan, session)) else {
        throw Failure(.inPart, "nothing was taken back")
      }
    }
    let events = try plan.carryOut(session)
    guard events.map(\.body) != [.actionUndone] else {
      let what = Words.action(plan.done)
      throw Failure(.inPart, "your last action (\(what)): another device has decided since; nothing to take back")
    }
    try tell(plan.done, events, session)
  }

  private func tell(_ done: [Event], _ events: [Event], _ session: Session) throws {
    var output = Output()
    output.write("taken back: \(Words.action(done)); \(Words.count(events.count, "change"))\n")
    if events.count <= UndoCommand.mostTold {
      for words in events.compactMap({ Words.outcome($0.body, in: session.state) }) { output.write("\(words)\n") }
    }
    try output.finish()
  }

  private static func nothing(_ session: Session) -> String {
    let kept = session.journal.device.flatMap { session.state.decisions[$0]?.count } ?? 0
    guard kept >= State.undoDepth else { return "there is no action to take back on this device" }
    return "the last \(State.undoDepth) actions on this device are taken back; undo goes no further"
  }

  private static func isLarge(_ bodies: [EventBody]) -> Bool {
    bodies.count > mostUnasked
      || bodies.contains { body in
        switch body {
        case .channelUnfollowed, .handleUnfollowed: true
        default: false
        }
      }
  }

  /// `Take back 20 follows, of 2 h ago: Adam Savage’s Tested, KEXP, NASA and 17 more?`
  private static func question(_ plan: UndoPlan, _ session: Session) -> String {
    let time = plan.action.timestamp.short(at: session.local)
    let named = plan.bodies.prefix(3).map { Words.subject($0, in: session.state) }.joined(separator: ", ")
    let more = plan.bodies.count > 3 ? " and \(plan.bodies.count - 3) more" : ""
    return "Take back \(Words.action(plan.done)), of \(time): \(named)\(more)?"
  }
}

/// What takes one action back, decided before anything is locked: a large action takes the reading of the whole log.
private struct UndoPlan {
  let action: EventID
  /// The events of the action.
  let done: [Event]
  /// What takes them back; empty where nothing of them stands.
  let bodies: [EventBody]
  /// How far the logs were read when it was decided.
  private let extent: [UInt32: UInt64]

  init(_ action: EventID, _ session: Session) throws {
    self.action = action
    extent = session.journal.extent
    do {
      done = try session.journal.events(of: action)
      bodies = try UndoPlan.bodies(takingBack: done, of: action, in: session.state, session.journal)
    } catch { throw Words.failure(error) }
  }

  /// Appends it; decided anew where the logs have grown since. Returns the events; one that changes nothing where there
  /// was nothing to take back, so that the next undo goes on to the action before.
  func carryOut(_ session: Session) throws -> [Event] {
    var problem: LogError?
    var isUndone = false
    let events = try session.commit(undoing: action) { state in
      isUndone = state.undone.contains(action)
      guard !isUndone else { return [] }
      do throws(LogError) {
        let journal = session.journal
        let bodies =
          journal.extent == extent
          ? bodies : try UndoPlan.bodies(takingBack: done, of: action, in: state, journal)
        return bodies.isEmpty ? [.actionUndone] : bodies
      } catch {
        problem = error
        return []
      }
    }
    if let problem { throw Words.failure(problem) }
    if isUndone { throw Failure(.inPart, "another command has just taken back the same action") }
    return events
  }

  /// What takes an action back. What was taken back before counts as never done, so that a value which an undo brought
  /// back is that of the action it came from.
  private static func bodies(
    takingBack events: [Event], of action: EventID, in whole: State, _ journal: Journal
  ) throws(LogError) -> [EventBody] {
    let (state, before) = try journal.states(without: whole.undone, and: action, about: events)
    return Undo.bodies(takingBack: events, from: state, to: before, in: whole)
  }
}
