import ArgumentParser
import Core
import EventLog

/// `undo`: takes back the last action.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back your last action on this device; again for the one before.",
    discussion: """
      Marks, follows, unfollows and imports can be taken back. Polls decide
      nothing, so there is nothing in them to take back.

      Examples:
        metube-rss watched 3 && metube-rss undo
      """)
  @OptionGroup var common: CommonOptions

  func run() throws {
    let session = try Session(common)
    guard let device = session.journal.device, let action = session.state.lastDecision(of: device) else {
      throw Failure(.inPart, "there is no action to take back on this device")
    }
    let done = try events(of: action, session)
    var problem: LogError?
    let events = try session.commit(undoing: action) { state in
      guard !state.undone.contains(action) else { return [] }
      do throws(LogError) {
        return try bodies(takingBack: done, of: action, undone: state.undone, in: session.journal)
      } catch {
        problem = error
        return []
      }
    }
    if let problem { throw Words.failure(problem) }
    var output = Output()
    output.write("taken back: \(Words.action(done)); \(Words.count(events.count, "change"))\n")
    try output.finish()
  }

  /// The events of an action.
  private func events(of action: EventID, _ session: Session) throws -> [Event] {
    do { return try session.journal.events(of: action) } catch { throw Words.failure(error) }
  }

  /// What takes an action back. What was taken back before counts as never done, so that a value which an undo brought
  /// back is that of the action it came from.
  private func bodies(
    takingBack events: [Event], of action: EventID, undone: Set<EventID>, in journal: Journal
  ) throws(LogError) -> [EventBody] {
    let state = try journal.stateWithout(actions: undone)
    let before = try journal.stateWithout(actions: undone.union([action]))
    return Undo.bodies(takingBack: events, from: state, to: before)
  }
}
