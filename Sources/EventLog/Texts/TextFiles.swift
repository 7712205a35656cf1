import Core
import Glibc

/// The segments of the index of texts, each a file of the cache: `texts/1`, `texts/2` …; and what was found out about
/// each by rules: `texts/1.rules` …
///
/// Disposable like the checkpoint, and tied to no log: a segment says of texts, by their keys, which words they have,
/// and that stays true whatever is appended, merged or compacted. What is missing or broken is as if it was never there.
struct TextFiles {
  private let folder: String
  private let lockPath: String

  init(_ folders: Folders) {
    folder = folders.texts
    lockPath = folders.texts + "/lock"
  }

  /// A segment and the number that is its file's name.
  struct Entry {
    var number: Int
    var segment: TextSegment
  }

  /// The segments there are, the largest first.
  func entries() -> [Entry] {
    numbers.compactMap { number in
      guard let map = MappedFile(path(number)) else { return nil }
      let source = VideoSnapshot.Source(map.bytes, owner: map)
      return TextSegment(source, checksum: CRC32C.of).map { Entry(number: number, segment: $0) }
    }.sorted { ($1.segment.count, $0.number) < ($0.segment.count, $1.number) }
  }

  /// Calls `body` while no other program writes segments; does nothing where one does.
  func whileAlone(_ body: () throws(LogError) -> Void) throws(LogError) {
    try Directory.make(folder)
    let lock = try File(lockPath, .replace)
    guard try lock.tryLock() else { return }
    defer { withExtendedLifetime(lock) {} }
    try body()
  }

  /// Writes a segment under a number of its own.
  func add(_ bytes: [UInt8]) throws(LogError) { try put(bytes, at: path((numbers.max() ?? 0) + 1)) }

  /// Puts a file in the place of another. No sync: a page that does not reach the disk is found by its checksum.
  private func put(_ bytes: [UInt8], at path: String) throws(LogError) {
    let new = folder + "/new"
    let file = try File(new, .replace)
    try file.truncate(to: 0)
    try file.write(bytes)
    guard Glibc.rename(new, path) == 0 else { throw .failed(.rename, path: path, errno: errno) }
  }

  /// Removes the segment with a number, and what was found out about it.
  func remove(_ number: Int) throws(LogError) {
    try Directory.remove(path(number))
    try Directory.remove(verdictPath(number))
  }

  /// What was found out about a segment.
  func verdicts(of entry: Entry) -> [TextCondition: TextVerdict] {
    guard let map = MappedFile(verdictPath(entry.number)) else { return [:] }
    return TextVerdicts.read(map.bytes, of: entry.segment, CRC32C.of)
  }

  /// Keeps what was found out about a segment, in place of what was before.
  func keep(_ verdicts: [TextCondition: TextVerdict], of entry: Entry) throws(LogError) {
    try put(TextVerdicts.bytes(verdicts, of: entry.segment, CRC32C.of), at: verdictPath(entry.number))
  }

  private var numbers: [Int] {
    let names = try? Directory.names(in: folder)  // A cache that cannot be read is none.
    return names?.compactMap { Int($0) } ?? []
  }

  private func path(_ number: Int) -> String { "\(folder)/\(number)" }
  private func verdictPath(_ number: Int) -> String { "\(folder)/\(number).rules" }
}
