import Core
import SQLDrivers

/// Looks through titles, channels and descriptions for the terms of a search.
struct SearchScan {
  private let database: Database
  private let terms: [ScannedTerm]
  private let names: ChannelResolver

  /// A term and where it is known to be besides titles.
  struct ScannedTerm {
    var term: SearchTerm
    /// The texts that FTS5 finds; nil if none.
    var texts: NumberSet?
    /// Whether each channel's title has the term, by the channel's number.
    fileprivate var channels: [Bool] = []
    fileprivate var isInChannels = false

    init(term: SearchTerm, texts: NumberSet?) { (self.term, self.texts) = (term, texts) }
  }

  /// What was found of one term.
  struct Hits {
    var term: SearchTerm
    var sure: [UInt64]
    /// Videos whose descriptions have its words and must be read.
    var possible: [UInt64]
  }

  init(_ database: Database, user: Int64, _ terms: [ScannedTerm]) throws(DatabaseError) {
    self.database = database
    names = try ChannelResolver(database, user: user)
    self.terms = terms.map { [names] scanned in
      var scanned = scanned
      scanned.channels = names.channels.map { $0.map { SearchWords.occurs(scanned.term.bytes, in: $0) } ?? false }
      scanned.isInChannels = scanned.channels.contains(true)
      return scanned
    }
  }

  /// The videos of each term.
  func hits() throws(DatabaseError) -> [Hits] {
    let last = try database.integer("SELECT max(chunk) FROM doc") ?? 0
    let empty = [UInt64](repeating: 0, count: (Int(last) + 1) * SearchDocuments.chunkWords)
    var hits = terms.map { Hits(term: $0.term, sure: empty, possible: $0.term.mustRead ? empty : []) }
    try database.forEach("SELECT chunk, titles, texts, channels FROM doc") { row in
      let first = Int(row.int(0)) * SearchDocuments.chunkWords
      row.withBlob(1) { titles in
        row.withBlob(2) { texts in
          row.withBlob(3) { channels in
            for (index, scanned) in terms.enumerated() {
              SearchScan.markTitles(scanned.term.bytes, titles, &hits[index].sure, from: first)
              if scanned.isInChannels { mark(channels, scanned, &hits[index].sure, from: first) }
              guard let found = scanned.texts else { continue }
              if scanned.term.mustRead {
                SearchScan.mark(texts, found.words, &hits[index].possible, from: first)
              } else {
                SearchScan.mark(texts, found.words, &hits[index].sure, from: first)
              }
            }
          }
        }
      }
    }
    // A video that brought its channel's name with it, of a channel that has no other.
    for video in names.videos {
      for index in hits.indices where SearchWords.occurs(hits[index].term.bytes, in: video.name) {
        hits[index].sure[Int(video.n) >> 6] |= 1 << UInt64(video.n & 63)
      }
    }
    return hits
  }

  private static func markTitles(
    _ word: [UInt8], _ titles: RawSpan, _ bits: inout [UInt64], from first: Int
  ) {
    var (start, line, lineStart) = (0, 0, 0)
    while let found = SearchWords.position(of: word, in: titles, from: start) {
      while let end = SearchWords.position(of: 0x0a, in: titles, from: lineStart), end < found {
        (line, lineStart) = (line + 1, end + 1)
      }
      bits[first + line >> 6] |= 1 << UInt64(line & 63)
      guard let end = SearchWords.position(of: 0x0a, in: titles, from: found) else { return }
      (line, lineStart, start) = (line + 1, end + 1, end + 1)
    }
  }

  /// Marks the videos whose numbers of a column are in a set of bits.
  private static func mark(
    _ column: RawSpan, _ set: [UInt64], _ bits: inout [UInt64], from first: Int
  ) {
    let set = set.span
    for slot in 0..<min(column.byteCount / 4, Int(SearchDocuments.chunkSize)) {
      let number = Int(UInt32(littleEndian: column.unsafeLoadUnaligned(fromByteOffset: slot * 4, as: UInt32.self)))
      if number >> 6 < set.count, set[number >> 6] >> UInt64(number & 63) & 1 == 1 {
        bits[first + slot >> 6] |= 1 << UInt64(slot & 63)
      }
    }
  }

  private func mark(
    _ column: RawSpan, _ scanned: ScannedTerm, _ bits: inout [UInt64], from first: Int
  ) {
    for slot in 0..<min(column.byteCount / 4, Int(SearchDocuments.chunkSize)) {
      let number = Int(UInt32(littleEndian: column.unsafeLoadUnaligned(fromByteOffset: slot * 4, as: UInt32.self)))
      guard number > 0, number < scanned.channels.count, scanned.channels[number] else { continue }
      let n = Int64(first * 64 + slot)
      if !names.areOfVideos[number] || !names.isNamedApart(n) { bits[first + slot >> 6] |= 1 << UInt64(slot & 63) }
    }
  }
}

/// The titles of channels as `State.channelTitle` has them, normalised.
struct ChannelResolver {
  /// By the channel's number: its title, or the ID if it has none.
  private(set) var channels: [[UInt8]?] = []
  /// Whether a channel has no title, so that a video's own name for it counts.
  private(set) var areOfVideos: [Bool] = []
  /// Videos with names of their own for such channels, in the order of their numbers.
  private(set) var videos: [(n: Int64, name: [UInt8])] = []
  private var named = NumberSet()

  init(_ database: Database, user: Int64) throws(DatabaseError) {
    var (channels, areOfVideos): ([[UInt8]?], [Bool]) = ([nil], [false])
    var hasVideos = false
    try database.forEach(
      """
      SELECT c.n, c.id, c.name, nullif(s.title, '') FROM channel c
        LEFT JOIN subscription s ON s.owner = ? AND s.channel = c.n
      ORDER BY c.n
      """, user
    ) { row in
      while channels.count < row.int(0) {
        channels.append(nil)
        areOfVideos.append(false)
      }
      let hasTitle = !row.isNull(2) || !row.isNull(3)
      channels.append(SearchTerm.collapsed(row.foldedText(!row.isNull(3) ? 3 : !row.isNull(2) ? 2 : 1)))
      areOfVideos.append(!hasTitle)
      if !hasTitle { hasVideos = true }
    }
    var videos: [(n: Int64, name: [UInt8])] = []
    if hasVideos {
      try database.forEach(
        "SELECT n, channel, channel_title FROM video WHERE channel_title IS NOT NULL AND found IS NOT NULL ORDER BY n"
      ) { row in
        guard areOfVideos[Int(row.int(1))] else { return }
        videos.append((row.int(0), SearchTerm.collapsed(row.foldedText(2))))
      }
    }
    (self.channels, self.areOfVideos, self.videos) = (channels, areOfVideos, videos)
    named = NumberSet(videos.map(\.n))
  }

  /// Whether a video brought its channel's name with it.
  func isNamedApart(_ n: Int64) -> Bool { named.contains(n) }
}
