import Core
import JSON

/// The contents of an imported file.
///
/// Every row is counted once. A row names, or should name, a channel, a playlist or a video; headers, comments and blank
/// lines are not rows.
package struct ImportedFile: Equatable, Sendable {
  package var format: ImportFormat
  /// What events call the account whose subscriptions these are; nil of a file.
  package var source: String?
  /// Channels and playlists to follow, without duplicates, in file order.
  package var subscriptions: [ImportedSubscription] = []
  /// Feeds of other sites to follow, each once, in file order; empty unless they are wanted.
  package var feeds: [WebOutline] = []
  /// Channels by names that must be looked up, without duplicates, in file order.
  package var unresolved: [UnresolvedName] = []
  /// Watched videos, without duplicates, in file order.
  package var watches: [ImportedWatch] = []
  /// Positions in videos that the file does not list as watched, without duplicates.
  package var positions: [ImportedWatch] = []
  /// Collections of videos, in file order.
  package var collections: [ImportedCollection] = []
  /// What the file says of videos that it has in its history or collections.
  package var descriptions: [VideoID: VideoDescribed] = [:]
  /// Rows that repeat an earlier row; their tags and titles are merged into that one.
  package var duplicates = 0
  /// Rows that are simply not YouTube: not an error.
  package var notYouTube: [SkippedRow] = []
  /// Rows that name a video where a channel was expected: not an error.
  package var videos: [SkippedRow] = []
  /// Channels that the user had unfollowed in the other program, which kept them: not an error.
  package var archived = 0
  /// Advertisements in a history: not an error.
  package var advertisements = 0
  /// History rows without a video: removed ones, posts, searches. Not an error.
  package var withoutVideo = 0
  /// Videos of collections with the time when they were added. No event can say it: its own time is that of the import.
  package var additionTimes = 0
  /// Rows that should have been understood and were not.
  package var refused: [RejectedRow] = []

  /// The number of rows in the file.
  package var read: Int {
    subscriptions.count + feeds.count + unresolved.count + watches.count + positions.count + duplicates
      + notYouTube.count + collections.reduce(0) { $0 + $1.videos.count } + videos.count + archived + advertisements
      + withoutVideo + refused.count
  }

  /// How many of the watched videos have no time, or an ambiguous one.
  package var withoutTime: Int { watches.count { $0.when == nil } }
}

/// The position of a row.
package struct RowLocation: Hashable, Sendable {
  /// The name of the file in an archive; nil outside one.
  package var entry: String?
  /// The line the row begins on, from 1.
  package var line: Int
}

/// A channel or a playlist to follow.
package struct ImportedSubscription: Equatable, Sendable {
  package var id: SubscriptionID
  /// The first title in the file; nil if absent.
  package var title: String?
  /// The folders, groups, profiles or tags it is in, in file order.
  package var tags: [String]
  /// The kind of feed requested; `.channel` if rows differ, because that feed contains everything the others do.
  package var form: FeedForm
  package var location: RowLocation
}

/// A channel given by a name that must be looked up.
package struct UnresolvedName: Equatable, Sendable {
  package var name: ChannelName
  package var title: String?
  package var tags: [String]
  package var location: RowLocation
}

/// A watched video.
package struct ImportedWatch: Equatable, Sendable {
  package var video: VideoID
  /// The latest unambiguous time in the file; nil if absent.
  package var when: Timestamp?
  /// Its channel, if the file gives the ID.
  package var channel: ChannelID?
  /// Where playback stopped, in seconds, if the file says so and it was not near the end.
  package var progress: Int?
}

/// A collection of videos.
package struct ImportedCollection: Equatable, Sendable {
  /// Its name in the file; nil if only the file's own name gives it.
  package var title: String?
  /// Its description; nil if absent.
  package var text: String?
  /// Whether it exists without videos too.
  package var isKept = false
  /// The videos without duplicates, in file order.
  package var videos: [VideoID]
  package var location: RowLocation
}

/// A row that is not YouTube.
package struct SkippedRow: Equatable, Sendable {
  package var location: RowLocation
  /// The row's text, cut at 200 characters.
  package var what: String
}

/// A row that was not understood.
package struct RejectedRow: Equatable, Sendable {
  package var location: RowLocation
  package var reason: RowError
}

extension ImportedFile {
  /// What stands for an archive of another home, which has no rows.
  package static let archive = ImportedFile(format: .archive)

  /// The subscriptions of a Google account, as if they were a file; `source` is what events call the account. Throws
  /// `nothingFromYouTube` if it has none.
  package init(
    account channels: some Sequence<(id: ChannelID, title: String)>, source: String
  ) throws(ImportError) {
    var builder = ImportBuilder(format: .googleAccount, limits: .standard)
    for (line, channel) in channels.enumerated() {
      try builder.subscribe(
        to: .subscription(.channel(channel.id), .channel), title: channel.title, tags: [], line: line + 1)
    }
    self = try builder.finish()
    self.source = source
  }

  /// Reads a file in memory, without feeds of other sites; see below.
  package static func read(
    _ bytes: [UInt8], limits: ImportLimits, database: DatabaseRows, opml: ([UInt8]) throws -> [Outline]
  ) throws -> ImportedFile {
    try read(ImportSource(bytes), takesFeeds: false, limits: limits, database: database, opml: opml)
  }

  /// Reads a whole file. Formats that can be long (JSON, HTML, archives) are streamed, the rest loaded at once.
  ///
  /// `takesFeeds` is whether an OPML document also names feeds of other sites, or only passes over them. `opml` parses the outlines of an OPML document; its errors are rethrown. `database` reads a SQLite file. Throws
  /// `ImportError` if the file gives nothing.
  package static func read(
    _ source: ImportSource, takesFeeds: Bool, limits: ImportLimits, database: DatabaseRows,
    opml: ([UInt8]) throws -> [Outline]
  ) throws -> ImportedFile {
    let beginning = try source.bytes(at: 0, count: FormatDetector.length)
    let decoded = try FormatDetector.fromUTF16(beginning) { () throws(ImportError) in
      try text(source, from: 0, limits: limits)
    }
    if let decoded {
      return try read(
        ImportSource(decoded), takesFeeds: takesFeeds, limits: limits, database: database, opml: opml)
    }
    let start = beginning.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0  // UTF-8 byte order mark
    let recognition = FormatDetector(Array(beginning.dropFirst(start)))
    switch recognition.fileType {
    case .text, .csv: return try readText(text(source, from: start, limits: limits), recognition, limits: limits)
    case .xml where recognition.isOPML:
      var builder = ImportBuilder(format: .opml, limits: limits)
      let outlines = try opml(text(source, from: start, limits: limits))
      try OPMLRows.read(outlines, takesFeeds: takesFeeds, into: &builder)
      return try builder.finish()
    case .json, .html:
      guard source.count <= limits.streamedBytes else { throw ImportError.tooLarge(limit: limits.streamedBytes) }
      return try readStream(source, from: start, isHTML: recognition.fileType == .html, limits: limits).finish()
    case .zip: return try TakeoutArchive.read(source, isZip: true, limits: limits, database)
    case .gzip: return try TakeoutArchive.read(source, isZip: false, limits: limits, database)
    case .database:
      let bytes = try text(source, from: 0, limits: limits)
      return try NewPipeDatabase.read(bytes, limits: limits, entry: nil, database).finish()
    case let other: throw ImportError.notUnderstood(looksLike: other)
    }
  }

  /// The whole file, if no longer than a text may be.
  private static func text(
    _ source: ImportSource, from start: Int, limits: ImportLimits
  ) throws(ImportError) -> [UInt8] {
    guard source.count <= limits.textBytes else { throw .tooLarge(limit: limits.textBytes) }
    return try source.bytes(at: start, count: source.count)
  }

  private static func readStream(
    _ source: ImportSource, from start: Int, isHTML: Bool, limits: ImportLimits
  ) throws(ImportError) -> ImportBuilder {
    if isHTML {
      let builder = try WatchHistoryHTML.read(source.reader(from: start), limits: limits, entry: nil)
      guard builder.file.read > 0 else { throw .notUnderstood(looksLike: .html) }
      return builder
    }
    if try FreeTubeLines.recognises(source, from: start) {
      return try FreeTubeLines.read(source, from: start, limits: limits)
    }
    return try JSONFile.read(source.reader(from: start), limits: limits, entry: nil)
  }

  private static func readText(
    _ text: [UInt8], _ recognition: FormatDetector, limits: ImportLimits
  ) throws(ImportError) -> ImportedFile {
    let rows = recognition.rows
    var builder = ImportBuilder(format: .plainList, limits: limits)
    if let history = HistoryTable(rows) {
      builder.recognise(.historyCSV)
      try history.read(text, into: &builder)
    } else if let table = ChannelTable(rows, separator: recognition.separator) {
      // A channel in each row of a list of videos is not a wish to follow it.
      guard VideoColumn.of(rows) == nil else { throw .notUnderstood(looksLike: .videoList) }
      builder.recognise(table.isTakeout ? .takeoutCSV : .csv)
      try table.read(text, into: &builder)
    } else if TakeoutPlaylist.recognises(rows) {
      builder.recognise(.takeoutPlaylist)
      try TakeoutPlaylist.read(text, title: nil, into: &builder)
    } else if recognition.fileType == .csv, VideoColumn.of(rows) != nil {
      throw .notUnderstood(looksLike: .videoList)
    } else if DownloadArchive.recognises(rows) {
      builder.recognise(.downloadArchive)
      try DownloadArchive.read(text, into: &builder)
    } else if OrgFeeds.recognises(text) {
      builder.recognise(.elfeedOrg)
      try OrgFeeds.read(text, into: &builder)
    } else {
      // A header without rows.
      if rows.count == 1, recognition.fileType == .csv, !rows[0].contains(where: ChannelReference.isYouTube) {
        throw .nothingFromYouTube(.csv, rows: 0)
      }
      try ChannelLines.read(text, into: &builder)
      guard builder.hasAnything || !builder.file.notYouTube.isEmpty else {
        throw .notUnderstood(looksLike: recognition.fileType)
      }
    }
    return try builder.finish()
  }
}

/// The bytes of a file, loaded only as requested.
///
/// Read, never mapped: if somebody truncates the file meanwhile, a read comes up short and is an error, where a mapping
/// would raise SIGBUS and end the program.
package struct ImportSource {
  /// The length in bytes.
  package let count: Int
  private let read: (_ offset: Int, _ count: Int) throws(ImportError) -> [UInt8]

  /// A file of `count` bytes; `read` returns the bytes from an offset, fewer than requested only at the file's end.
  package init(count: Int, read: @escaping (_ offset: Int, _ count: Int) throws(ImportError) -> [UInt8]) {
    (self.count, self.read) = (count, read)
  }

  /// A file in memory.
  package init(_ bytes: [UInt8]) {
    self.init(count: bytes.count) { (offset, length) throws(ImportError) in
      Array(bytes.dropFirst(offset).prefix(length))
    }
  }

  /// Up to `length` bytes from an offset, fewer at the end of the file.
  func bytes(at offset: Int, count length: Int) throws(ImportError) -> [UInt8] {
    let length = min(length, count - offset)
    return length > 0 ? try read(offset, length) : []
  }

  /// A reader from an offset to the end.
  func reader(from start: Int) -> ByteReader {
    var offset = start
    return ByteReader(pieces: {
      let piece = try bytes(at: offset, count: 1 << 18)
      offset += piece.count
      return piece
    })
  }
}
