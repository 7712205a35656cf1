import App
import Core
import EventLog
import Library
import Messages

/// The repair of the logs of a home: damaged lines come back from other copies in its folder, or are removed.
package struct LogRepair {
  private let session: Session
  private let damage: [DamagedLine]
  private let loss: LogFinding?

  /// Looks for damage in every line.
  package init(_ session: Session) throws {
    self.session = session
    damage = try Session.reporting { try session.files.journal.damage() }
    loss = session.files.journal.loss
  }

  package var isNeeded: Bool { !damage.isEmpty || loss != nil }

  /// What is damaged or lost, line by line.
  package var findings: [String] {
    damage.map(UserMessages.damage) + [loss.flatMap(UserMessages.finding)].compactMap(\.self)
  }

  /// What is asked before something changes.
  package var question: String {
    damage.isEmpty
      ? "Go on without the missing events?"
      : "Mend or remove \(UserMessages.count(damage.count, "line"))?"
  }

  /// Repairs the logs; returns what was done.
  package func run() throws -> [String] {
    var lines: [String] = []
    func mend() throws {
      let (mended, own) = try Session.reporting { try session.files.mendAll() }
      for file in mended { lines += UserMessages.mended(file) }
      if let own {
        let dropped = UserMessages.count(own.droppedLines, "line")
        lines.append("\(dropped) removed; original file: \(DisplayText(own.backup).text)")
      }
    }
    if session.home.catalogue == nil {
      // A running poll would write its validators back.
      try session.whilePolling {
        try mend()
        try PollStateFile(session).dropValidators()
        try WebPollStateFile(session.home).dropValidators()
      }
    } else {
      // What feeds say is in the catalogue.
      try mend()
    }
    session.report(session.library.takeNews())
    if loss != nil { lines.append("this device's log goes on without the missing events") }
    return lines
  }
}
