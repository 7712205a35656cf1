import Testing

@testable import Core

/// Keeps bytes where they are.
private final class Kept {
  let bytes: UnsafeMutableRawBufferPointer

  init(_ array: [UInt8]) {
    bytes = .allocate(byteCount: array.count, alignment: 8)
    bytes.copyBytes(from: array)
  }

  deinit { bytes.deallocate() }
}

private func sum(_ bytes: UnsafeRawBufferPointer) -> UInt32 { UInt32(truncatingIfNeeded: Fingerprint.of(bytes)) }

private func opened(_ bytes: [UInt8]) -> TextSegment? {
  let kept = Kept(bytes)
  return TextSegment(VideoSnapshot.Source(UnsafeRawBufferPointer(kept.bytes), owner: kept), checksum: sum)
}

private func bytes(of texts: [String]) -> [UInt8] {
  var builder = TextSegmentBuilder()
  for text in texts { builder.add(folded: NormalizedText.bytes(of: text), as: TextKey(Description(text))) }
  return builder.bytes(sum)
}

/// Texts and words out of few pieces, so that words are in texts by chance.
private struct TextMaker {
  private var random: SeededGenerator
  private let pieces = [
    "a", "b", "ab", "É", "ß", "0", "1", "+", "++", "-", "://", ".", " ", " ", "\n", "東", "京", "、", "ไ", "ฟ", "я", "🎉",
    "\u{1}",
    "e\u{301}", "\u{3000}", "Ж", "𠮷",
  ]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func text(_ most: Int) -> String {
    (0..<Int.random(in: 0...most, using: &random)).compactMap { _ in pieces.randomElement(using: &random) }.joined()
  }
}

@Test(
  "The index narrows every word to texts that may have it, and to those that have it where it is certain",
  arguments: 1...40 as ClosedRange<UInt64>)
func wordsAgainstTexts(seed: UInt64) throws {
  var maker = TextMaker(seed: seed)
  let texts = Array(Set((0..<60).map { _ in maker.text(25) })).sorted()
  let segment = try #require(opened(bytes(of: texts)))
  for _ in 0..<80 {
    for word in SearchWords(maker.text(5)).words {
      let sought = SoughtWord(word)
      let documents = segment.documents(with: sought)
      for text in texts {
        let document = try #require(segment.document(of: TextKey(Description(text))))
        let found = documents.contains(document)
        let isThere = SearchWords(String(decoding: word, as: UTF8.self)).match([text])
        #expect(
          found || !isThere, "\(String(decoding: word, as: UTF8.self).debugDescription) in \(text.debugDescription)")
        if sought.isCertain { #expect(found == isThere) }
      }
    }
  }
}

@Test("Many texts with the same token are all found")
func manyDocuments() throws {
  let texts = (0..<5000).map { number in number % 3 == 0 ? "train \(number)" : "ship \(number)" }
  let segment = try #require(opened(bytes(of: texts)))
  let trains = segment.documents(with: SoughtWord(Array("rai".utf8)))
  for (document, text) in texts.enumerated() {
    #expect(segment.document(of: TextKey(Description(text))) == document)
    #expect(trains.contains(document) == (document % 3 == 0))
  }
}

@Test("A text that was not added is no document")
func unknownText() throws {
  #expect(try #require(opened(bytes(of: ["a", "b"]))).document(of: TextKey(Description("c"))) == nil)
  #expect(try #require(opened(bytes(of: []))).document(of: TextKey(Description("c"))) == nil)
}

@Test("A title and a description with the same letters are two texts")
func titleAndDescription() {
  var title = "the same"
  #expect(title.withUTF8 { TextKey(title: UnsafeRawBufferPointer($0)) } != TextKey(Description("the same")))
}

@Test("Whatever byte is broken, nothing wrong is said")
func brokenSegment() throws {
  let texts = ["steam engines", "東京駅 c++", "a b c d"]
  let whole = bytes(of: texts)
  let engine = SoughtWord(Array("engine".utf8))
  for place in whole.indices {
    var broken = whole
    broken[place] ^= 0x10
    guard let segment = opened(broken) else { continue }
    if segment.isWhole {
      let documents = segment.documents(with: engine)
      #expect((0..<3).map(documents.contains) == [true, false, false])
    }
    #expect(texts.map { segment.document(of: TextKey(Description($0))) } == [0, 1, 2])
  }
  for length in whole.indices { #expect(opened(Array(whole[..<length])) == nil) }
}
