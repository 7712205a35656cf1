import Core

/// The words about what a list shows and hides.
extension Words {
  /// How many a list hides, by what, in the words of the options that show them.
  static func hidden(_ hidden: VideoSelection.Hidden) -> [String] {
    var parts: [String] = []
    if hidden.shorts > 0 { parts.append("\(count(hidden.shorts, "Short")) hidden") }
    if hidden.streams > 0 { parts.append("\(count(hidden.streams, "stream")) hidden") }
    if hidden.upcoming > 0 { parts.append("\(hidden.upcoming) upcoming hidden") }
    if hidden.rules > 0 { parts.append("\(hidden.rules) hidden by rules") }
    if hidden.unknownLength > 0 { parts.append("\(hidden.unknownLength) of unknown length") }
    return parts
  }

  /// What everything comes to where nothing is followed.
  static let followsNothing = "You follow nothing yet: metube-rss import FILE, or follow CHANNEL.\n"

  /// What an empty list comes to: all caught up only where the last poll checked all it asked, and lately.
  static func nothingNew(_ run: RunFinished, at time: Timestamp, now: LocalMoment) -> String {
    if let reason = run.stopped {
      return "Nothing new that is known of, but the last poll stopped: \(stopped(reason)).\n"
    }
    if run.failed > 0 {
      return "All caught up with what could be checked; metube-rss channels --failing has the rest.\n"
    }
    guard now.time.seconds(since: time) < 86_400 else {
      return "All caught up with the last poll, \(time.short(at: now)); metube-rss poll asks what came since.\n"
    }
    return "You're all caught up.\n"
  }

  /// Why the last poll stopped, where a heading has room for little.
  static func stoppedShort(_ reason: StopReason) -> String {
    switch reason {
    case .outage: "YouTube's feeds were failing"
    case .offline: "it was offline"
    case .refused: "YouTube refused (403)"
    case .tooMany: "YouTube refused (429)"
    case .deadline: "it ran out of time"
    case .interrupted: "it was interrupted"
    }
  }

  /// Why a run stopped, where a column has room for a word or two.
  static func stoppedWord(_ reason: StopReason) -> String {
    switch reason {
    case .outage: "outage"
    case .offline: "offline"
    case .refused: "refused (403)"
    case .tooMany: "refused (429)"
    case .deadline: "deadline"
    case .interrupted: "interrupted"
    }
  }

  /// Why a query has no answer.
  static func query(_ error: QueryError) -> Failure {
    switch error {
    case .cursorElsewhere(let video):
      Failure(.inPart, "--after: \(video) is not in this list; give the same options as for the page before")
    }
  }
}
