import Core

/// Search: which videos have all words of a text.
extension ReadModel {
  /// Why a search is refused; nil if it is not.
  package static func flaw(ofSearch text: String) -> SearchFlaw? {
    let count = SearchTerm.terms(text).count
    return count == 0 ? .empty : count > SearchTerm.most ? .tooLong(limit: SearchTerm.most) : nil
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
          textIndex = try TextIndex.make(in: place == .file ? folder : nil)
          return try search(terms, database)
        }
      } catch { return .failure(error) }
    }
    return try found.get()
  }

  private func search(_ terms: [SearchTerm], _ database: Database) throws -> NumberSet {
    guard !terms.isEmpty else {
      var all = NumberSet()
      try database.forEach("SELECT n FROM video WHERE found IS NOT NULL") { all.insert($0.int(0)) }
      return all
    }
    let index = try currentIndex(database)
    let places = try terms.map { SearchScan.TermPlaces(term: $0, texts: try $0.expression.map(index.texts)) }
    let hits = try SearchScan(database, user: user, places).hits()
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
      found.subtract(try without(hit.term, doubtful, database))
    }
    return found
  }

  /// Those of some videos whose descriptions have the words of a term, but not the term.
  private func without(_ term: SearchTerm, _ videos: NumberSet, _ database: Database) throws -> NumberSet {
    var without = NumberSet()
    try VideoTexts(database, foldedText).forEach(of: videos) { row, _, description in
      if !term.begins(in: try description()) { without.insert(row.n) }
    }
    return without
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
      if place != .memory { try documents.makeTemporary() }
      try update(documents, index)
    }
    return index
  }

  private func openedIndex() throws -> TextIndex {
    guard let folder else { return try TextIndex.make(in: nil) }
    return try TextIndex.open(in: folder) ?? TextIndex.make(in: place == .readOnlyFile ? nil : folder)
  }

  private func update(_ documents: SearchDocuments, _ index: TextIndex) throws {
    let isTemporary = try documents.database.integer("SELECT 1 FROM temp.sqlite_master WHERE name = 'doc'") != nil
    try documents.database.execute(isTemporary || place == .readOnlyFile ? "BEGIN" : "BEGIN IMMEDIATE")
    do {
      let chunks = try documents.staleChunks(index.identity)
      if place == .readOnlyFile, !isTemporary { throw DatabaseError.notWritable(code: 0, "read-only") }
      try index.begin(many: chunks.count >= ReadModel.manyChunks)
      do {
        try documents.update(chunks, index, foldedText)
        try index.commit()
      } catch {
        index.rollback()
        if index.isNew { textIndex = nil }
        throw error
      }
      try documents.database.execute("COMMIT")
    } catch {
      if documents.database.isInTransaction { try? documents.database.execute("ROLLBACK") }
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
    case .damaged, .failed: false
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
