import Core
import EventLog
import Library
import Messages

/// What a user decides of a video; what is nil stays as it is. The one way in which any front end marks videos.
package struct Mark: Equatable, Sendable {
  package var status: Status?
  /// When a snooze ends; with status snoozed alone.
  package var until: Timestamp?
  package var saved: Bool?
  /// Empty removes it.
  package var note: String?
  /// The position, seconds.
  package var progress: Int?
  /// The collections that it gets into, or leaves.
  package var memberships: [Membership] = []
  /// What the program that shared the video calls it. Kept with a mark, while neither a feed nor anything else says it.
  package var title: String?
  /// How long ago the user decided it: a client without connection sends its marks later.
  package var secondsAgo = 0

  package init(
    status: Status? = nil, until: Timestamp? = nil, saved: Bool? = nil, note: String? = nil, progress: Int? = nil,
    memberships: [Membership] = [], secondsAgo: Int = 0
  ) {
    (self.status, self.until, self.saved, self.note, self.progress, self.memberships, self.secondsAgo) = (
      status, until, saved, note, progress, memberships, secondsAgo
    )
  }

  /// Whether a video is in a collection.
  package struct Membership: Equatable, Sendable {
    package var collection: NamedCollection
    package var isMember: Bool

    package init(collection: NamedCollection, isMember: Bool) {
      (self.collection, self.isMember) = (collection, isMember)
    }
  }

  /// Whether it says nothing but a position.
  package var isPosition: Bool {
    guard progress != nil else { return false }
    var position = Mark(progress: progress, secondsAgo: secondsAgo)
    position.title = title
    return self == position
  }

  /// Whether it decides nothing.
  package var isEmpty: Bool {
    var nothing = Mark(secondsAgo: secondsAgo)
    nothing.title = title
    return self == nothing
  }

  /// Takes over what a later mark of the same video says.
  mutating func override(with later: Mark) {
    if later.status != nil { (status, until) = (later.status, later.until) }
    saved = later.saved ?? saved
    note = later.note ?? note
    progress = later.progress ?? progress
    (title, secondsAgo) = (later.title ?? title, later.secondsAgo)
    for membership in later.memberships {
      memberships.removeAll { $0.collection.name == membership.collection.name }
      memberships.append(membership)
    }
  }

  /// The events that mark the video; none if it is marked so already, or was marked by an event after the user decided
  /// this. An expired snooze or a skipped upcoming video counts as new already, but not for good, so a status is recorded
  /// all the same. Throws if the position is beyond the end.
  package func bodies(for video: Video, at now: Timestamp) throws(AppError) -> [EventBody] {
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
    if !bodies.isEmpty, let body = description(of: video) { bodies.append(body) }
    return bodies
  }

  /// The description of a video that only the mark has; nil if it has none.
  private func description(of video: Video) -> EventBody? {
    guard let title, video.found == nil, !video.id.isEntry else { return nil }
    let shared = VideoDescribed(video: video.id, title: title, source: VideoDescribed.share)
    return shared.completing(video.described?.value).map { .videoDescribed($0) }
  }
}

/// A mark of one video.
package struct MarkRequest: Equatable, Sendable {
  package var video: VideoID
  package var mark: Mark

  package init(video: VideoID, mark: Mark) {
    (self.video, self.mark) = (video, mark)
  }

  /// One mark for each video, in the order of their first marks; of contradictory ones the last counts.
  package static func merged(_ requests: [MarkRequest]) -> [MarkRequest] {
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
  /// Marks videos in one action, or as part of `action`, also those that no feed has shown; returns the user's decisions.
  @discardableResult
  package func mark(_ requests: [MarkRequest], action: EventID? = nil) throws -> [Event] {
    let events = try commit(action: action) {
      try requests.flatMap { request -> [EventBody] in
        // Entries are named from lists; an ID of an unknown one is invalid.
        let known = try video(request.video)
        guard known != nil || !request.video.isEntry else { return [] }
        return try request.mark.bodies(for: known ?? Video(id: request.video), at: now)
      }
    }
    return events.filter(\.body.isUserAction)
  }

  /// Marks videos alike, in one action; returns the decisions.
  @discardableResult
  package func mark(_ videos: [VideoID], _ mark: Mark, action: EventID? = nil) throws -> [Event] {
    try self.mark(videos.map { MarkRequest(video: $0, mark: mark) }, action: action)
  }
}
