import HubCore
import Messages

/// What the page says of requests that are refused: its own labels instead of the names of members.
enum PageWords {
  /// A refused request as the page words it.
  static func problem(_ error: AppError) -> HubProblem {
    var problem = HubProblem(error)
    switch error {
    // These name no member, and the hub's own text names the next step.
    case .channel, .setting: break
    default: problem.detail = UserMessages.text(of: error, member: label)
    }
    return problem
  }

  /// A text of the API as a sentence: `There is no such path.`
  static func sentence(_ text: String) -> String {
    guard let first = text.first else { return text }
    let isClosed = text.last.map { ".!?…”".contains($0) } ?? true
    return first.uppercased() + text.dropFirst() + (isClosed ? "" : ".")
  }

  /// The label of the field that has a member.
  private static func label(_ member: RequestMember) -> String {
    switch member {
    case .since: "“Published since”"
    case .until: "“Published before”"
    case .seenBefore: "“Mark as watched what is older than”"
    case .olderThan: "“Published longer ago than”"
    case .minDuration: "“At least this long”"
    case .maxDuration: "“At most this long”"
    case .search: "The search"
    case .contains: "“Contains all of these words”"
    case .matches: "“Matches a pattern”"
    case .tag: "The tag"
    case .channel: "“Of the channel”"
    case .feed: "“Feed to check”"
    case .catchUp: "“Catch up”"
    case .mix: "“Mix”"
    case .oldest: "“Oldest”"
    case .newest: "“Newest”"
    case .sort: "The order"
    case .after: "The position in the list"
    case .field: "“In the”"
    case .snooze: "“Snooze until”"
    case .position: "“Watched up to”"
    }
  }
}
