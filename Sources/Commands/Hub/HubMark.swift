import Core
import JSON

/// One mark of a request: `{"video":"dQw4w9WgXcQ","status":"snoozed","until":"3d"}`.
struct HubMark {
  let video: VideoID
  private var status: Status?
  private var until: Timestamp?
  private var saved: Bool?
  private var note: String?
  private var progress: Int?
  private var collection: NamedCollection?
  private var isMember = true
  /// How long ago the user decided it: a client without connection sends its marks later.
  private var secondsAgo = 0
  /// The collections of the request's marks of this video.
  private var memberships: [(collection: NamedCollection, isMember: Bool)] = []

  /// Reads a mark. Throws a `HubProblem` if it is malformed.
  init(_ value: JSONValue, in session: Session) throws {
    guard case .object(let members) = value, let text = value["video"]?.string, let video = VideoID(text) else {
      throw HubProblem(400, "marks: each is an object with a video, an ID of 11 characters")
    }
    self.video = video
    for member in members where member.name != "video" && member.value != .null {
      try take(member.name, member.value, in: session)
    }
    guard (status == .snoozed) == (until != nil) else {
      throw HubProblem(400, "\(video): status snoozed and until go together")
    }
    guard status != nil || saved != nil || note != nil || progress != nil || collection != nil else {
      throw HubProblem(400, "\(video): nothing to mark")
    }
    if let collection { memberships = [(collection, isMember)] }
  }

  private mutating func take(_ name: String, _ value: JSONValue, in session: Session) throws {
    switch (name, value) {
    case ("status", .string(let text)):
      guard let status = Status(rawValue: text) else { throw HubProblem(400, "status: “\(text)” is not a status") }
      self.status = status
    case ("until", .string(let text)): until = try TimeArgument(text, after: session.now, argument: "until").time
    case ("saved", .boolean(let saved)): self.saved = saved
    case ("note", .string(let note)): self.note = note
    case ("progressSeconds", .number(let number)):
      guard let seconds = Int(exactly: number), (0...HubMark.longest).contains(seconds) else {
        throw HubProblem(400, "progressSeconds: takes whole seconds")
      }
      progress = seconds
    case ("collection", .string(let name)): collection = try NamedCollection(name, in: session)
    case ("member", .boolean(let member)): isMember = member
    case ("secondsAgo", .number(let number)):
      guard let seconds = Int(exactly: number), (0...HubMark.longestDelay).contains(seconds) else {
        throw HubProblem(400, "secondsAgo: takes whole seconds, up to a year")
      }
      secondsAgo = seconds
    default: throw HubProblem(400, "\(name): unknown, or of the wrong type")
    }
  }

  /// The longest position in a video, in seconds: a month.
  private static let longest = 31 * 86_400
  private static let longestDelay = 366 * 86_400

  /// The events that mark the video; none if it is marked so already, or was marked by an event after the user decided
  /// this.
  func bodies(for video: Video, at now: Timestamp) throws -> [EventBody] {
    let decided = now.adding(seconds: -Int64(secondsAgo))
    func isCurrent(_ last: EventID?) -> Bool { secondsAgo == 0 || last.map { $0.timestamp <= decided } ?? true }
    var bodies: [EventBody] = []
    if let status, isCurrent(video.statusChanged) {
      let at = status == .watched && secondsAgo > 0 ? decided : nil
      let wanted = StatusSet(video: video.id, status: status, until: until, at: at)
      let isSo =
        status == .snoozed
        ? video.statusSet == wanted : video.statusSet.status == status && video.status(at: now) == status
      if !isSo { bodies.append(.statusSet(wanted)) }
    }
    if let saved, saved != video.isSaved, isCurrent(video.saved?.id) {
      bodies.append(.savedSet(SavedSet(video: video.id, saved: saved)))
    }
    if let note, note != video.note, isCurrent(video.noteSet?.id) {
      bodies.append(.noteSet(NoteSet(video: video.id, text: note)))
    }
    if let progress, progress != video.progress, isCurrent(video.progressSet?.id) {
      if let duration = video.duration, progress > duration {
        throw HubProblem(400, "\(video.id): progressSeconds is beyond the end, \(duration)")
      }
      bodies.append(.progressSet(ProgressSet(video: video.id, seconds: progress)))
    }
    for membership in memberships where isCurrent(video.memberships[membership.collection.name]?.id) {
      if let body = membership.collection.mark(video, member: membership.isMember) { bodies.append(body) }
    }
    return bodies
  }

  /// Whether it says nothing but a position.
  var isPosition: Bool { progress != nil && status == nil && saved == nil && note == nil && memberships.isEmpty }

  /// One mark for each video, in the order of the first ones; of what several say, the last counts.
  static func merged(_ marks: [HubMark]) -> [HubMark] {
    var places: [VideoID: Int] = [:]
    var merged: [HubMark] = []
    for mark in marks {
      if let place = places[mark.video] {
        merged[place].override(with: mark)
      } else {
        places[mark.video] = merged.count
        merged.append(mark)
      }
    }
    return merged
  }

  private mutating func override(with later: HubMark) {
    if later.status != nil { (status, until) = (later.status, later.until) }
    saved = later.saved ?? saved
    note = later.note ?? note
    progress = later.progress ?? progress
    secondsAgo = later.secondsAgo
    for membership in later.memberships {
      memberships.removeAll { $0.collection.name == membership.collection.name }
      memberships.append(membership)
    }
  }
}
