import Core

/// A watch history as CSV: a video per row, the time at which it was watched, and maybe its title and channel.
///
/// Scripts write them under any header: `,channel_id,channel_title,video_id,video_title,watched`, `titleUrl,time`,
/// `Link,DateTime`, or `history --format csv` with `watchedAt,video,channel,…`. Columns are found by what most rows have in
/// them; names only tell which of several times is meant, and which texts are titles.
struct HistoryTable {
  /// The column of the videos.
  private let video: Int
  /// The column of the times.
  private let time: Int
  /// The columns of the channels and of titles; nil if there is none.
  private let channel: Int?
  private let title: Int?
  private let channelTitle: Int?
  private let hasHeader: Bool

  /// Detects the columns from rows at the start of a file; nil if most rows have no video, or no time at which it was
  /// watched, or if the file is a playlist: a column of IDs beside one of times, which are those of adding them.
  init?(_ rows: [[String]]) {
    guard !rows.contains(where: TakeoutPlaylist.isPlaylist) else { return nil }
    let rows = rows.filter { !$0.allSatisfy(\.isEmpty) }
    hasHeader = rows.first.map { !$0.contains(where: VideoColumn.isVideo) } ?? false
    let names = hasHeader ? rows[0].map { $0.withoutBlanks.lowercased() } : []
    let body = rows.dropFirst(hasHeader ? 1 : 0)
    guard let video = VideoColumn.of(body) else { return nil }
    func name(_ column: Int) -> String { names.indices.contains(column) ? names[column] : "" }
    let times = body.columns { Timestamp(historyText: $0) != nil }.filter { column in
      !HistoryTable.otherTimes.contains(where: name(column).contains)
    }
    let isOfWatching = { (column: Int) in HistoryTable.watching.contains(where: name(column).contains) }
    guard let time = times.first(where: isOfWatching) ?? times.first else { return nil }
    let width = body.map(\.count).max() ?? 0
    let areIDs = body.allSatisfy { $0.count <= video || !$0[video].contains("/") }
    if width == 2, areIDs, !isOfWatching(time) { return nil }
    (self.video, self.time) = (video, time)
    let channel = body.columns { ChannelReference.subscription(in: $0)?.channel != nil }.first { $0 != video }
    self.channel = channel
    let texts = names.indices.filter { $0 != video && $0 != time && $0 != channel }
    let isOfChannel = { (column: Int) in HistoryTable.channels.contains(where: name(column).contains) }
    title = texts.first { name($0).contains("title") && !isOfChannel($0) } ?? texts.first { name($0) == "name" }
    channelTitle = texts.first(where: isOfChannel)
  }

  /// Parts of the names of a column with the times of watching, and with other times.
  private static let watching = ["watch", "view", "seen", "access"]
  /// Parts of the names of a column with the names of channels.
  private static let channels = ["channel", "author", "uploader"]
  private static let otherTimes = ["publi", "upload", "creat", "found", "snooze", "added", "releas"]

  /// Reads a whole file into `builder`.
  func read(_ bytes: [UInt8], into builder: inout ImportBuilder) throws(ImportError) {
    var reader = CSVReader(bytes)
    var mayBeHeader = hasHeader
    while let row = reader.next() {
      switch row {
      case .unmatchedQuote(let line): try builder.refuse(.unmatchedQuote, line: line)
      case .fields(let fields, let line):
        defer { mayBeHeader = false }
        if mayBeHeader || fields.allSatisfy(\.isEmpty) { continue }
        func field(_ column: Int?) -> String? { column.flatMap { fields.count > $0 ? fields[$0] : nil } }
        builder.describe(
          field(video) ?? "", title: field(title), channel: field(channel), channelTitle: field(channelTitle))
        try builder.watch(
          field(video) ?? "", when: field(time).flatMap { Timestamp(historyText: $0) }, channel: field(channel),
          line: line
        )
      }
    }
  }
}

/// The column of a table that names videos.
enum VideoColumn {
  /// The column in which most rows name a video; nil if there is none.
  static func of(_ rows: some Collection<[String]>) -> Int? { rows.columns(where: isVideo).first }

  /// Whether a field names a video.
  static func isVideo(_ field: String) -> Bool {
    do {
      _ = try VideoID(youTubeNaming: field)
      return true
    } catch { return false }
  }
}

extension Collection<[String]> {
  /// The columns whose fields match in most rows.
  fileprivate func columns(where isSuch: (String) -> Bool) -> [Int] {
    guard let widest = map(\.count).max() else { return [] }
    return (0..<widest).filter { column in
      count { $0.count > column && isSuch($0[column]) } * 2 >= count
    }
  }
}

extension Timestamp {
  /// Parses the time of a row: RFC 3339, maybe with a blank in place of the `T` and without an offset, which then is
  /// UTC, as scripts write it; or as Takeout does in HTML.
  fileprivate init?(historyText text: String) {
    var parts = text.withoutBlanks.split(separator: " ", maxSplits: 1).map(String.init)
    if parts.count == 2, parts[1].hasSuffix(" UTC") { parts[1].removeLast(4) }
    let joined = parts.joined(separator: "T")
    guard let time = Timestamp(rfc3339: joined) ?? Timestamp(rfc3339: joined + "Z") ?? Timestamp(takeoutText: text)
    else {
      return nil
    }
    self = time
  }
}
