import Core

/// How one file of a device relates to another of the same device, by their good lines.
///
/// A device only appends to its file, so mostly one copy is the beginning of the other. Where it is not, each line is
/// looked for in the other: a compaction dropped what later lines say, a repair what it could not read, and an old
/// backup may have been written on. The generation proves nothing of that, and decides between two that say the same.
package enum CopyRelation: String, Equatable, Sendable {
  case same
  /// The other has all that it has, and more, or says the same in a higher generation.
  case older
  /// It has all that the other has, and more, or says the same in a higher generation.
  case newer
  /// Each has something that the other lacks: two machines wrote under one id, or an old backup was written on.
  case forked
}

extension CopyRelation {
  /// How `copy` relates to `other`, at a moment in milliseconds since 1970.
  init(of copy: File, to other: File, at now: UInt64) throws(LogError) {
    if let relation = try CopyRelation(beginningOf: copy, and: other) {
      self = relation
      return
    }
    let isLacking = try MissingLines(of: other, in: KnownLines(of: copy, at: now)).count > 0
    let isLacked = try MissingLines(of: copy, in: KnownLines(of: other, at: now)).count > 0
    switch (isLacking, isLacked) {
    case (true, true): self = .forked
    case (true, false): self = .older
    case (false, true): self = .newer
    case (false, false):
      let (generation, otherGeneration) = (try GoodLines(copy).generation, try GoodLines(other).generation)
      self = generation > otherGeneration ? .newer : generation < otherGeneration ? .older : .same
    }
  }

  /// How two files relate of which one is the beginning of the other; nil where neither is.
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
  private let file: File
  private var entries: LogLines

  init(_ file: File) {
    self.file = file
    entries = LogLines(file, index: 0, from: 0, after: 0)
  }

  /// The next good line without its newline; nil at the end. Its bytes are valid until the next call.
  mutating func next() throws(LogError) -> UnsafeRawBufferPointer? {
    while let entry = try entries.next() {
      if entry.line != nil, let bytes = entry.bytes { return bytes }
    }
    return nil
  }

  /// The generation that the file's first line says; 1 where it says none.
  var generation: Int {
    get throws(LogError) {
      var entries = LogLines(file, index: 0, from: 0, after: 0)
      guard let entry = try entries.next(), case .start(let start)? = entry.line?.content else { return 1 }
      return start.generation
    }
  }
}
