import Core

/// A CSV file with a channel per row: Google Takeout's `subscriptions.csv`
/// (`UC…,http://www.youtube.com/channel/UC…,Title`), or any other with a column of IDs, addresses or handles.
///
/// Headers are in the account's language (ten seen so far) or missing, so the column is found by what most rows have in
/// it; the first line may be a header, any other row without a channel there is rejected.
struct ChannelTable {
  /// The column of the channels.
  private let column: Int
  /// The column of the titles; nil is the first column without an address.
  private let titleColumn: Int?

  /// Google Takeout's: the ID in the first column.
  static let takeout = ChannelTable(column: 0, titleColumn: nil)

  private init(column: Int, titleColumn: Int?) { (self.column, self.titleColumn) = (column, titleColumn) }

  /// Whether it has the form of Google Takeout's.
  var isTakeout: Bool { column == 0 && titleColumn ?? 2 == 2 }

  /// Detects the columns from rows at the start of a file; nil if no column has channels in most rows, or if the file
  /// is a playlist, describes the owner's own channel, or is newsboat's with tabs before the tags.
  init?(_ rows: [[String]], separator: UInt8) {
    guard !rows.contains(where: TakeoutPlaylist.isPlaylist), let widest = rows.map(\.count).max(), widest > 1 else {
      return nil
    }
    var best = (column: 0, points: 0)
    for column in 0..<widest {
      let kinds = rows.map { $0.count > column ? Kind($0[column]) : .other }
      // The first row may be a header.
      let count = kinds.first == .other ? rows.count - 1 : rows.count
      guard count > 0, kinds.count(where: { $0 != .other }) * 2 >= count else { continue }
      // An ID says more than a handle, which must be looked up.
      let points = kinds.reduce(0) { $0 + ($1 == .id ? 3 : $1 == .name ? 2 : 0) }
      if points > best.points { best = (column, points) }
    }
    guard best.points > 0 else { return nil }
    column = best.column
    titleColumn = ChannelTable.titleColumn(rows[0], besides: column)
    let isNewsboat = separator == UInt8(ascii: "\t") && column == 0 && ChannelTable.isAddress(rows[0][0])
    guard !isNewsboat, !isOwnChannel(rows) else { return nil }
  }

  /// What a field is to the search for the column of channels.
  private enum Kind {
    case id, name, other

    init(_ field: String) {
      let text = field.withoutBlanks
      do {
        switch try ChannelReference(text) {
        case .subscription: self = .id
        case .name: self = .name
        }
      } catch {
        // `UC789` is an ID with an error in it.
        if case .badChannelID = error, !text.contains("/") { self = .id } else { self = .other }
      }
    }
  }

  private static func titleColumn(_ header: [String], besides column: Int) -> Int? {
    let names = header.map { $0.withoutBlanks.lowercased() }
    return names.indices.first { $0 != column && ["title", "name"].contains(where: names[$0].hasSuffix) }
  }

  /// Whether these are the rows of `channel.csv`, the owner's own channel: a single ID, whose second field is a country
  /// or a title.
  private func isOwnChannel(_ rows: [[String]]) -> Bool {
    let channels = rows.filter { ChannelID($0[0].withoutBlanks) != nil }
    guard column == 0, channels.count == 1, let own = channels.first, own.count > 2 else { return false }
    return !own[1].withoutBlanks.isEmpty && !ChannelTable.isAddress(own[1])
  }

  /// Reads a whole file into `builder`.
  func read(_ bytes: [UInt8], into builder: inout ImportBuilder) throws(ImportError) {
    var reader = CSVReader(bytes)
    var first: [String]?
    while let row = reader.next() {
      switch row {
      case .unmatchedQuote(let line): try builder.refuse(.unmatchedQuote, line: line)
      // Files that were joined have the header again.
      case .fields(let fields, let line):
        try take(fields, line: line, mayBeHeader: first == nil || fields == first, into: &builder)
        first = first ?? fields
      }
      first = first ?? []
    }
  }

  private func take(
    _ fields: [String], line: Int, mayBeHeader: Bool, into builder: inout ImportBuilder
  ) throws(ImportError) {
    let text = fields.count > column ? fields[column].withoutBlanks : ""
    if mayBeHeader, Kind(String(text)) == .other, !fields.contains(where: ChannelTable.isAddress) { return }
    try builder.subscribe(to: text, title: title(in: fields), tags: [], line: line)
  }

  private func title(in fields: [String]) -> String? {
    if let titleColumn { return fields.count > titleColumn ? fields[titleColumn] : nil }
    if column == 0, fields.count > 2 { return fields[2] }
    return fields.indices.first { $0 != column && Kind(fields[$0]) == .other && !ChannelTable.isAddress(fields[$0]) }
      .map { fields[$0] }
  }

  /// Whether rows are certainly Takeout's: the second field is the address of the channel in the first. In the same
  /// archive, `channel.csv` holds the owner's own channel, whose second field is something else.
  static func isCertainlyTakeout(_ rows: [[String]]) -> Bool {
    rows.contains { fields in
      guard fields.count > 1, let channel = ChannelID(fields[0].withoutBlanks) else { return false }
      return ChannelReference.subscription(in: fields[1]) == .channel(channel)
    }
  }

  private static func isAddress(_ text: String) -> Bool { text.contains("://") }
}

/// One playlist of Google Takeout as CSV: `VIDEOID,2023-01-05T10:11:12+00:00` under a header in any language.
///
/// Until 2023 the playlist's own row came first (`PL…,UC…,created,updated,Title,description,visibility`, under its own
/// header) followed by empty rows; since then rows have two fields and only the file name gives the playlist's name.
struct TakeoutPlaylist {
  private var title: String?
  private var videos: [(text: String, line: Int)] = []
  private var mayBeHeader = true
  /// How many videos have the time when they were added.
  private var times = 0

  /// Reads a whole file into `builder`; `title` is used if the file gives none.
  static func read(
    _ bytes: [UInt8], title: String?, into builder: inout ImportBuilder
  ) throws(ImportError) {
    var playlist = TakeoutPlaylist(title: title)
    var reader = CSVReader(bytes)
    while let row = reader.next() {
      switch row {
      case .fields(let fields, let line): playlist.take(fields, line: line)
      case .unmatchedQuote(let line): try builder.refuse(.unmatchedQuote, line: line)
      }
    }
    for _ in 0..<playlist.times { builder.count(\.additionTimes) }
    try builder.collect(playlist.videos, title: playlist.title, line: 1)
  }

  private mutating func take(_ fields: [String], line: Int) {
    if fields.allSatisfy(\.isEmpty) { return }
    if TakeoutPlaylist.isPlaylist(fields) {
      title = fields.count > 4 ? fields[4] : title
      mayBeHeader = true
    } else if TakeoutPlaylist.isVideo(fields) || !mayBeHeader {
      videos.append((String(fields[0].withoutBlanks), line))
      if TakeoutPlaylist.isVideo(fields) { times += 1 }
      mayBeHeader = false
    }
  }

  /// Whether rows from the start of a file look like this format.
  static func recognises(_ rows: [[String]]) -> Bool { rows.contains { isPlaylist($0) || isVideo($0) } }

  /// Whether this is the playlist's own row: its ID, then its owner's.
  static func isPlaylist(_ fields: [String]) -> Bool {
    guard fields.count > 1 else { return false }
    // The ID of a video beside its channel is not a playlist.
    let id = fields[0].withoutBlanks
    return PlaylistID(id) != nil && VideoID(youTube: id) == nil && ChannelID(fields[1].withoutBlanks) != nil
  }

  /// Whether this is a video row: an ID, then a time (`2023-…`).
  private static func isVideo(_ fields: [String]) -> Bool {
    guard fields.count > 1, VideoID(youTube: fields[0].withoutBlanks) != nil else { return false }
    let year = fields[1].withoutBlanks.utf8.prefix(5)
    return year.count == 5 && year.last == UInt8(ascii: "-")
      && year.dropLast().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
