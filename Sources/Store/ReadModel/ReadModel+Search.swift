import Core
import SQLDrivers

/// Search: which videos have all words of a text.
extension ReadModel {
  /// Why a search is refused; nil if it is not.
  package static func flaw(ofSearch text: String) -> SearchFlaw? {
    let count = SearchTerm.terms(text).count
    return count == 0 ? .empty : count > SearchTerm.maximum ? .tooLong(limit: SearchTerm.maximum) : nil
  }

  /// The numbers of the videos that have every word or quoted phrase of a text, in whatever state; see `SearchTerm`.
  /// Brings the index up to date first; without words every video has them.
  package func search(_ text: String) throws -> NumberSet {
    let terms = SearchTerm.terms(text)
    // Outside, for errors of reading texts are others than those of the database.
    let found = try readAndWrite { (database) throws(DatabaseError) -> Result<NumberSet, any Error> in
      do {
        return .success(try search(terms, database))
      } catch let error as DatabaseError {
        throw error
      } catch is TextIndex.Damage {
        return Result {
          // A new index has new numbers, and with them come new documents.
          textIndex = try TextIndex.make(in: storage == .file ? folder : nil)
          return try search(terms, database)
        }
      } catch { return .failure(error) }
    }
    return try found.get()
  }

  private func search(_ terms: [SearchTerm], _ database: Database) throws -> NumberSet {
    guard !terms.isEmpty else {
      var all = NumberSet()
      try database.scan("SELECT n FROM video WHERE found IS NOT NULL") { all.insert($0.int(0)) }
      return all
    }
    if database.isPostgres {
      return try PostgresSearch(database: database, user: user, foldedText: foldedText).numbers(terms)
    }
    let index = try currentIndex(database)
    let scanned = try terms.map { SearchScan.ScannedTerm(term: $0, texts: try $0.expression.map(index.texts)) }
    let hits = try SearchScan(database, user: user, scanned).hits()
    guard var found = hits.first.map({ NumberSet(words: $0.sure) }) else { return NumberSet() }
    if !hits[0].possible.isEmpty { found.formUnion(NumberSet(words: hits[0].possible)) }
    for hit in hits.dropFirst() {
      var either = NumberSet(words: hit.sure)
      if !hit.possible.isEmpty { either.formUnion(NumberSet(words: hit.possible)) }
      found.formIntersection(either)
    }
    for hit in hits where hit.term.mustRead {
      var doubtful = found
      doubtful.subtract(NumberSet(words: hit.sure))
      found.subtract(try VideoTexts(database, foldedText).without(hit.term, doubtful))
    }
    return found
  }

  // MARK: Bringing up to date

  private func currentIndex(_ database: Database) throws -> TextIndex {
    var index = try textIndex ?? openedIndex()
    textIndex = index
    let documents = SearchDocuments(database: database)
    if try documents.isCurrent(index.identity) { return index }
    // Another process may have made a new one.
    if !index.isNew, let folder, let other = TextIndex.open(in: folder), other.identity != index.identity {
      (index, textIndex) = (other, other)
    }
    do {
      try update(documents, index)
    } catch let error as DatabaseError where error.isOfWriting {
      // What cannot be kept is made in memory for this process.
      if !index.isNew { index = try index.inMemory() } else { index = try TextIndex.make(in: nil) }
      textIndex = index
      if storage != .memory { try documents.makeTemporary() }
      try update(documents, index)
    }
    return index
  }

  private func openedIndex() throws -> TextIndex {
    guard let folder else { return try TextIndex.make(in: nil) }
    return try TextIndex.open(in: folder) ?? TextIndex.make(in: storage == .readOnlyFile ? nil : folder)
  }

  private func update(_ documents: SearchDocuments, _ index: TextIndex) throws {
    let isTemporary =
      try documents.database.integer(.sqlite("SELECT 1 FROM temp.sqlite_master WHERE name = 'doc'")) != nil
    try documents.database.execute(.sqlite(isTemporary || storage == .readOnlyFile ? "BEGIN" : "BEGIN IMMEDIATE"))
    do {
      let chunks = try documents.staleChunks(index.identity)
      if storage == .readOnlyFile, !isTemporary { throw DatabaseError.notWritable(code: 0, "read-only") }
      try index.begin(many: chunks.count >= ReadModel.manyChunks)
      do {
        try documents.update(chunks, index, foldedText)
        try index.commit()
      } catch {
        index.rollback()
        if index.isNew { textIndex = nil }
        throw error
      }
      try documents.database.execute(.sqlite("COMMIT"))
    } catch {
      if documents.database.isInTransaction { try? documents.database.execute(.sqlite("ROLLBACK")) }
      throw error
    }
  }

  /// From so many chunks on all texts' numbers are read at once.
  private static let manyChunks = 20
}

extension DatabaseError {
  /// Whether something cannot be written, though it may be read.
  var isOfWriting: Bool {
    switch self {
    case .busy, .notWritable: true
    case .damaged, .failed, .connectionLost, .interrupted: false
    }
  }
}

/// Why a search is refused.
package enum SearchFlaw: Equatable, Sendable {
  /// It has no words, so every video would match.
  case empty
  /// It has more words than this.
  case tooLong(limit: Int)
}

/// What a search scans instead of rows: for each 1,024 consecutive numbers of videos one row with their normalised
/// titles, the numbers of their descriptions in the index of texts, and the numbers of their channels.
///
/// Titles are separated by line feeds; numbers are 32 bits, little-endian, 0 if absent.
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

  /// Makes the tables for this connection alone, empty, instead of those that cannot be written.
  func makeTemporary() throws(DatabaseError) {
    try database.execute(
      """
      CREATE TABLE IF NOT EXISTS temp.doc(
        chunk INTEGER NOT NULL PRIMARY KEY, titles BLOB NOT NULL, texts BLOB NOT NULL, channels BLOB NOT NULL);
      CREATE TABLE IF NOT EXISTS temp.doc_cover(identity INTEGER NOT NULL, covered INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS temp.doc_edit(n INTEGER NOT NULL PRIMARY KEY);
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
    try database.forEach("SELECT DISTINCT n / \(number: SearchDocuments.chunkSize) FROM doc_edit") {
      chunks.insert($0.int(0))
    }
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
        """
        INSERT INTO doc VALUES (?, ?, ?, ?)
        ON CONFLICT(chunk) DO UPDATE SET titles = excluded.titles, texts = excluded.texts, channels = excluded.channels
        """, chunk, titles, numbers.bytes, channels.bytes)
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
