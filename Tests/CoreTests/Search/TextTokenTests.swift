import Testing

@testable import Core

/// The tokens of a text that is folded already.
private func tokens(_ text: String) -> [String] {
  let bytes = Array(text.utf8)
  var tokens: [String] = []
  bytes.withUnsafeBytes { folded in
    TextToken.forEach(in: folded) { tokens.append(String(decoding: bytes[$0.bytes], as: UTF8.self)) }
  }
  return tokens
}

@Test("Words and signs are tokens as long as they can be")
func wordsAndSigns() {
  #expect(
    tokens("steam-engines: https://example.org/?v=1\n\nпоезд  c++") == [
      "steam", "-", "engines", ":", "https", "://", "example", ".", "org", "/?", "v", "=", "1", "поезд", "c", "++",
    ])
}

@Test("Writing without blanks comes in pairs of neighbours, and one character alone by itself")
func pairs() {
  #expect(tokens("東京駅 線") == ["東京", "京駅", "線"])
  #expect(tokens("abc東京1") == ["abc", "東京", "1"])
  #expect(tokens("รถไฟ") == ["รถ", "ถไ", "ไฟ"])
}

@Test("Blanks and control characters are in no token")
func blanksBetweenWords() { #expect(tokens(" \u{1}\t\u{7f}\n").isEmpty) }

@Test("A word of one sort is certain by its token, any other is not")
func certainty() {
  func isCertain(_ word: String) -> Bool { SoughtWord(Array(word.utf8)).isCertain }
  #expect(isCertain("engine"))
  #expect(isCertain("++"))
  #expect(isCertain("東京"))
  #expect(!isCertain("東京駅"))
  #expect(!isCertain("c++"))
  #expect(!isCertain("a\u{1}"))
}

@Test("A word of several sorts asks for tokens that begin or end where it goes on")
func piecesAtEdges() {
  let pieces = SoughtWord(Array("c++11".utf8)).pieces
  #expect(
    pieces == [
      SoughtWord.Piece(bytes: Array("c".utf8), begins: false, ends: true),
      SoughtWord.Piece(bytes: Array("++".utf8), begins: true, ends: true),
      SoughtWord.Piece(bytes: Array("11".utf8), begins: true, ends: false),
    ])
}
