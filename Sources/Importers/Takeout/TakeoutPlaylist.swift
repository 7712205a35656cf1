import Core

/// One playlist of Google Takeout as CSV: `VIDEOID,2023-01-05T10:11:12+00:00` under a header in any language.
///
/// Until 2023 the playlist's own row came first (`PL…,UC…,created,updated,Title,description,visibility`, under its own
/// header) followed by empty rows; since then rows have two fields and only the file name gives the playlist's name.
struct TakeoutPlaylist {
  private var title: String?
  private var videos: [(text: String, line: Int)] = []
  private var mayBeHeader = true

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
    try builder.collect(playlist.videos, title: playlist.title, line: 1)
  }

  private mutating func take(_ fields: [String], line: Int) {
    if fields.allSatisfy(\.isEmpty) { return }
    if TakeoutPlaylist.isPlaylist(fields) {
      title = fields.count > 4 ? fields[4] : title
      mayBeHeader = true
    } else if TakeoutPlaylist.isVideo(fields) || !mayBeHeader {
      videos.append((String(fields[0].withoutBlanks), line))
      mayBeHeader = false
    }
  }

  /// Whether rows from the start of a file look like this format.
  static func recognises(_ rows: [[String]]) -> Bool { rows.contains { isPlaylist($0) || isVideo($0) } }

  /// Whether this is the playlist's own row: its ID, then its owner's.
  static func isPlaylist(_ fields: [String]) -> Bool {
    guard fields.count > 1 else { return false }
    return PlaylistID(fields[0].withoutBlanks) != nil && ChannelID(fields[1].withoutBlanks) != nil
  }

  /// Whether this is a video row: an ID, then a time (`2023-…`).
  private static func isVideo(_ fields: [String]) -> Bool {
    guard fields.count > 1, VideoID(fields[0].withoutBlanks) != nil else { return false }
    let year = fields[1].withoutBlanks.utf8.prefix(5)
    return year.count == 5 && year.last == UInt8(ascii: "-")
      && year.dropLast().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}
