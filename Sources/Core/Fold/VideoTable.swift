/// Every video the log speaks of, by id.
///
/// The one door to them: nothing outside depends on how they are kept.
package struct VideoTable: Sendable {
  private var videos: [VideoID: Video] = [:]

  package init() {}

  /// How many videos were found; those of which only a decision is known are not counted.
  package var count: Int { videos.values.reduce(0) { $0 + ($1.found == nil ? 0 : 1) } }

  /// The video with this id; also one of which only a decision is known.
  package subscript(id: VideoID) -> Video? { videos[id] }

  /// The video with this id, if it was found.
  package func found(_ id: VideoID) -> Video? { videos[id].flatMap { $0.found == nil ? nil : $0 } }

  /// Calls `body` with each video that was found, in no order.
  package func forEach(_ body: (Video) -> Void) {
    for video in videos.values where video.found != nil { body(video) }
  }

  /// The videos that were found and satisfy `predicate`, in no order.
  package func filter(_ predicate: (Video) -> Bool) -> [Video] {
    videos.values.filter { $0.found != nil && predicate($0) }
  }

  /// Calls `body` with each video that is in a collection, found or not, and with its memberships; in no order.
  func forEachCollected(_ body: (Video, [(name: String, since: EventID)]) -> Void) {
    for video in videos.values {
      let memberships = video.memberships
      if !memberships.isEmpty { body(video, memberships) }
    }
  }

  mutating func update(_ id: VideoID, _ body: (inout Video) -> Void) {
    body(&videos[id, default: Video(id: id)])
  }

  mutating func reserve(_ capacity: Int) { videos.reserveCapacity(capacity) }
}

extension VideoTable: Equatable {}
