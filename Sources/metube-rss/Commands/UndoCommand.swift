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
    for action in session.journal.device.map(session.state.decisions(of:)) ?? [] {
      let done = try events(of: action, session)
      // What another device has overwritten since leaves nothing to take back, and is stepped over.
      let events = try takeBack(action, done, session)
      if events.isEmpty { continue }
      return try tell(done, events, session)
    }
    throw Failure(.inPart, "there is no action to take back on this device")
  }

  private func takeBack(_ action: EventID, _ done: [Event], _ session: Session) throws -> [Event] {
    var problem: LogError?
    let events = try session.commit(undoing: action) { state in
      guard !state.undone.contains(action) else { return [] }
      do throws(LogError) {
        return try bodies(takingBack: done, of: action, in: state, session.journal)
      } catch {
        problem = error
        return []
      }
    }
    if let problem { throw Words.failure(problem) }
    return events
  }

  private func tell(_ done: [Event], _ events: [Event], _ session: Session) throws {
    var output = Output()
    output.write("taken back: \(Words.action(done)); \(Words.count(events.count, "change"))\n")
    if events.count <= UndoCommand.mostTold {
      for words in events.compactMap({ Words.outcome($0.body, in: session.state) }) { output.write("\(words)\n") }
    }
    try output.finish()
  }

  /// How many changes are told one by one.
  private static let mostTold = 5

  /// The events of an action.
  private func events(of action: EventID, _ session: Session) throws -> [Event] {
    do { return try session.journal.events(of: action) } catch { throw Words.failure(error) }
  }

  /// What takes an action back. What was taken back before counts as never done, so that a value which an undo brought
  /// back is that of the action it came from.
  private func bodies(
    takingBack events: [Event], of action: EventID, in whole: State, _ journal: Journal
  ) throws(LogError) -> [EventBody] {
    let state = try journal.stateWithout(actions: whole.undone, about: events)
    let before = try journal.stateWithout(actions: whole.undone.union([action]), about: events)
    return Undo.bodies(takingBack: events, from: state, to: before, in: whole)
  }
}
