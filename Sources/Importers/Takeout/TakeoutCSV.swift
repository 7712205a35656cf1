import Core

/// Google Takeout's `subscriptions.csv`: `UC…,http://www.youtube.com/channel/UC…,Title` under a header.
///
/// The header is in the account's language (ten seen so far) or missing, so a row counts if its first field is a
/// channel ID; the first line may be a header, any other row is rejected.
enum TakeoutCSV {
  /// Reads a whole file into `builder`.
  static func read(_ bytes: [UInt8], into builder: inout ImportBuilder) throws(ImportError) {
    var reader = CSVReader(bytes)
    var isFirst = true
    while let row = reader.next() {
      switch row {
      case .unmatchedQuote(let line): try builder.refuse(.unmatchedQuote, line: line)
      case .fields(let fields, let line): try take(fields, line: line, mayBeHeader: isFirst, into: &builder)
      }
      isFirst = false
    }
  }

  private static func take(
    _ fields: [String], line: Int, mayBeHeader: Bool, into builder: inout ImportBuilder
  ) throws(ImportError) {
    let text = fields[0].withoutBlanks
    if let channel = ChannelID(text) {
      let title = fields.count > 2 ? fields[2] : fields.dropFirst().first { !isAddress($0) }
      let reference = ChannelReference.subscription(.channel(channel), .channel)
      return try builder.subscribe(to: reference, title: title, tags: [], line: line)
    }
    if mayBeHeader, !fields.contains(where: isAddress) { return }
    try builder.refuse(
      text.isEmpty ? .empty : .reference(.badChannelID(text.cut(toScalars: ReferenceError.evidenceLength))), line: line)
  }

  /// Whether rows from the start of a file look like this format: one begins with a channel ID, or has a YouTube
  /// address in its second field.
  ///
  /// In `channel.csv` of the same archive, the owner's own channel, the second field is a country or a title.
  static func recognises(_ rows: [[String]]) -> Bool {
    rows.contains { fields in
      guard fields.count > 1 else { return false }
      if isAddress(fields[1]), ChannelReference.isYouTube(fields[1]) { return true }
      let isOwn = fields.count > 2 && !fields[1].withoutBlanks.isEmpty && !isAddress(fields[1])
      return ChannelID(fields[0].withoutBlanks) != nil && !isOwn
    }
  }

  /// Whether rows are certainly this format: the second field is the address of the channel in the first. In the same
  /// archive, `channel.csv` holds the owner's own channel, whose second field is something else.
  static func recognisesCertainly(_ rows: [[String]]) -> Bool {
    rows.contains { fields in
      guard fields.count > 1, let channel = ChannelID(fields[0].withoutBlanks) else { return false }
      return ChannelReference.subscription(in: fields[1]) == .channel(channel)
    }
  }

  private static func isAddress(_ text: String) -> Bool { text.contains("://") }
}
