import Core
import Exporters

/// A text with times of a video, as descriptions list chapters: `0:00 Start`, `1:02:03 End`.
struct TimedText {
  /// A time, with the bytes that it takes.
  struct Mark: Equatable {
    let range: Range<Int>
    let seconds: Int
  }

  let bytes: [UInt8]
  /// The times that lie within the video, in the order of the text.
  let marks: [Mark]

  /// Finds the times of a text; of any length if `duration`, in seconds, is nil.
  init(_ text: String, duration: Int?) {
    bytes = Array(text.utf8)
    var marks: [Mark] = []
    var index = 0
    while index < bytes.count {
      guard TimedText.isDigit(bytes[index]) else {
        index += 1
        continue
      }
      let begins = index == 0 || TimedText.opening.contains(bytes[index - 1])
      if begins, let mark = TimedText.mark(in: bytes, from: index), mark.seconds <= duration ?? .max {
        marks.append(mark)
        index = mark.range.upperBound
      } else {
        while index < bytes.count, TimedText.isDigit(bytes[index]) { index += 1 }
      }
    }
    self.marks = marks
  }

  /// The time that begins at a byte: one or two digits, then one or two groups of two digits, the end of a word behind it.
  private static func mark(in bytes: [UInt8], from start: Int) -> Mark? {
    var (index, groups) = (start, [Int]())
    while true {
      let digits = bytes[index...].prefix { isDigit($0) }
      guard groups.isEmpty ? digits.count <= 2 : digits.count == 2 else { return nil }
      groups.append(digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
      index = digits.endIndex
      guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: ":"), isDigit(bytes[index + 1]) else { break }
      index += 1
    }
    guard (2...3).contains(groups.count), groups.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
    guard index == bytes.count || closing.contains(bytes[index]) else { return nil }
    return Mark(range: start..<index, seconds: groups.reduce(0) { $0 * 60 + $1 })
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static let opening = Set(" \n\t([".utf8)
  private static let closing = Set(" \n\t)],.;".utf8)
}

extension HTML {
  /// A description with its line breaks, web addresses as links, and times as links into the video: without the script
  /// they open its page at `moment`, with it they start the player there.
  init(describing text: String, duration: Int?, at moment: (_ seconds: Int) -> String) {
    self.init()
    let timed = TimedText(text, duration: duration)
    var rest = 0
    for mark in timed.marks {
      self += HTML(linking: String(decoding: timed.bytes[rest..<mark.range.lowerBound], as: UTF8.self))
      let time = String(decoding: timed.bytes[mark.range], as: UTF8.self)
      self += #"""
        <a class="time" href="\#(moment(mark.seconds))" rel="noreferrer" data-seconds="\#(mark.seconds)">\#(time)</a>
        """#
      rest = mark.range.upperBound
    }
    self += HTML(linking: String(decoding: timed.bytes[rest...], as: UTF8.self))
  }
}
