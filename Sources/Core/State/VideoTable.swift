/// Every video the log speaks of, by id.
///
/// The one door to them: nothing outside depends on how they are kept. Most are in a snapshot, which is never changed;
/// those that an event changed since are beside it, and count in place of the snapshot's.
package struct VideoTable: Sendable {
  private let base: VideoSnapshot?
  private var changed = VideoList()

  /// No video.
  package init() { base = nil }

  /// The videos of a snapshot.
  init(over base: VideoSnapshot) { self.base = base }

  /// How many videos were found; those of which only a decision is known are not counted.
  package var count: Int {
    let found = changed.videos.reduce(0) { $0 + ($1.found == nil ? 0 : 1) }
    guard let base else { return found }
    return base.found + found - replacedRows.count { $0 < base.found }
  }

  /// How many videos are in memory, and how many in the snapshot; those that are in both are counted twice.
  package var changedCount: Int { changed.count }
  package var storedCount: Int { base?.rows ?? 0 }

  /// Where most of them are; nil where all are in memory.
  var snapshot: VideoSnapshot? { base }

  /// Whether those that are stored are in a snapshot.
  func isStored(in snapshot: VideoSnapshot) -> Bool { base === snapshot }

  /// The video with this id; also one of which only a decision is known.
  package subscript(id: VideoID) -> Video? { changed[id] ?? base?.video(of: id) }

  /// The video with this id, if it was found.
  package func found(_ id: VideoID) -> Video? { self[id].flatMap { $0.found == nil ? nil : $0 } }

  /// Calls `body` with each video that was found, in no order.
  package func forEach(_ body: (Video) -> Void) {
    if changed.isEmpty {
      base?.forEach(rows: base?.found ?? 0, body)
    } else {
      base?.forEach(rows: base?.found ?? 0) { if !changed.contains($0.id) { body($0) } }
    }
    for video in changed.videos where video.found != nil { body(video) }
  }

  /// The videos that were found and satisfy `predicate`, in no order.
  package func filter(_ predicate: (Video) -> Bool) -> [Video] {
    var videos: [Video] = []
    forEach { if predicate($0) { videos.append($0) } }
    return videos
  }

  /// Calls `body` with each video that is in a collection, found or not, and with its memberships; in no order.
  func forEachCollected(_ body: (Video, [(name: String, since: EventID)]) -> Void) {
    base?.forEach(rows: base?.rows ?? 0) { video in
      if video.glance.isCollected, !changed.contains(video.id) { body(video, video.memberships) }
    }
    for video in changed.videos where video.glance.isCollected { body(video, video.memberships) }
  }

  mutating func update(_ id: VideoID, _ body: (inout Video) -> Void) {
    changed.update(id, missing: base?.video(of: id) ?? Video(id: id), body)
  }

  /// The rows of the snapshot that a change replaced.
  private var replacedRows: [Int] { base.map { base in changed.videos.compactMap { base.row(of: $0.id) } } ?? [] }
}

// MARK: In order

extension VideoTable {
  /// Which videos an ordered view is about.
  package enum Part: Sendable {
    case all
    /// Those that may be new to the person: new, or snoozed and perhaps over, and not gone.
    case open
  }

  /// Calls `body` with the videos found, the newest `published` first, ties by id, until it is false; and with the row
  /// of one that is as the snapshot has it. Of those only `rows` are given, where they are not nil.
  package func forEachNewestFirst(_ part: Part, among rows: DocumentSet?, _ body: (Video, _ row: Int?) -> Bool) {
    let later = changed.videos.filter { $0.found != nil && (part == .all || $0.mayBeNew) }
      .map { VideoOrder($0) }.sorted()
    var (next, isOver) = (0, false)
    func giveLater(before key: VideoOrder?) {
      while !isOver, next < later.count, key.map({ later[next] < $0 }) ?? true {
        next += 1
        if let video = changed[later[next - 1].id] { isOver = !body(video, nil) }
      }
    }
    if let base {
      base.forEachRecord(part, among: rows, without: replaced(in: base)) { record, row in
        if next < later.count {
          giveLater(before: VideoOrder(isFound: true, published: record.published, id: record.id))
        }
        if !isOver { isOver = !body(Video(record, in: base, row: row), row) }
        return !isOver
      }
    }
    giveLater(before: nil)
  }

  /// The rows of those found that a change replaced; nil where none was.
  private func replaced(in base: VideoSnapshot) -> DocumentSet? {
    guard !changed.isEmpty else { return nil }
    var rows = DocumentSet(count: base.found)
    for row in replacedRows where row < base.found { rows.insert(row) }
    return rows
  }

  /// Counts the videos found: gives `ofClass` classes and how many more videos of it there are (fewer, where negative),
  /// and `single` each video that has no class or is not in a snapshot. Looks at few of the videos where most are in
  /// one.
  package func tally(ofClass: (VideoClass, Int) -> Void, single: (Video) -> Void) {
    if let base {
      for (aClass, size) in base.classes { ofClass(aClass, size) }
      for row in replacedRows where row < base.found {
        if let aClass = VideoClass(of: base.video(of: row)) { ofClass(aClass, -1) }
      }
      for video in base.specialRows.map(base.video(of:)) where !changed.contains(video.id) { single(video) }
    }
    for video in changed.videos where video.found != nil { single(video) }
  }
}

extension VideoTable {
  /// The last event that found or marked a video; one that comes later has a higher id.
  var lastWord: EventID? {
    var last = base?.lastWord
    // What is not in the snapshot is among those counted one by one.
    tally(ofClass: { _, _ in }) { video in
      for id in [video.found, video.statusChanged] { if let id { last = max(last ?? id, id) } }
    }
    return last
  }
}

// MARK: For a snapshot

extension VideoTable {
  /// Where a video is kept.
  enum Position {
    case stored(row: Int)
    case changed(VideoID)
  }

  /// The video at a position.
  subscript(position: Position) -> Video {
    switch position {
    case .stored(let row):
      guard let base else { preconditionFailure("a row without a snapshot") }
      return base.video(of: row)
    case .changed(let id): return changed[id] ?? Video(id: id)
    }
  }

  /// Where all videos are, in the order of a snapshot.
  var positions: [Position] {
    let later = changed.videos.map { VideoOrder($0) }.sorted()
    var positions: [Position] = []
    positions.reserveCapacity((base?.rows ?? 0) + later.count)
    var next = 0
    for row in 0..<(base?.rows ?? 0) {
      guard let key = base?.key(of: row) else { break }
      while next < later.count, later[next] < key {
        positions.append(.changed(later[next].id))
        next += 1
      }
      if !changed.contains(key.id) { positions.append(.stored(row: row)) }
    }
    for order in later[next...] { positions.append(.changed(order.id)) }
    return positions
  }
}

extension VideoTable: Equatable {
  /// Two tables are equal when they have the same videos, wherever they are kept.
  package static func == (left: VideoTable, right: VideoTable) -> Bool {
    let (mine, its) = (left.positions, right.positions)
    return mine.count == its.count && zip(mine, its).allSatisfy { left[$0] == right[$1] }
  }
}
