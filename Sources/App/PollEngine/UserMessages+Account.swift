import Exporters
import Messages

extension UserMessages {
  /// What a synchronisation did: `120 read, 3 followed, 2 unfollowed`.
  package static func report(_ report: AccountMemory.Report) -> String {
    var parts = ["\(report.read) read", "\(report.followed) followed", "\(report.unfollowed) unfollowed"]
    if report.beyondLimit > 0 { parts.append("\(report.beyondLimit) beyond the limit of subscriptions") }
    return parts.joined(separator: ", ")
  }

  /// The report as JSON.
  package static func json(_ report: AccountMemory.Report) -> JSONLine {
    var line = JSONLine()
    line.add("file", "google")
    line.add("read", report.read)
    line.add("new", report.followed)
    line.add("unfollowed", report.unfollowed)
    line.add("beyondLimit", report.beyondLimit)
    return line
  }

  /// Why a list is doubtful, with its numbers.
  package static func doubt(_ question: AccountMemory.Question) -> String {
    let missing = count(question.channels.count, "channel")
    let followed = "\(missing) of the \(question.brought) that came from the account"
    return switch question.doubt {
    case .empty: "YouTube's list is empty, which would unfollow \(followed)"
    case .cut:
      "YouTube's list has \(question.listed) of \(question.listed + question.missing) channels, which would unfollow "
        + followed
    case .halved: "YouTube's list has only \(count(question.listed, "channel")), which would unfollow \(followed)"
    }
  }
}
