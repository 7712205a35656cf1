import Core
import SQLDrivers

/// Which descriptions have which words: FTS5 in a database of its own, keyed by the texts, so that neither a rebuild of
/// the read model nor compaction of the log touches it. Made at the first search, grown by later ones; disposable.
///
/// What FTS5 gets are the tokens of normalised texts, separated by blanks, so that its simplest tokenizer does.
final class TextIndex {
  private let database: Database
  private let folder: String?
  /// Tells this index from any other: numbers of texts mean nothing elsewhere.
  let identity: Int64
  /// Whether the file is not yet under its name.
  private var unpublished: String?
  /// The numbers of all texts while many are added; nil while each is looked up.
  private var numbers: [Int64: Int64]?
  /// The number of the next text that is added.
  private var next: Int64 = 1

  /// The database is damaged, or not one of ours.
  struct Damage: Error {}

  private static func file(in folder: String) -> CacheFile {
    CacheFile(folder: folder, prefix: "search-v", version: 1, applicationID: 0x6d74_7573)
  }

  /// The name in the cache folder.
  static let linkName = file(in: "").linkName

  /// Bytes of words that FTS5 gathers before it writes them: more does not fit into the processor's cache.
  private static let hashSize = 8 << 20

  // MARK: Opening

  /// Opens the index in a folder; nil if there is none to rely on.
  static func open(in folder: String) -> TextIndex? {
    do {
      guard let database = try file(in: folder).open()?.database,
        let identity = try database.integer("SELECT value FROM identity")
      else { return nil }
      return TextIndex(database, folder: folder, identity: identity, unpublished: nil)
    } catch { return nil }
  }

  /// An empty index: in a file that gets its name once it is filled, or in memory.
  static func make(in folder: String?) throws(DatabaseError) -> TextIndex {
    let identity = Int64.random(in: 1 ... .max)
    if let folder, let (database, name) = file(in: folder).make() {
      do throws(DatabaseError) {
        try fill(database, identity)
        return TextIndex(database, folder: folder, identity: identity, unpublished: name)
      } catch { file(in: folder).remove(name) }
    }
    let memory = try Database(":memory:", .memory)
    try fill(memory, identity)
    return TextIndex(memory, folder: nil, identity: identity, unpublished: nil)
  }

  private static func fill(_ database: Database, _ identity: Int64) throws(DatabaseError) {
    try file(in: "").begin(database)
    try database.execute(
      .sqlite(
        """
        CREATE TABLE identity(value INTEGER NOT NULL);
        INSERT INTO identity VALUES (\(number: identity));
        CREATE TABLE text(id INTEGER PRIMARY KEY, fingerprint INTEGER NOT NULL);
        CREATE VIRTUAL TABLE words USING fts5(text, content='', columnsize=0, detail=none, tokenize='ascii');
        INSERT INTO words(words, rank) VALUES ('automerge', 0);
        INSERT INTO words(words, rank) VALUES ('crisismerge', 64);
        INSERT INTO words(words, rank) VALUES ('hashsize', \(number: TextIndex.hashSize));
        """))
  }

  /// A copy in memory, for what cannot be written to the file.
  func inMemory() throws -> TextIndex {
    try guarded { () throws(DatabaseError) in
      let copy = try Database(":memory:", .memory)
      try copy.copy(database)
      return TextIndex(copy, folder: nil, identity: identity, unpublished: nil)
    }
  }

  private init(_ database: Database, folder: String?, identity: Int64, unpublished: String?) {
    (self.database, self.folder, self.identity, self.unpublished) = (database, folder, identity, unpublished)
  }

  /// Whether it is empty and new, so that its file is made under another name.
  var isNew: Bool { unpublished != nil }

  // MARK: Adding texts

  /// Begins to add texts; `many` if it is about most of the model's.
  func begin(many: Bool) throws {
    try guarded { () throws(DatabaseError) in
      try database.execute(.sqlite("BEGIN IMMEDIATE"))
      next = (try database.integer("SELECT max(id) FROM text") ?? 0) + 1
      guard many else { return }
      var known: [Int64: Int64] = [:]
      try database.forEach("SELECT fingerprint, id FROM text") { known[$0.int(0)] = $0.int(1) }
      numbers = known
    }
  }

  /// The number of the text with a fingerprint; adds the text if it is new.
  func number(of fingerprint: Int64, text: () throws -> [UInt8]) throws -> Int64 {
    if let number = numbers?[fingerprint] { return number }
    if numbers == nil {
      let known = try guarded { () throws(DatabaseError) in
        try database.integer("SELECT id FROM text WHERE fingerprint = ?", fingerprint)
      }
      if let known { return known }
    }
    let words = TextIndex.words(of: try text())
    return try guarded { () throws(DatabaseError) in
      // With `RETURNING`, which opens a savepoint, FTS5 would write its words at each text.
      let number = next
      try database.run("INSERT INTO text(id, fingerprint) VALUES (?, ?)", number, fingerprint)
      next += 1
      let statement = try database.prepare("INSERT INTO words(rowid, text) VALUES (?, ?)")
      number.bind(to: statement)
      statement.bindText(words.span)
      try statement.finish()
      if numbers != nil { numbers?[fingerprint] = number }
      return number
    }
  }

  /// Keeps what was added.
  func commit() throws {
    numbers = nil
    try guarded { () throws(DatabaseError) in
      try database.execute(.sqlite("CREATE UNIQUE INDEX IF NOT EXISTS text_fingerprint ON text(fingerprint)"))
      if isNew { try database.execute("INSERT INTO words(words, rank) VALUES ('automerge', 4)") }
      try database.execute(.sqlite("COMMIT"))
    }
    publish()
  }

  /// Forgets what was added.
  func rollback() {
    numbers = nil
    if database.isInTransaction { try? database.execute(.sqlite("ROLLBACK")) }
    // Without a journal nothing can be rolled back.
    if let unpublished, let folder { TextIndex.file(in: folder).remove(unpublished) }
  }

  /// Gives a new file its name, once it is on the disk. If that fails, it is used by this process alone.
  private func publish() {
    guard let name = unpublished, let folder else { return }
    unpublished = nil
    guard TextIndex.file(in: folder).publish(name) else { return }
    try? database.execute(.sqlite("PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL"))
  }

  /// What FTS5 gets of a normalised text: its tokens but for signs, separated by ASCII that its tokenizer skips.
  static func words(of text: [UInt8]) -> [UInt8] { wordsWithoutPairs(text) ?? wordsWithPairs(text) }

  /// The text with blanks for signs that are not ASCII; nil if it has pairs.
  private static func wordsWithoutPairs(_ text: [UInt8]) -> [UInt8]? {
    var words = text
    var position = 0
    while position < text.count {
      if position + 8 <= text.count,
        text.span.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
      {
        position += 8
        continue
      }
      guard text[position] >= 0x80 else {
        position += 1
        continue
      }
      let (sort, length) = TextToken.character(in: text.span, at: position)
      if sort == .pair { return nil }
      if sort != .word { for index in position..<position + length { words[index] = 0x20 } }
      position += length
    }
    return words
  }

  private static func wordsWithPairs(_ text: [UInt8]) -> [UInt8] {
    var words: [UInt8] = []
    words.reserveCapacity(text.count * 2)
    TextToken.forEach(in: text.span) { token in
      guard token.sort != .signs else { return }
      words.append(0x20)
      words.append(contentsOf: text[token.bytes])
      guard token.sort == .pair else { return }
      // The last character of a run begins no pair.
      let tail = token.bytes.lowerBound + (text[token.bytes.lowerBound] >= 0xf0 ? 4 : 3)
      if tail < token.bytes.upperBound, !isPair(text.span, at: token.bytes.upperBound) {
        words.append(0x20)
        words.append(contentsOf: text[tail..<token.bytes.upperBound])
      }
    }
    return words
  }

  private static func isPair(_ text: Span<UInt8>, at position: Int) -> Bool {
    position < text.count && TextToken.character(in: text, at: position).sort == .pair
  }

  // MARK: Looking up

  /// The numbers of the texts that an FTS5 expression finds.
  func texts(_ expression: String) throws -> NumberSet {
    try guarded { () throws(DatabaseError) in
      var found = NumberSet(capacity: Int(try database.integer("SELECT max(id) FROM text") ?? 0) + 1)
      try database.forEach(.sqlite("SELECT rowid FROM words WHERE words MATCH ?"), expression) {
        found.insert($0.int(0))
      }
      return found
    }
  }

  /// Tells damage of this database from damage of the read model.
  private func guarded<Result>(_ body: () throws(DatabaseError) -> Result) throws -> Result {
    do throws(DatabaseError) {
      return try body()
    } catch {
      if case .damaged = error { throw Damage() }
      throw error
    }
  }
}
