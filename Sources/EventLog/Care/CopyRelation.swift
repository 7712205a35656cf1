import Core

/// How one file of a device relates to another of the same device, by their good lines.
///
/// A device only appends to its file, so two copies of one generation agree up to the end of the shorter. A compaction
/// begins a generation and loses nothing, so the higher one holds what the lower says.
package enum CopyRelation: String, Equatable, Sendable {
  case same
  /// It is the beginning of the other, or of a lower generation: it has nothing that the other lacks.
  case older
  /// The other is its beginning, or of a lower generation.
  case newer
  /// Each has something that the other lacks: two machines wrote under one id, or an old backup was written on.
  case forked
}

extension CopyRelation {
  /// How `copy` relates to `other`.
  init(of copy: File, to other: File) throws(LogError) {
    var left = GoodLines(copy)
    var right = GoodLines(other)
    if let relation = try CopyRelation(generationOf: left, to: right) {
      self = relation
      return
    }
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
      guard line.elementsEqual(otherLine) else {
        self = .forked
        return
      }
    }
  }

  private init?(generationOf copy: borrowing GoodLines, to other: borrowing GoodLines) throws(LogError) {
    let (generation, otherGeneration) = (try copy.generation, try other.generation)
    if generation == otherGeneration { return nil }
    self = generation > otherGeneration ? .newer : .older
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
