/// A folded word as the index looks for it: the tokens that a text with it must have.
struct SoughtWord {
  /// A token, or a part of one.
  struct Piece: Equatable {
    var bytes: [UInt8]
    /// Whether a token must begin with it, and whether one must end with it.
    var begins: Bool
    var ends: Bool
  }

  let pieces: [Piece]
  /// Whether a text that has the pieces has the word for certain.
  let isCertain: Bool

  /// The pieces of a word that has no blanks in it: `c++` is a token that ends with `c`, and one that begins with `++`.
  init(_ word: [UInt8]) {
    var pieces: [Piece] = []
    var isWhole = false
    word.withUnsafeBytes { bytes in
      TextToken.forEach(in: bytes) { token in
        isWhole = token.bytes == 0..<word.count
        let isRun = token.sort != .pair
        pieces.append(
          Piece(
            bytes: Array(word[token.bytes]), begins: isRun && token.bytes.lowerBound > 0,
            ends: isRun && token.bytes.upperBound < word.count))
      }
    }
    self.pieces = pieces
    isCertain = isWhole && pieces.count == 1
  }
}
