/// Reads bytes once, front to back, and tracks the position.
///
/// They come in one piece or in several, each requested when the previous one is used up, so that only one needs to be
/// in memory.
package struct ByteReader {
  private var piece: [UInt8]
  private var index = 0
  /// The total length of the previous pieces, in bytes.
  private var passed = 0
  private var lineStart = 0
  private let nextPiece: () throws -> [UInt8]
  /// The line of the next byte, from 1.
  package private(set) var line = 1

  /// A reader of one piece.
  package init(_ whole: [UInt8]) {
    piece = whole
    nextPiece = { [] }
  }

  /// A reader of the pieces that a function returns; an empty piece is the end. Its errors are rethrown.
  package init(pieces: @escaping () throws -> [UInt8]) {
    piece = []
    nextPiece = pieces
  }

  /// The column of the next byte, in bytes from 1.
  package var column: Int { passed + index - lineStart + 1 }

  /// The next byte without consuming it; nil at the end.
  package mutating func peek() throws -> UInt8? {
    if index == piece.count {
      passed += index
      index = 0
      piece = try nextPiece()
      if piece.isEmpty { return nil }
    }
    return piece[index]
  }

  /// Consumes the next byte; nil at the end.
  package mutating func next() throws -> UInt8? {
    guard let byte = try peek() else { return nil }
    index += 1
    if byte == UInt8(ascii: "\n") {
      line += 1
      lineStart = passed + index
    }
    return byte
  }

  /// The longest run of bytes in the current piece for which `isWanted` holds, maybe empty; it must reject line ends.
  package mutating func run(while isWanted: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = index
    while index < piece.count, isWanted(piece[index]) { index += 1 }
    return piece[start..<index]
  }
}
