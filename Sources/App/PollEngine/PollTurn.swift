import Core

/// What a pace that several processes share allows now.
package enum PollTurn {
  /// One request may be sent.
  case now
  /// No request for this many milliseconds.
  case wait(Int)
  /// None: another process found out that requests have to pause.
  case paused(StopReason)
  /// None: the time for requests is over.
  case over
}

/// The pace that several processes share, as one poll or lookup uses it.
package struct PollTurns {
  /// Takes a turn.
  package let next: () throws -> PollTurn
  /// Whether the time for requests is over.
  package let isOver: () -> Bool

  package init(next: @escaping () throws -> PollTurn, isOver: @escaping () -> Bool) {
    (self.next, self.isOver) = (next, isOver)
  }
}
