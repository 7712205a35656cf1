import App
import Core
import Glibc
import Messages
import Platform

/// A file in the state folder with what the last list on a terminal showed, valid for a day: the time, then texts.
package struct LastShown {
  /// The separator of the texts; none of them contains it.
  private let separator: String
  private let path: String

  /// The videos by row number.
  static func listing(_ home: Home) -> LastShown { LastShown(separator: "\n", path: "\(home.state)/numbers") }
  /// The cursor, which is empty at the end of the list, and the arguments; `list --next` continues with them.
  package static func page(_ home: Home) -> LastShown { LastShown(separator: "\0", path: "\(home.state)/next") }

  /// Stores the texts; returns false on failure, which need not prevent showing the list.
  package func remember(_ texts: [String], now: Timestamp) -> Bool {
    let text = ([String(now.seconds)] + texts).joined(separator: separator)
    do {
      _ = try File.replace(path, with: Array(text.utf8))
      return true
    } catch { return false }
  }

  /// Whether anything was ever stored.
  var exists: Bool { File.exists(path) }

  /// The stored texts; nil if absent or a day old.
  package func read(now: Timestamp) throws -> [ArraySlice<UInt8>]? {
    guard exists else { return nil }
    let byte = separator.utf8.first ?? 0
    let parts = try File.read(path, limit: 64 << 20).split(separator: byte, omittingEmptySubsequences: false)
    guard let first = parts.first, let shown = Int64(String(decoding: first, as: UTF8.self)),
      now.seconds(since: Timestamp(seconds: shown)) < 86_400
    else { return nil }
    return Array(parts.dropFirst())
  }
}

/// The videos of a table by row number.
package struct NumberedTable {
  private let lines: [ArraySlice<UInt8>]
  /// Why no number is valid: what is wrong and what to do; nil if there is a table.
  private let flaw: String?

  /// The table shown last.
  package init(_ session: Session) throws {
    let last = LastShown.listing(session.home)
    let lines = try last.read(now: session.now)
    // Version 0.1 ended the last line too.
    self.lines = lines?.filter { !$0.isEmpty } ?? []
    flaw =
      lines != nil
      ? nil
      : last.exists
        ? "the last table is over a day old; run metube-rss list again"
        : "no numbered table yet; run metube-rss list first, or give the video ID"
  }

  /// All videos, in the order of their numbers; empty if no number is valid.
  var videos: [VideoID] { lines.compactMap { VideoID(bytes: $0) } }

  /// The first video that is still new; nil if none is. Throws if there is no valid table.
  package func firstNew(in session: Session) throws -> Video? {
    if let flaw { throw Failure(.partial, "--next: \(flaw)") }
    for id in videos {
      if let video = try session.video(id), video.status(at: session.now) == .new { return video }
    }
    return nil
  }

  /// The videos of these numbers. Throws if there is no valid table or a number is out of range.
  package func videos(_ ranges: NumberRanges) throws -> [VideoID] {
    if let flaw { throw Failure(.partial, "\(ranges.text): \(flaw)") }
    return try ranges.ranges.flatMap { range in
      try range.clamped(to: 0...lines.count + 1).map { number in
        guard lines.indices.contains(number - 1), let video = VideoID(bytes: lines[number - 1]) else {
          throw Failure(.partial, "\(ranges.text): the last table has rows 1 to \(lines.count)")
        }
        return video
      }
    }
  }
}

/// Row numbers as typed by the user: `3`, `1-3` or `1-3,7`.
package struct NumberRanges {
  let text: String
  let ranges: [ClosedRange<Int>]

  /// Nil if the text is not a list of numbers, or could be a video ID.
  package init?(_ text: String) {
    guard VideoID(text) == nil else { return nil }
    var ranges: [ClosedRange<Int>] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false)
      guard let first = ends.first.flatMap(NumberRanges.number), let last = ends.last.flatMap(NumberRanges.number),
        ends.count <= 2, first <= last
      else { return nil }
      ranges.append(first...last)
    }
    (self.text, self.ranges) = (text, ranges)
  }

  private static func number(_ digits: Substring) -> Int? {
    guard (1...9).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      return nil
    }
    return Int(digits)
  }
}
