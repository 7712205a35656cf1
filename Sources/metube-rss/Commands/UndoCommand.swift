import ArgumentParser
import Core
import EventLog

/// `undo`: takes back the last action.
struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Take back your last action on this device; again for the one before.",
    discussion: """
      Marks, follows, unfollows and imports can be taken back. Polls decide nothing, so there is nothing in them to
      take back.

      Example:
        metube-rss watched 3 && metube-rss undo
      """)
  @OptionGroup var common: CommonOptions

  func run() throws {
    let session = try Session(common)
    guard let device = session.journal.device, let action = session.state.lastDecision(of: device) else {
      throw Failure(.inPart, "there is no action to take back on this device")
    }
    let (done, before) = try history(of: action, session)
    let events = try session.commit(undoing: action) { state in
      guard !state.undone.contains(action) else { return [] }
      return Undo.bodies(takingBack: done, from: state, to: before)
    }
    var output = Output()
    output.write("taken back: \(Words.action(done)); \(Words.count(events.count, "change"))\n")
    try output.finish()
  }

  /// The events of an action, and the decisions as they would be without it.
  private func history(of action: EventID, _ session: Session) throws -> (events: [Event], before: State) {
    do {
      return (try session.journal.events(of: action), try session.journal.stateWithout(action: action))
    } catch { throw Words.failure(error) }
  }
}
