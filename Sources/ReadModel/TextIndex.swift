import Core
import Glibc

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

  /// The database is damaged, or not one of ours.
  struct Damage: Error {}

  static let linkName = "search-v\(version).db"
  private static let version = 1
  private static let applicationID: Int64 = 0x6d74_7573

  /// Bytes of words that FTS5 gathers before it writes them: more does not fit into the processor's cache.
  private static let hashSize = 8 << 20

  // MARK: Opening

  /// Opens the index in a folder; nil if there is none to rely on.
  static func open(in folder: String) -> TextIndex? {
    let path = folder + "/" + linkName
    guard access(path, R_OK) == 0 else { return nil }
    let isWritable = access(path, W_OK) == 0 && access(folder, W_OK) == 0
    do {
      let database = try Database(path, isWritable ? .readWrite : .readOnly)
      try database.execute("PRAGMA cell_size_check = 1; PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL")
      let (id, known) = (try database.integer("PRAGMA application_id"), try database.integer("PRAGMA user_version"))
      guard id == applicationID, known == Int64(version) else { return nil }
      guard let identity = try database.integer("SELECT value FROM identity") else { return nil }
      return TextIndex(database, folder: folder, identity: identity, unpublished: nil)
    } catch { return nil }
  }

  /// An empty index: in a file that gets its name once it is filled, or in memory.
  static func make(in folder: String?) throws(DatabaseError) -> TextIndex {
    let name = "search-v\(version)-\(String(UInt32.random(in: .min ... .max), radix: 16)).db"
    var database: Database?
    if let folder {
      let descriptor = Glibc.open(folder + "/" + name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
      if descriptor >= 0 {
        close(descriptor)
        database = try? Database(folder + "/" + name, .readWrite)
      }
    }
    let identity = Int64.random(in: 1 ... .max)
    if let file = database {
      do throws(DatabaseError) {
        try fill(file, identity)
        return TextIndex(file, folder: folder, identity: identity, unpublished: name)
      } catch { unlink((folder ?? "") + "/" + name) }
    }
    let memory = try Database(":memory:", .memory)
    try fill(memory, identity)
    return TextIndex(memory, folder: nil, identity: identity, unpublished: nil)
  }

  private static func fill(_ database: Database, _ identity: Int64) throws(DatabaseError) {
    try database.execute(
      """
      PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version);
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
      CREATE TABLE identity(value INTEGER NOT NULL);
      INSERT INTO identity VALUES (\(identity));
      CREATE TABLE text(id INTEGER PRIMARY KEY, fingerprint INTEGER NOT NULL);
      CREATE VIRTUAL TABLE words USING fts5(text, content='', columnsize=0, detail=none, tokenize='ascii');
      INSERT INTO words(words, rank) VALUES ('automerge', 0);
      INSERT INTO words(words, rank) VALUES ('crisismerge', 64);
      INSERT INTO words(words, rank) VALUES ('hashsize', \(TextIndex.hashSize));
      """)
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
      try database.execute("BEGIN IMMEDIATE")
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
      try database.run("INSERT INTO text(fingerprint) VALUES (?)", fingerprint)
      let number = database.lastRow
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
      try database.execute("CREATE UNIQUE INDEX IF NOT EXISTS text_fingerprint ON text(fingerprint)")
      if isNew { try database.execute("INSERT INTO words(words, rank) VALUES ('automerge', 4)") }
      try database.execute("COMMIT")
    }
    publish()
  }

  /// Forgets what was added.
  func rollback() {
    numbers = nil
    if database.isInTransaction { try? database.execute("ROLLBACK") }
    // Without a journal nothing can be rolled back.
    if let unpublished, let folder { unlink(folder + "/" + unpublished) }
  }

  /// Gives a new file its name, once it is on the disk. If that fails, it is used by this process alone.
  private func publish() {
    guard let name = unpublished, let folder else { return }
    unpublished = nil
    let (path, temporary) = (folder + "/" + name, folder + "/" + name + ".link")
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    let isSynchronized = descriptor >= 0 && fdatasync(descriptor) == 0
    if descriptor >= 0 { close(descriptor) }
    guard isSynchronized, symlink(name, temporary) == 0, rename(temporary, folder + "/" + TextIndex.linkName) == 0
    else {
      unlink(path)
      return
    }
    try? database.execute("PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL")
    removeOthers(than: name, in: folder)
  }

  /// Removes the files of earlier indexes, of any version.
  private func removeOthers(than name: String, in folder: String) {
    guard let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let other = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if other.hasPrefix("search-v"), other != TextIndex.linkName, !other.hasPrefix(name) {
        unlink(folder + "/" + other)
      }
    }
  }

  /// What FTS5 gets of a normalised text: its tokens but for signs, separated by ASCII that its tokenizer skips.
  static func words(of text: [UInt8]) -> [UInt8] { wordsWithoutPairs(text) ?? wordsWithPairs(text) }

  /// The text with blanks for signs that are not ASCII; nil if it has pairs.
  private static func wordsWithoutPairs(_ text: [UInt8]) -> [UInt8]? {
    var words = text
    let isDone = words.withUnsafeMutableBytes { words in
      var place = 0
      while place < words.count {
        if place + 8 <= words.count,
          words.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        {
          place += 8
          continue
        }
        guard words[place] >= 0x80 else {
          place += 1
          continue
        }
        let (sort, length) = TextToken.character(in: UnsafeRawBufferPointer(words), at: place)
        if sort == .pair { return false }
        if sort != .word { for index in place..<place + length { words[index] = 0x20 } }
        place += length
      }
      return true
    }
    return isDone ? words : nil
  }

  private static func wordsWithPairs(_ text: [UInt8]) -> [UInt8] {
    var words: [UInt8] = []
    words.reserveCapacity(text.count * 2)
    text.withUnsafeBytes { text in
      TextToken.forEach(in: text) { token in
        guard token.sort != .signs else { return }
        words.append(0x20)
        words.append(contentsOf: text[token.bytes])
        guard token.sort == .pair else { return }
        // The last character of a run begins no pair.
        let tail = token.bytes.lowerBound + (text[token.bytes.lowerBound] >= 0xf0 ? 4 : 3)
        if tail < token.bytes.upperBound, !TextIndex.isPair(text, at: token.bytes.upperBound) {
          words.append(0x20)
          words.append(contentsOf: text[tail..<token.bytes.upperBound])
        }
      }
    }
    return words
  }

  private static func isPair(_ text: UnsafeRawBufferPointer, at place: Int) -> Bool {
    place < text.count && TextToken.character(in: text, at: place).sort == .pair
  }

  // MARK: Looking up

  /// The numbers of the texts that an FTS5 expression finds.
  func texts(_ expression: String) throws -> NumberSet {
    try guarded { () throws(DatabaseError) in
      var found = NumberSet(capacity: Int(try database.integer("SELECT max(id) FROM text") ?? 0) + 1)
      try database.forEach("SELECT rowid FROM words WHERE words MATCH ?", expression) { found.insert($0.int(0)) }
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
