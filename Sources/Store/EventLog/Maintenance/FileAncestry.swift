import Core

/// How one file of a device relates to another file of the same device, judged by their good lines.
///
/// A device only appends to its file, so usually one copy is a prefix of the other. If it is not, each line is looked
/// up in the other file: compaction drops superseded lines, a repair drops unreadable ones, and an old backup may have
/// been appended to. The generation proves nothing about that; it only decides between two files with the same content.
package enum FileAncestry: String, Equatable, Sendable {
  case same
  /// The other file has everything this one has, and more, or the same in a higher generation.
  case older
  /// This file has everything the other has, and more, or the same in a higher generation.
  case newer
  /// Each has something the other lacks: two machines wrote under one ID, or an old backup was appended to.
  case forked
}

extension FileAncestry {
  /// How `copy` relates to `other`; `now` in milliseconds since 1970.
  init(of copy: File, to other: File, at now: UInt64) throws(LogError) {
    if let relation = try FileAncestry(beginningOf: copy, and: other) {
      self = relation
      return
    }
    let isLacking = try !KnownLines(of: copy, at: now).containAll(of: other)
    let isLacked = try !KnownLines(of: other, at: now).containAll(of: copy)
    switch (isLacking, isLacked) {
    case (true, true): self = .forked
    case (true, false): self = .older
    case (false, true): self = .newer
    case (false, false):
      let (generation, otherGeneration) = (try FileReport(of: copy).generation, try FileReport(of: other).generation)
      self = generation > otherGeneration ? .newer : generation < otherGeneration ? .older : .same
    }
  }

  /// The relation of two files if one is a prefix of the other; otherwise nil.
  private init?(beginningOf copy: File, and other: File) throws(LogError) {
    var left = GoodLines(copy)
    var right = GoodLines(other)
    while true {
      let (line, otherLine) = (try left.next(), try right.next())
      guard let line else {
        self = otherLine == nil ? .same : .older
        return
      }
      guard let otherLine else {
        self = .newer
        return
      }
      guard line.elementsEqual(otherLine) else { return nil }
    }
  }
}

/// The lines of a file that are not broken.
struct GoodLines: ~Copyable {
  private var entries: LogLines

  init(_ file: File) { entries = LogLines(file, index: 0, from: 0, after: 0) }

  /// The next good line without its newline; nil at the end. Its bytes are valid until the next call.
  mutating func next() throws(LogError) -> UnsafeRawBufferPointer? {
    while let entry = try entries.next() {
      if entry.line != nil, let bytes = entry.bytes { return bytes }
    }
    return nil
  }
}

/// The good lines of a file, for checking whether it contains or supersedes a line of another copy.
struct KnownLines {
  /// Fingerprints of the lines; they differ because each line contains its own ID.
  private var lines: Set<UInt64> = []
  private var compaction = Compaction()
  private let now: UInt64

  /// Reads a whole file; `now` in milliseconds since 1970.
  init(of file: File, at now: UInt64) throws(LogError) {
    self.now = now
    var entries = LogLines(file, index: 0, from: 0, after: 0)
    while let entry = try entries.next() {
      guard let bytes = entry.bytes, let line = entry.line else { continue }
      lines.insert(Fingerprint.of(bytes.bytes))
      if case .event(let event) = line.content, !HybridClock.isAhead(event.id, of: now) { compaction.note(event) }
    }
  }

  /// Whether the file contains or supersedes each good line of another copy.
  func containAll(of copy: File) throws(LogError) -> Bool {
    var entries = LogLines(copy, index: 0, from: 0, after: 0)
    while let entry = try entries.next() {
      guard let bytes = entry.bytes, let line = entry.line else { continue }
      if case .start = line.content { continue }
      guard lines.contains(Fingerprint.of(bytes.bytes)) || supersede(line) else { return false }
    }
    return true
  }

  /// Whether compacting the file would drop this line.
  private func supersede(_ line: Line) -> Bool {
    guard case .event(let event) = line.content, !HybridClock.isAhead(event.id, of: now) else { return false }
    return compaction.isSuperseded(event)
  }
}
