/// A set of video numbers, as bits.
package struct NumberSet: Equatable, Sendable, Sequence {
  /// The bits, 64 numbers a word.
  private(set) var words: [UInt64] = []

  init() {}

  /// A set with room for numbers below `count`.
  init(capacity count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

  /// A set with these bits.
  init(words: [UInt64]) { self.words = words }

  /// A set of these numbers.
  init(_ numbers: some Sequence<Int64>) {
    for number in numbers { insert(number) }
  }

  /// How many numbers it has.
  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  func contains(_ number: Int64) -> Bool {
    let word = Int(number >> 6)
    return words.indices.contains(word) && words[word] >> UInt64(number & 63) & 1 == 1
  }

  /// Inserts a number; one that no row can have, as a damaged file may say, is left out.
  mutating func insert(_ number: Int64) {
    guard (0..<1 << 31).contains(number) else { return }
    let word = Int(number >> 6)
    if word >= words.count { words += Array(repeating: 0, count: word + 1 - words.count) }
    words[word] |= 1 << UInt64(number & 63)
  }

  mutating func formUnion(_ other: NumberSet) { combine(other, |) }
  package mutating func formIntersection(_ other: NumberSet) { combine(other, &) }
  mutating func subtract(_ other: NumberSet) { combine(other) { $0 & ~$1 } }

  private mutating func combine(_ other: NumberSet, _ combined: (UInt64, UInt64) -> UInt64) {
    if words.count < other.words.count {
      words += Array(repeating: 0, count: other.words.count - words.count)
    }
    for index in words.indices {
      words[index] = combined(words[index], index < other.words.count ? other.words[index] : 0)
    }
  }

  /// The numbers in ascending order.
  package func makeIterator() -> some IteratorProtocol<Int64> {
    words.indices.lazy.flatMap { index in
      (0..<64 as Range<Int64>).lazy.filter { words[index] >> UInt64($0) & 1 == 1 }.map { Int64(index) * 64 + $0 }
    }.makeIterator()
  }
}
