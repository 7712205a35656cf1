import Core
import SQLDrivers

/// Where a line stands in the log.
package struct LinePosition: Hashable, Sendable {
  /// The number of its file.
  package var file: Int
  package var offset: UInt64
}

/// Where events stand in the log, and what can be undone.
extension ReadModel {
  /// The lines of the events about a video.
  package func positions(about video: VideoID) throws -> Set<LinePosition> {
    try positions(about: [EventSubject(video)])
  }

  /// The lines of the events about the same videos, channels, handles or rules as these are.
  package func positions(aboutSubjectsOf events: [Event]) throws -> Set<LinePosition> {
    try positions(about: Set(events.compactMap { EventSubject($0.body) }))
  }

  private func positions(about subjects: Set<EventSubject>) throws -> Set<LinePosition> {
    try readWithPending { (database, pending) throws(DatabaseError) in
      var positions = Set(
        pending.filter { EventSubject($0.event.body).map(subjects.contains) ?? false }.map(LinePosition.init))
      for subject in subjects {
        try database.forEach(
          """
          SELECT file, line FROM event WHERE subject = ?1
          UNION ALL SELECT file, line FROM video WHERE id = ?1 AND found IS NOT NULL AND line IS NOT NULL
          """, subject.column
        ) { positions.insert(LinePosition($0)) }
      }
      return positions
    }
  }

  /// The lines of the events of a user's action.
  package func positions(of action: EventID) throws -> Set<LinePosition> {
    try readWithPending { (database, pending) throws(DatabaseError) in
      var positions = Set(pending.filter { $0.event.indexedAction == action }.map(LinePosition.init))
      try database.forEach(
        "SELECT file, line FROM event WHERE device = ? AND action = ?", Int64(bitPattern: action.device.letters), action
      ) { positions.insert(LinePosition($0)) }
      return positions
    }
  }

  /// The last actions of a device that its user decided, the latest first, undone or not; at most `State.undoDepth`.
  package func actions(of device: DeviceID) throws -> [EventID] {
    try readWithPending { (database, pending) throws(DatabaseError) in
      let waiting = pending.filter { $0.event.id.device == device }.compactMap(\.event.indexedAction)
      var actions = Set(waiting)
      let letters = Int64(bitPattern: device.letters)
      var last: EventID?
      // Each step skips the other events of an action: an import has thousands.
      for _ in 0..<State.undoDepth {
        let next = try database.first(
          """
          SELECT action FROM event WHERE device = ?1 AND action IS NOT NULL AND (?2 IS NULL OR action < ?2)
          ORDER BY action DESC LIMIT 1
          """, letters, last
        ) { $0.eventID(0) }
        guard let action = next ?? nil else { break }
        actions.insert(action)
        last = action
      }
      return Array(actions.sorted(by: >).prefix(State.undoDepth))
    }
  }

  /// The actions that an undo took back.
  package func undone() throws -> Set<EventID> {
    try readWithPending { (database, pending) throws(DatabaseError) in
      var undone = Set(pending.compactMap(\.event.undoes))
      try database.forEach("SELECT action FROM undone") { row in if let id = row.eventID(0) { undone.insert(id) } }
      return undone
    }
  }
}

// MARK: What the log names

extension ReadModel {
  /// The subscriptions and handles that the user's log names, and the videos that feeds showed, as far as the tables go.
  package func subjects() throws -> (subscriptions: Set<SubscriptionID>, handles: Set<String>, videos: Set<VideoID>) {
    let (subscriptions, handles) = try sources()
    return try readWithPending { (database, _) throws(DatabaseError) in
      var videos: Set<VideoID> = []
      try database.scan("SELECT v.id, e.id FROM video v LEFT JOIN entry e ON e.video = v.id") {
        videos.insert($0.video(0, entry: 1))
      }
      return (subscriptions, handles, videos)
    }
  }

  /// The subscriptions and handles alone.
  package func sources() throws -> (subscriptions: Set<SubscriptionID>, handles: Set<String>) {
    try readWithPending { (database, _) throws(DatabaseError) in
      var subscriptions: Set<SubscriptionID> = []
      var handles: Set<String> = []
      try database.forEach("SELECT id FROM subscription JOIN channel ON n = channel WHERE owner = ?", user) { row in
        if let id = SubscriptionID(row.text(0)) { subscriptions.insert(id) }
      }
      try database.forEach("SELECT handle FROM handle WHERE owner = ?", user) { handles.insert($0.text(0)) }
      return (subscriptions, handles)
    }
  }

  /// Those of some videos that feeds showed, on PostgreSQL in one round trip.
  package func shown(among videos: some Sequence<VideoID>) throws -> Set<VideoID> {
    try readWithPending { (database, _) throws(DatabaseError) in
      var shown: Set<VideoID> = []
      try database.forEach(ReadModel.knownVideos, Database.array(videos.lazy.map(\.column))) {
        shown.insert($0.video(0, entry: 1))
      }
      return shown
    }
  }

  /// The IDs in an array that have a row, on PostgreSQL.
  static let knownVideos: SQL = """
    SELECT v.id, (SELECT id FROM entry WHERE video = v.id)
    FROM \(Database.rows(of: "video", where: "id = one.value"))
    """
}

extension LinePosition {
  fileprivate init(_ pending: ReadModel.PendingEvent) { self.init(file: pending.file, offset: pending.line) }

  /// Reads a file and a line.
  fileprivate init(_ row: Statement) { self.init(file: Int(row.int(0)), offset: UInt64(clamping: row.int(1))) }
}

extension Event {
  /// The action under which the event is found again to be undone; nil if it decides nothing or undoes something.
  var indexedAction: EventID? { body.isUserAction && undoes == nil && EventSubject(body) != nil ? action : nil }
}
