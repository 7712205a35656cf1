import Core

/// Detects the format from the start of a file.
struct FormatDetector {
  /// How much of a file is examined, in bytes.
  static let length = 65_536

  private let start: [UInt8]

  /// Examines the first `length` bytes of a file, or all if fewer.
  init(_ start: [UInt8]) { self.start = start }

  /// The file type by its first bytes.
  var fileType: FileType {
    guard let first = letters.first(where: { !FormatDetector.isBlank($0) }) else { return .nothing }
    if start.starts(with: "PK\u{3}\u{4}".utf8) || start.starts(with: "PK\u{5}\u{6}".utf8) { return .zip }
    if start.starts(with: [0x1F, 0x8B]) { return .gzip }
    if start.starts(with: "SQLite format 3\0".utf8) { return .database }
    switch first {
    case UInt8(ascii: "<"): return contains("<html") && !isOPML ? .html : .xml
    case _ where start.contains(0): return .binary
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .json
    default: return rows.contains { $0.count > 1 } ? .csv : .text
    }
  }

  /// Whether the XML is OPML; some files are a part of it alone.
  var isOPML: Bool { contains("<opml") || contains("<outline") }

  /// The separator if parsed as CSV.
  var separator: UInt8 { CSVReader(start).separator }

  /// The first rows if parsed as CSV.
  var rows: [[String]] {
    var reader = CSVReader(start)
    var rows: [[String]] = []
    while rows.count < 50, let row = reader.next() {
      if case .fields(let fields, _) = row { rows.append(fields) }
    }
    return rows
  }

  /// Whether this text occurs; give it in lower case.
  func contains(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    let letters = letters
    return letters.indices.contains { letters[$0...].starts(with: wanted) }
  }

  /// The ASCII letters in lower case. Other bytes are dropped, which also reads the UTF-16 that OPML may use.
  private var letters: [UInt8] {
    let isWide = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
    let bytes = isWide ? start.dropFirst(2).filter { $0 != 0 } : Array(start)
    return bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
  }

  /// UTF-16 with a byte order mark as UTF-8, as Excel writes CSV; nil if the start is not that, or is XML, whose parser
  /// decodes it. `whole` returns all bytes of the file.
  static func fromUTF16(_ start: [UInt8], _ whole: () throws(ImportError) -> [UInt8]) throws(ImportError) -> [UInt8]? {
    let isLittleEndian = start.starts(with: [0xFF, 0xFE])
    guard isLittleEndian || start.starts(with: [0xFE, 0xFF]) else { return nil }
    let detector = FormatDetector(start)
    guard detector.letters.first(where: { !isBlank($0) }) != UInt8(ascii: "<") else { return nil }
    let bytes = try whole()
    let (low, high) = isLittleEndian ? (0, 1) : (1, 0)
    let units = (1..<max(1, bytes.count / 2)).map { UInt16(bytes[2 * $0 + high]) << 8 | UInt16(bytes[2 * $0 + low]) }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

/// The supported file formats; detected by content, never by name, extension or language.
package enum ImportFormat: String, CaseIterable, Sendable {
  /// Google Takeout's `subscriptions.csv`: ID, address, title, under a header in any language or none.
  case takeoutCSV
  /// Any other CSV with a column of IDs, addresses or handles.
  case csv
  /// Google Takeout's complete archive, `.zip` or `.tgz`.
  case takeoutZip
  /// Google Takeout's `subscriptions.json` (until 2021), which FreeTube also writes.
  case takeoutJSON
  case opml
  /// newsboat's `urls`: one address per line, with tags.
  case newsboatURLs
  /// `elfeed.org`: headings that are links, with tags.
  case elfeedOrg
  /// sfeed's `sfeedrc`.
  case sfeedrc
  /// FreeTube's `.db`: one JSON object per line.
  case freeTube
  /// The subscriptions of a Google account, from the Data API.
  case googleAccount
  /// The JSON that NewPipe, PipePipe, Tubular and Piped export.
  case newPipe
  /// NewPipe's own backup: its database, in a zip archive or not.
  case newPipeDatabase
  /// The backup of Unwatched.
  case unwatched
  /// The backup of LibreTube and Piped.
  case piped
  case invidious
  /// One channel per line: an ID, an address or a handle.
  case plainList
  /// One playlist of Google Takeout as CSV.
  case takeoutPlaylist
  /// Any other CSV with a video in each row and the time at which it was watched.
  case historyCSV
  /// yt-dlp's archive of downloads.
  case downloadArchive
  case watchHistoryJSON
  /// Google Takeout's `watch-history.html`, its default.
  case watchHistoryHTML
  /// Everything of another home, as `export archive` writes it.
  case archive
}

/// What an unsupported file looks like.
package enum FileType: String, Sendable {
  case nothing
  case text
  case csv
  /// CSV with a video in each row, but no time at which it was watched.
  case videoList
  case json
  case xml
  case html
  case zip
  /// Without a tar file in it: Google Takeout's `.tgz` is read as an archive.
  case gzip
  /// A SQLite database that is not NewPipe's.
  case database
  case binary
}
