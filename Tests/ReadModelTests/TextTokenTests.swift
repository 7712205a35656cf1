import Testing

@testable import ReadModel

/// The tokens of a normalised text.
private func tokens(_ text: String) -> [String] {
  let bytes = Array(text.utf8)
  var tokens: [String] = []
  TextToken.forEach(in: bytes.span) { tokens.append(String(decoding: bytes[$0.bytes], as: UTF8.self)) }
  return tokens
}

@Suite("Text tokens")
struct TextTokenTests {
  @Test("Words and signs are tokens as long as they can be")
  func wordsAndSigns() {
    #expect(
      tokens("steam-engines: https://example.org/?v=1\n\nпоезд  c++") == [
        "steam", "-", "engines", ":", "https", "://", "example", ".", "org", "/?", "v", "=", "1", "поезд", "c", "++",
      ])
    #expect(
      tokens("“a” b—c 🎉🎉d «e» f\u{a0}g x²") == [
        "“", "a", "”", "b", "—", "c", "🎉🎉", "d", "«", "e", "»", "f", "g", "x²",
      ])
  }

  @Test("Writing without blanks comes in pairs of neighbours, and one character alone by itself")
  func pairs() {
    #expect(tokens("東京駅 線") == ["東京", "京駅", "線"])
    #expect(tokens("abc東京1") == ["abc", "東京", "1"])
    #expect(tokens("รถไฟ") == ["รถ", "ถไ", "ไฟ"])
  }

  @Test("What the index gets has the last character of each run of pairs by itself")
  func indexed() {
    func words(_ text: String) -> String { String(decoding: TextIndex.words(of: Array(text.utf8)), as: UTF8.self) }
    #expect(words("東京駅 線 a—b 𠀀𠀁c") == " 東京 京駅 駅 線 a b 𠀀𠀁 𠀁 c")
    #expect(words("plain - text") == "plain - text")
  }

  @Test("What comes before a position decides whether a word begins there")
  func beginnings() {
    let text = "x “a”—b1 c++d 東京e поезд ²f 🎉ü g\u{a0}h"
    let bytes = Array(text.utf8)
    var starts: Set<Int> = []
    TextToken.forEach(in: bytes.span) { token in if token.sort == .word { starts.insert(token.bytes.lowerBound) } }
    var position = 0
    for character in text.unicodeScalars {
      if TextToken.character(in: bytes.span, at: position).sort == .word {
        #expect(TextToken.isAfterWord(position, in: bytes.span) != starts.contains(position), "at \(position)")
      }
      position += String(character).utf8.count
    }
    #expect(starts.count == 11)
  }

  @Test("Bytes that are not UTF-8 do no harm")
  func anyBytes() {
    for first in 0...255 as ClosedRange<UInt8> {
      for second in [0x20, 0x61, 0x80, 0xbf, 0xc2, 0xe2, 0xf0] as [UInt8] {
        let bytes: [UInt8] = [0x61, first, second]
        _ = TextIndex.words(of: bytes)
        _ = TextIndex.words(of: [first])
      }
    }
  }
}
