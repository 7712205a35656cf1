import Core
import SQLDrivers

/// Search on PostgreSQL: what it looks through is kept with the tables, in the same transaction, because several
/// processes write them.
///
/// It finds what `SearchScan` finds with FTS5. Descriptions are found by PostgreSQL's full-text search over our own
/// words, as lexemes without positions; an owner's titles are looked through.
struct PostgresSearch {
  let database: Database
  let user: Int64
  let foldedText: (Description) throws -> [UInt8]

  // MARK: Keeping

  /// Takes the titles and descriptions of all videos.
  func updateAll() throws {
    var known: Set<Int64> = []
    try database.scan(
      "SELECT v.text FROM video v JOIN LATERAL (SELECT FROM words WHERE fingerprint = v.text LIMIT 1) w ON true"
    ) { known.insert($0.int(0)) }
    try VideoTexts(database, foldedText).forEach { row, title, description in
      var row = row
      if let fingerprint = row.fingerprint, !known.insert(fingerprint).inserted { row.fingerprint = nil }
      try update(row, title: title, description: description)
    }
    try PostgresSearch.analyze(["title", "words"], in: database)
  }

  /// Has the server analyze those tables of the read model that it may still take for empty. One that another process
  /// analyzes, or has analyzed in its transaction, is passed over.
  static func analyze(_ tables: [String], in database: Database) throws(DatabaseError) {
    var small: [String] = []
    try database.forEach(
      "SELECT relname FROM pg_class WHERE oid = ANY (CAST(? AS regclass[])) AND reltuples < 10000",
      Database.array(tables.map { "all_\($0)" })
    ) { small.append($0.text(0)) }
    if small.isEmpty { return }
    try database.execute("ANALYZE (SKIP_LOCKED) \(.names(small))")
  }

  /// Updates the index for the videos that changed.
  func update(_ videos: some Collection<VideoID>) throws {
    guard !videos.isEmpty else { return }
    var known: Set<Int64> = []
    try database.forEach(
      """
      SELECT v.text FROM \(Database.rows(of: "video", where: "id = one.value"))
        JOIN LATERAL (SELECT FROM words WHERE fingerprint = v.text LIMIT 1) w ON true
      """, Database.array(videos.lazy.map(\.column))
    ) { known.insert($0.int(0)) }
    try VideoTexts(database, foldedText).forEach(of: videos) { row, title, description in
      var row = row
      if let fingerprint = row.fingerprint, !known.insert(fingerprint).inserted { row.fingerprint = nil }
      try update(row, title: title, description: description)
    }
  }

  private func update(
    _ row: VideoTexts.Row, title: [UInt8], description: () throws -> [UInt8]
  ) throws {
    try database.send(
      "INSERT INTO title(n, folded) VALUES (?, ?) ON CONFLICT(owner, n) DO UPDATE SET folded = excluded.folded", row.n,
      String(decoding: SearchTerm.collapsed(title), as: UTF8.self))
    guard let fingerprint = row.fingerprint else { return }
    try database.send(
      "INSERT OR IGNORE INTO words VALUES (?, CAST(? AS tsvector))", fingerprint,
      Lexemes.vector(of: try description()))
  }

  // MARK: Searching

  /// The numbers of the videos that have every one of these terms.
  func numbers(_ terms: [SearchTerm]) throws -> NumberSet {
    var (found, doubts): (NumberSet?, [(term: SearchTerm, sure: NumberSet)]) = (nil, [])
    let names = try ChannelResolver(database, user: user)
    for term in terms {
      var sure = try inTitles(term)
      sure.formUnion(try inChannels(term, names))
      var possible = try inTexts(term)
      let unread = term.tsquery == nil ? NumberSet() : try withoutWords()
      if !term.mustReadLexemes {
        sure.formUnion(possible)
        possible = NumberSet()
      }
      possible.formUnion(unread)
      if possible.count > 0 { doubts.append((term, sure)) }
      possible.formUnion(sure)
      if found?.formIntersection(possible) == nil { found = possible }
    }
    guard var found else { return NumberSet() }
    for (term, sure) in doubts {
      var doubtful = found
      doubtful.subtract(sure)
      found.subtract(try VideoTexts(database, foldedText).without(term, doubtful))
    }
    return found
  }

  private func numbers<each Parameter: Bindable>(
    _ sql: SQL, _ parameter: repeat each Parameter
  ) throws(DatabaseError) -> NumberSet {
    var numbers = NumberSet()
    try database.scan(sql, repeat each parameter) { numbers.insert($0.int(0)) }
    return numbers
  }

  private func inTitles(_ term: SearchTerm) throws(DatabaseError) -> NumberSet {
    try numbers("SELECT n FROM title WHERE strpos(folded, ?) > 0", String(decoding: term.bytes, as: UTF8.self))
  }

  private func inTexts(_ term: SearchTerm) throws(DatabaseError) -> NumberSet {
    guard let query = term.tsquery else { return NumberSet() }
    return try numbers(
      """
      SELECT v.n FROM words w JOIN video v ON v.text = w.fingerprint
      WHERE w.words @@ CAST(? AS tsquery) AND v.found IS NOT NULL
      """, query)
  }

  /// The videos whose descriptions have too many words for PostgreSQL.
  private func withoutWords() throws(DatabaseError) -> NumberSet {
    try numbers(
      """
      SELECT v.n FROM words w JOIN video v ON v.text = w.fingerprint WHERE w.words IS NULL AND v.found IS NOT NULL
      """)
  }

  private func inChannels(_ term: SearchTerm, _ names: ChannelResolver) throws(DatabaseError) -> NumberSet {
    var found = NumberSet()
    let channels = names.channels.indices.filter { number in
      names.channels[number].map { SearchWords.occurs(term.bytes, in: $0) } ?? false
    }
    if !channels.isEmpty {
      try database.scan(
        """
        SELECT v.n, v.channel FROM unnest(CAST(? AS bigint[])) c(n) JOIN video v ON v.channel = c.n
        WHERE v.found IS NOT NULL
        """, Database.array(channels.lazy.map { Int64($0) })
      ) { row in
        if !names.areOfVideos[Int(row.int(1))] || !names.isNamedApart(row.int(0)) { found.insert(row.int(0)) }
      }
    }
    for video in names.videos where SearchWords.occurs(term.bytes, in: video.name) { found.insert(video.n) }
    return found
  }
}

extension SearchTerm {
  /// What finds the descriptions with its words; nil if it is not looked for in descriptions.
  fileprivate var tsquery: String? {
    if words.isEmpty { return nil }
    return words.map { Lexemes.quoted(Lexemes.cut($0.bytes)) + ($0.isPrefix ? ":*" : "") }.joined(separator: " & ")
  }

  /// Whether `tsquery` finds too many descriptions.
  fileprivate var mustReadLexemes: Bool { mustRead || words.contains { $0.bytes.count >= Lexemes.longest } }
}

/// Words as PostgreSQL's full-text search takes them.
private enum Lexemes {
  /// Bytes of a lexeme; PostgreSQL takes 2046.
  static let longest = 2000
  /// Bytes of all lexemes of a description; PostgreSQL takes 1 MB.
  private static let maximum = 500_000

  /// The words of a normalised description as a `tsvector` literal; nil if there are too many.
  static func vector(of text: [UInt8]) -> String? {
    var (seen, size): (Set<ArraySlice<UInt8>>, Int) = ([], 0)
    for word in TextIndex.words(of: text).split(whereSeparator: isSeparator) {
      let lexeme = cut(word)
      if seen.insert(lexeme).inserted { size += lexeme.count + 8 }
      if size > maximum { return nil }
    }
    return seen.map(quoted).joined(separator: " ")
  }

  /// As FTS5's tokenizer `ascii` separates them.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      false
    default: true
    }
  }

  /// As much of a word as a lexeme can be.
  static func cut(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard word.count > longest else { return word }
    var end = word.startIndex + longest
    while end > word.startIndex, word[end] & 0xc0 == 0x80 { end -= 1 }
    return word[..<end]
  }

  static func quoted(_ bytes: ArraySlice<UInt8>) -> String { quoted(String(decoding: bytes, as: UTF8.self)) }

  private static func quoted(_ text: some StringProtocol) -> String {
    var quoted = "'"
    for letter in text.unicodeScalars {
      if letter == "'" || letter == "\\" { quoted.unicodeScalars.append(letter) }
      quoted.unicodeScalars.append(letter)
    }
    return quoted + "'"
  }
}
