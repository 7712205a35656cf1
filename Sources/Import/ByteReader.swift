/// The bytes of a file, read once from front to back, with the place they stand at.
///
/// They come in one piece (a file mapped to memory) or in several, each asked for when the one before is used up, so
/// that no more than one of them need be in memory. The pieces must stay valid until then.
struct ByteReader {
  private var piece: UnsafeRawBufferPointer
  private var index = 0
  /// How many bytes were in the pieces before.
  private var passed = 0
  private var lineStart = 0
  private let nextPiece: () throws(ImportError) -> UnsafeRawBufferPointer
  /// The line of the next byte, from 1.
  private(set) var line = 1

  /// A reader of one piece.
  init(_ whole: UnsafeRawBufferPointer) {
    piece = whole
    nextPiece = { () throws(ImportError) in UnsafeRawBufferPointer(start: nil, count: 0) }
  }

  /// A reader of the pieces that a function gives; an empty one is the end.
  init(pieces: @escaping () throws(ImportError) -> UnsafeRawBufferPointer) {
    piece = UnsafeRawBufferPointer(start: nil, count: 0)
    nextPiece = pieces
  }

  /// The column of the next byte, in bytes from 1.
  var column: Int { passed + index - lineStart + 1 }

  /// The next byte, which stays the next one; nil at the end.
  mutating func peek() throws(ImportError) -> UInt8? {
    if index == piece.count {
      passed += index
      index = 0
      piece = try nextPiece()
      if piece.isEmpty { return nil }
    }
    return piece[index]
  }

  /// The next byte, or nil at the end.
  mutating func next() throws(ImportError) -> UInt8? {
    guard let byte = try peek() else { return nil }
    index += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      lineStart = passed + index
    }
    return byte
  }

  /// The next bytes of the piece at hand for which `isWanted` holds, maybe none; it holds for no line end.
  mutating func run(while isWanted: (UInt8) -> Bool) -> UnsafeRawBufferPointer {
    let start = index
    while index < piece.count, isWanted(piece[index]) { index += 1 }
    return UnsafeRawBufferPointer(rebasing: piece[start..<index])
  }
}
