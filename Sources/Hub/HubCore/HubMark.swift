import App
import Core
import JSON
import Messages

/// Marks as requests have them: `{"video":"dQw4w9WgXcQ","status":"snoozed","until":"3d"}`.
extension MarkRequest {
  /// Reads a mark. Throws a `HubProblem` if it is malformed.
  package init(_ value: JSONValue, in session: Session) throws {
    guard case .object(let members) = value, let text = value["video"]?.string, let video = VideoID(text) else {
      throw HubProblem(400, "marks: each is an object with the ID of a video or an entry")
    }
    self.init(video: video, mark: Mark())
    var collection: NamedCollection?
    var isMember = true
    for member in members where member.name != "video" && member.value != .null {
      switch (member.name, member.value) {
      case ("collection", .string(let name)): collection = try NamedCollection(name, in: session)
      case ("member", .boolean(let value)): isMember = value
      default: try mark.take(member.name, member.value, in: session)
      }
    }
    guard (mark.status == .snoozed) == (mark.until != nil) else {
      throw HubProblem(400, "\(video): status snoozed and until go together")
    }
    if let collection { mark.memberships = [Mark.Membership(collection: collection, isMember: isMember)] }
    guard !mark.isEmpty else { throw HubProblem(400, "\(video): nothing to mark") }
  }
}

extension Mark {
  fileprivate mutating func take(_ name: String, _ value: JSONValue, in session: Session) throws {
    switch (name, value) {
    case ("status", .string(let text)):
      guard let status = Status(rawValue: text) else { throw HubProblem(400, "status: “\(text)” is not a status") }
      self.status = status
    case ("until", .string(let text)): until = try TimeArgument(text, after: session.now, .snooze).time
    case ("saved", .boolean(let saved)): self.saved = saved
    case ("note", .string(let note)): self.note = note
    case ("title", .string(let text)): title = SharedTitle(text)?.text
    case ("progressSeconds", .number(let number)):
      guard let seconds = Int(exactly: number), (0...Mark.maxPosition).contains(seconds) else {
        throw HubProblem(400, "progressSeconds: takes whole seconds")
      }
      progress = seconds
    case ("secondsAgo", .number(let number)):
      guard let seconds = Int(exactly: number), (0...Mark.maxDelay).contains(seconds) else {
        throw HubProblem(400, "secondsAgo: takes whole seconds, up to a year")
      }
      secondsAgo = seconds
    default: throw HubProblem(400, "\(name): unknown, or of the wrong type")
    }
  }

  /// The longest position in a video, in seconds: a month.
  package static let maxPosition = 31 * 86_400
  private static let maxDelay = 366 * 86_400
}
