import Core
import EventLog
import Library

/// What a user decides of a video; what is nil stays as it is. The one way in which any front end marks videos.
package struct Mark: Equatable, Sendable {
  var status: Status?
  /// When a snooze ends; with status snoozed alone.
  var until: Timestamp?
  var saved: Bool?
  /// Empty removes it.
  var note: String?
  /// The position, seconds.
  var progress: Int?
  /// The collections that it gets into, or leaves.
  var memberships: [Membership] = []
  /// How long ago the user decided it: a client without connection sends its marks later.
  var secondsAgo = 0

  /// Whether a video is in a collection.
  package struct Membership: Equatable, Sendable {
    var collection: NamedCollection
    var isMember: Bool
  }

  /// Whether it says nothing but a position.
  var isPosition: Bool { progress != nil && self == Mark(progress: progress, secondsAgo: secondsAgo) }

  /// Takes over what a later mark of the same video says.
  mutating func override(with later: Mark) {
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

  /// The events that mark the video; none if it is marked so already, or was marked by an event after the user decided
  /// this. An expired snooze or a skipped upcoming video counts as new already, but not for good, so a status is recorded
  /// all the same. Throws if the position is beyond the end.
  func bodies(for video: Video, at now: Timestamp) throws(AppError) -> [EventBody] {
    let decided = now.adding(seconds: -Int64(secondsAgo))
    func isCurrent(_ last: EventID?) -> Bool { secondsAgo == 0 || last.map { $0.timestamp <= decided } ?? true }
    var bodies: [EventBody] = []
    if let status, isCurrent(video.statusChanged) {
      let at = status == .watched && secondsAgo > 0 ? decided : nil
      let wanted = StatusSet(video: video.id, status: status, until: until, at: at)
      let isSet =
        status == .snoozed
        ? video.statusSet == wanted : video.statusSet.status == status && video.status(at: now) == status
      if !isSet { bodies.append(.statusSet(wanted)) }
    }
    if let saved, saved != video.isSaved, isCurrent(video.saved?.id) {
      bodies.append(.savedSet(SavedSet(video: video.id, saved: saved)))
    }
    if let note, note != video.note, isCurrent(video.noteSet?.id) {
      bodies.append(.noteSet(NoteSet(video: video.id, text: note)))
    }
    if let progress, progress != video.progress, isCurrent(video.progressSet?.id) {
      if let end = video.duration, progress > end { throw .beyondEnd(progress, of: video.id, end: end) }
      bodies.append(.progressSet(ProgressSet(video: video.id, seconds: progress)))
    }
    for membership in memberships where isCurrent(video.memberships[membership.collection.name]?.id) {
      if let body = membership.collection.mark(video, member: membership.isMember) { bodies.append(body) }
    }
    return bodies
  }
}

/// A mark of one video.
package struct MarkRequest: Equatable, Sendable {
  var video: VideoID
  var mark: Mark

  /// One mark for each video, in the order of the first ones; of what several say, the last counts.
  static func merged(_ requests: [MarkRequest]) -> [MarkRequest] {
    var indices: [VideoID: Int] = [:]
    var merged: [MarkRequest] = []
    for request in requests {
      if let index = indices[request.video] {
        merged[index].mark.override(with: request.mark)
      } else {
        indices[request.video] = merged.count
        merged.append(request)
      }
    }
    return merged
  }
}

extension Session {
  /// Marks videos in one action, or as part of `action`; returns the events, and the videos that no feed has shown, which
  /// are marked only if `alsoUnseen`.
  func mark(
    _ requests: [MarkRequest], action: EventID? = nil, alsoUnseen: Bool = false
  ) throws -> (events: [Event], unknown: [VideoID]) {
    var unknown: [VideoID] = []
    let events = try commit(action: action) {
      unknown = []
      return try requests.flatMap { request -> [EventBody] in
        let video = try video(request.video)
        guard alsoUnseen || video?.found != nil else {
          unknown.append(request.video)
          return []
        }
        return try request.mark.bodies(for: video ?? Video(id: request.video), at: now)
      }
    }
    return (events, unknown)
  }

  /// Marks videos alike, in one action; returns the events.
  @discardableResult
  func mark(_ videos: [VideoID], _ mark: Mark, action: EventID? = nil, alsoUnseen: Bool = false) throws -> [Event] {
    try self.mark(videos.map { MarkRequest(video: $0, mark: mark) }, action: action, alsoUnseen: alsoUnseen).events
  }
}
