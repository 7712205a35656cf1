/// A set of Unicode scalars as sorted ranges that do not touch.
struct ScalarSet: Equatable, Sendable {
  private(set) var ranges: [ClosedRange<UInt32>] = []

  /// The set of some ranges, in any order.
  init(_ ranges: [ClosedRange<UInt32>]) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = self.ranges.last, range.lowerBound <= last.upperBound + 1 {
        self.ranges[self.ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        self.ranges.append(range)
      }
    }
  }

  /// The set of one scalar.
  init(_ scalar: Unicode.Scalar) { ranges = [scalar.value...scalar.value] }

  static let everything = ScalarSet([0...ScalarSet.last])
  static let digits = ScalarSet([0x30...0x39])
  static let blanks = ScalarSet([0x09...0x0d, 0x20...0x20, 0x85...0x85, 0xa0...0xa0, 0x2000...0x200a, 0x3000...0x3000])
  /// Letters, digits and `_`; beyond ASCII everything but blanks and the punctuation blocks.
  static let word = ScalarSet([
    0x30...0x39, 0x41...0x5a, 0x5f...0x5f, 0x61...0x7a, 0xaa...0xaa, 0xb5...0xb5, 0xba...0xba, 0xc0...0xd6,
    0xd8...0xf6, 0xf8...0x1fff, 0x2c00...0x2dff, 0x3040...0xfdff, 0xfe70...0xfeff, 0xff66...0xffdc, 0x10000...0x1efff,
    0x20000...0x3ffff,
  ])

  /// Everything but these.
  var inverted: ScalarSet {
    var gaps: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= ScalarSet.last { gaps.append(next...ScalarSet.last) }
    return ScalarSet(gaps)
  }

  func contains(_ value: UInt32) -> Bool { ranges.contains { $0.contains(value) } }

  private static let last: UInt32 = 0x10ffff
}
