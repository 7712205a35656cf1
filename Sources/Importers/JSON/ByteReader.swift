/// Reads the bytes of a file once, front to back, and tracks the position.
///
/// The bytes come in one piece (a memory-mapped file) or in several, each requested when the previous one is used up,
/// so that only one needs to be in memory. A piece must stay valid until the next is requested.
struct ByteReader {
  private var piece: UnsafeRawBufferPointer
  private var index = 0
  /// The total length of the previous pieces, in bytes.
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

  /// A reader of the pieces that a function returns; an empty piece is the end.
  init(pieces: @escaping () throws(ImportError) -> UnsafeRawBufferPointer) {
    piece = UnsafeRawBufferPointer(start: nil, count: 0)
    nextPiece = pieces
  }

  /// The column of the next byte, in bytes from 1.
  var column: Int { passed + index - lineStart + 1 }

  /// The next byte without consuming it; nil at the end.
  mutating func peek() throws(ImportError) -> UInt8? {
    if index == piece.count {
      passed += index
      index = 0
      piece = try nextPiece()
      if piece.isEmpty { return nil }
    }
    return piece[index]
  }

  /// Consumes the next byte; nil at the end.
  mutating func next() throws(ImportError) -> UInt8? {
    guard let byte = try peek() else { return nil }
    index += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      lineStart = passed + index
    }
    return byte
  }

  /// The longest run of bytes in the current piece for which `isWanted` holds, maybe empty; it must reject line ends.
  mutating func run(while isWanted: (UInt8) -> Bool) -> UnsafeRawBufferPointer {
    let start = index
    while index < piece.count, isWanted(piece[index]) { index += 1 }
    return UnsafeRawBufferPointer(rebasing: piece[start..<index])
  }
}
