import Core
import Terminal

/// Messages about what a list shows and hides.
extension Words {
  /// The numbers of hidden videos by reason, in the terms of the options that show them.
  static func hidden(_ hidden: VideoSelection.Hidden) -> [String] {
    var parts: [String] = []
    if hidden.shorts > 0 { parts.append("\(count(hidden.shorts, "Short")) hidden") }
    if hidden.streams > 0 { parts.append("\(count(hidden.streams, "stream")) hidden") }
    if hidden.upcoming > 0 { parts.append("\(hidden.upcoming) upcoming hidden") }
    if hidden.rules > 0 { parts.append("\(hidden.rules) hidden by rules") }
    if hidden.unknownLength > 0 { parts.append("\(hidden.unknownLength) of unknown length") }
    return parts
  }

  /// The reply of every command if there are no subscriptions.
  static let followsNothing = "You follow nothing yet: metube-rss import FILE, or follow CHANNEL.\n"

  /// The text of an empty list: all caught up only if the last poll was recent and none of its feeds failed.
  static func nothingNew(_ run: RunFinished, at time: Timestamp, now: LocalMoment) -> String {
    if let reason = run.stopped {
      return "Nothing new so far, but the last poll stopped: \(stopped(reason)).\n"
    }
    if run.failed > 0 {
      return "All caught up, except for failing feeds: see metube-rss channels --failing.\n"
    }
    guard now.time.seconds(since: time) < 86_400 else {
      return "All caught up as of the last poll (\(time.short(at: now))); run metube-rss poll to check again.\n"
    }
    return "You're all caught up.\n"
  }

  /// Why the last poll stopped, short enough for a heading.
  static func stoppedShort(_ reason: StopReason) -> String {
    switch reason {
    case .outage: "YouTube's feeds were failing"
    case .offline: "offline"
    case .refused: "YouTube refused (403)"
    case .tooMany: "YouTube refused (429)"
    case .deadline: "deadline passed"
    case .interrupted: "interrupted"
    }
  }

  /// Why a poll stopped, in one or two words for a column.
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

  /// Why a query failed.
  static func query(_ error: QueryError) -> Failure {
    switch error {
    case .cursorElsewhere(let video):
      Failure(.inPart, "--after: \(video) is not in this list; use the same options as for the previous page")
    }
  }
}
