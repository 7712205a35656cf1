import Core

/// What a search scans instead of rows: for each 1,024 consecutive numbers of videos one row with their normalised
/// titles, the numbers of their descriptions in the index of texts, and the numbers of their channels.
///
/// Titles are separated by line feeds; numbers are 32 bits, little-endian, 0 if there is none.
struct SearchDocuments {
  let database: Database
  static let chunkSize: Int64 = 1024
  /// 64-bit words for the bits of a chunk.
  static let chunkWords = 16

  /// Whether everything is covered, with the numbers of this index.
  func isCurrent(_ identity: Int64) throws(DatabaseError) -> Bool {
    let covered = try database.integer("SELECT covered FROM doc_cover WHERE identity = ?", identity)
    let isEdited = try database.integer("SELECT 1 FROM doc_edit LIMIT 1") != nil
    return try covered == last() && !isEdited
  }

  private func last() throws(DatabaseError) -> Int64 { try database.integer("SELECT max(n) FROM video") ?? 0 }

  /// Makes the tables for this connection alone, empty, in the place of those that cannot be written.
  func makeTemporary() throws(DatabaseError) {
    try database.execute(
      """
      CREATE TABLE IF NOT EXISTS temp.doc(
        chunk INTEGER PRIMARY KEY, titles BLOB NOT NULL, texts BLOB NOT NULL, channels BLOB NOT NULL);
      CREATE TABLE IF NOT EXISTS temp.doc_cover(identity INTEGER NOT NULL, covered INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS temp.doc_edit(n INTEGER PRIMARY KEY);
      """)
  }

  /// Notes videos whose titles or descriptions changed and that are covered.
  static func note(_ videos: some Collection<VideoID>, in database: Database) throws(DatabaseError) {
    guard !videos.isEmpty, let covered = try database.integer("SELECT covered FROM doc_cover") else { return }
    for video in videos {
      try database.run("INSERT OR IGNORE INTO doc_edit SELECT n FROM video WHERE id = ? AND n <= ?", video, covered)
    }
  }

  // MARK: Bringing up to date

  /// The chunks to be made anew.
  func staleChunks(_ identity: Int64) throws(DatabaseError) -> [Int64] {
    let end = try last() / SearchDocuments.chunkSize
    let covered = try database.integer("SELECT covered FROM doc_cover WHERE identity = ?", identity)
    guard let covered else { return Array(0...end) }
    var chunks = Set(covered < (try last()) ? Array(covered / SearchDocuments.chunkSize...end) : [])
    try database.forEach("SELECT DISTINCT n / \(SearchDocuments.chunkSize) FROM doc_edit") { chunks.insert($0.int(0)) }
    return chunks.sorted()
  }

  /// Makes chunks anew, in a transaction of both databases; descriptions that the index lacks are added to it.
  func update(_ chunks: [Int64], _ index: TextIndex, _ foldedText: @escaping (Description) throws -> [UInt8]) throws {
    let texts = VideoTexts(database, foldedText)
    for chunk in chunks {
      let size = SearchDocuments.chunkSize
      var titles: [UInt8] = []
      var (numbers, channels) = (Columns(count: size), Columns(count: size))
      var next = chunk * size
      try texts.forEach(in: chunk * size..<(chunk + 1) * size) { row, title, description in
        for _ in next..<row.n { titles.append(0x0a) }
        titles += SearchTerm.collapsed(title)
        titles.append(0x0a)
        next = row.n + 1
        if let fingerprint = row.fingerprint {
          numbers[row.n - chunk * size] = try index.number(of: fingerprint, text: description)
        }
        channels[row.n - chunk * size] = row.channel
      }
      try database.run(
        "INSERT OR REPLACE INTO doc VALUES (?, ?, ?, ?)", chunk, titles, numbers.bytes, channels.bytes)
    }
    try database.execute("DELETE FROM doc_cover; DELETE FROM doc_edit")
    try database.run("INSERT INTO doc_cover VALUES (?, ?)", index.identity, last())
  }

  /// Numbers of 32 bits, little-endian.
  private struct Columns {
    var bytes: [UInt8]

    init(count: Int64) { bytes = Array(repeating: 0, count: Int(count) * 4) }

    subscript(index: Int64) -> Int64 {
      get { 0 }
      set { for byte in 0..<4 { bytes[Int(index) * 4 + byte] = UInt8(truncatingIfNeeded: newValue >> (8 * byte)) } }
    }
  }
}
