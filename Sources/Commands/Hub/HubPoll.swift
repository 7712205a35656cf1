/// The poll of the hub: the terminal's, in a process that goes on.
package enum HubPoll {
  /// Polls what is due, or of these channels what was not requested within 15 minutes, with the terminal's pace, lock and
  /// state. Problems are reported on standard error.
  package static func run(home: String?, channels: [String] = []) {
    let words =
      ["--quiet", "--deadline=\(HubPoll.deadline)"] + (home.map { ["--home=\($0)"] } ?? []) + ["--"] + channels
    StandardError.reportFailure {
      do { try PollCommand.forHub(words).run() } catch is ExitStatus {}
    }
  }

  /// The most seconds that one poll takes, as of the timer.
  private static let deadline = 900

  /// Leaves signals to the caller; call this before the first poll.
  package static func adoptSignals() { Interrupt.adopt() }

  /// Ends a running poll and each later one, as the process ends: what they found is appended.
  package static func end() { Interrupt.raise() }
}
