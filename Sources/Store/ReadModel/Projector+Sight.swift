import Core
import SQLDrivers

/// The first sight of a video in a file, with what its columns say.
///
/// A class, because thousands are sorted.
final class Sight {
  let event: VideoFound
  let id: EventID
  /// The number of its channel.
  let channel: Int64
  /// Where its description lies.
  let text: Projector.TextRange?
  let file: Int
  let line: Int64

  init(_ event: VideoFound, _ id: EventID, channel: Int64, text: Projector.TextRange?, file: Int, line: Int64) {
    (self.event, self.id, self.channel, self.text, self.file, self.line) = (event, id, channel, text, file, line)
  }

  /// So many are inserted by one statement, which finds its place at the end of the table once.
  static let batch = 100
  /// So many wait, and are inserted by ID: those with neighbouring IDs change the same page of the index.
  static let maximum = 10_000

  /// Whether an event says nothing but what the columns of a first sight keep.
  static func saysAll(of event: VideoFound) -> Bool {
    event.status == nil && event.playlist == nil && event.channelTitle == nil
  }

  /// Binds the parameters of `FirstSight.insert`: one by one, because a parameter pack doubles the time that takes.
  fileprivate func bind(to statement: Statement) {
    event.video.bind(to: statement)
    id.bind(to: statement)
    channel.bind(to: statement)
    event.published.bind(to: statement)
    event.title.bind(to: statement)
    link.bind(to: statement)
    event.zeroViews.bind(to: statement)
    event.thumbnail.bind(to: statement)
    fingerprint.bind(to: statement)
    (text?.file).bind(to: statement)
    (text?.offset).bind(to: statement)
    (text?.length).bind(to: statement)
    feeds.bind(to: statement)
    file.bind(to: statement)
    line.bind(to: statement)
  }

  fileprivate var link: Int64 { Int64(Link(event.link).rawValue) }
  fileprivate var feeds: Int64 { Int64(FeedForms(event.feed).rawValue) }
  fileprivate var fingerprint: Int64? { event.description.map { Int64(bitPattern: $0.fingerprint) } }
}

extension Projector {
  /// Where a description's text lies.
  struct TextRange {
    var file: Int?
    var offset: Int64?
    var length: Int?
  }

  /// A first sight, with the number of its channel.
  mutating func sight(
    _ event: VideoFound, _ id: EventID, file: Int, line: UInt64
  ) throws(DatabaseError) -> Sight {
    Sight(
      event, id, channel: try number(of: .channel(event.channel)), text: try textRange(of: event.description),
      file: file, line: Int64(line))
  }

  /// Inserts a batch; returns false if some of the videos had a row, so that all have to be merged.
  mutating func insert(_ sights: ArraySlice<Sight>) throws(DatabaseError) -> Bool {
    for sight in sights { missing.remove(VideoKey(sight.event.video)) }
    let statement = try database.prepare(FirstSight.insertBatch)
    for sight in sights { sight.bind(to: statement) }
    try statement.finish()
    return database.changes == sights.count
  }

  /// Makes the video's row, or merges the sight into it. Returns whether the row has the line's position.
  mutating func apply(_ sight: Sight) throws(DatabaseError) -> Bool {
    let statement = try database.prepare(FirstSight.insert)
    sight.bind(to: statement)
    if missing.remove(VideoKey(sight.event.video)) != nil {
      try statement.send()
      return true
    }
    try statement.finish()
    return database.changes == 1 ? true : try merge(sight)
  }

  /// Merges a sight into a row that is there: another device's, the same line read twice, or one that comes after
  /// events that changed the video. Returns whether the row has the line's position.
  mutating func merge(_ sight: Sight) throws(DatabaseError) -> Bool {
    let event = sight.event
    let row = try database.first("SELECT found, file, line FROM video WHERE id = ?", event.video) { row in
      (found: row.eventID(0), file: Int(row.int(1)), line: row.int(2))
    }
    let isOwner = row?.file == sight.file && row?.line == sight.line
    if isOwner, row?.found == sight.id { return true }
    let isEarlier = row?.found.map { sight.id < $0 } ?? true
    if isEarlier, let row, row.found != nil { try index(event.video, row.file, row.line) }
    try database.send(
      FirstSight.merge, event.video, sight.id, sight.channel, event.title, sight.link, event.zeroViews, event.thumbnail,
      sight.fingerprint, sight.text?.file, sight.text?.offset, sight.text?.length, sight.feeds, isEarlier,
      event.published, sight.file, sight.line)
    return isEarlier || isOwner
  }

  /// Notes where the line of a sight is that the video's row does not have.
  func index(_ sight: Sight) throws(DatabaseError) { try index(sight.event.video, sight.file, sight.line) }

  private func index(_ video: VideoID, _ file: Int, _ line: Int64) throws(DatabaseError) {
    try database.send(
      "INSERT OR IGNORE INTO event(subject, file, line) VALUES (?, ?, ?)", EventSubject(video).column, file, line)
  }

  /// Where a text lies; one that no log has is kept in the database.
  func textRange(of text: Description?) throws(DatabaseError) -> TextRange? {
    switch text?.source {
    case nil: return nil
    case .log(let range)?:
      return TextRange(file: Int(range.file), offset: Int64(range.offset), length: Int(range.length))
    case .text(let string)?:
      try database.send("INSERT OR IGNORE INTO text VALUES (?, ?)", Int64(bitPattern: text?.fingerprint ?? 0), string)
      return TextRange()
    }
  }
}
