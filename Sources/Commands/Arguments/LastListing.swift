import Core
import Glibc

/// The row numbers of the last table shown on a terminal, valid for a day.
struct LastListing {
  private let path: String
  /// How long a table stays valid, seconds.
  static let lifetime: Int64 = 86_400

  init(_ home: Home) { path = "\(home.state)/numbers" }

  /// Stores the videos for the numbers 1, 2, 3…; returns false on failure, which need not prevent showing the table.
  func remember(_ videos: [VideoID], now: Timestamp) -> Bool {
    let text = "\(now.seconds)\n" + videos.map { "\($0)\n" }.joined()
    do {
      _ = try File.replace(path, with: Array(text.utf8))
      return true
    } catch { return false }
  }

  /// The last stored table.
  func read(now: Timestamp) throws -> NumberedTable {
    guard access(path, F_OK) == 0 else { return NumberedTable(lines: [], flaw: .missing) }
    let lines = try File.read(path, limit: 64 << 20).split(separator: 10)
    guard let first = lines.first, let shown = Int64(String(decoding: first, as: UTF8.self)),
      now.seconds(since: Timestamp(seconds: shown)) < LastListing.lifetime
    else { return NumberedTable(lines: [], flaw: .old) }
    return NumberedTable(lines: lines.dropFirst(), flaw: nil)
  }
}

/// What `list --next` continues: the arguments of the last list on a terminal and its cursor, valid for a day.
struct LastPage {
  private let path: String

  init(_ home: Home) { path = "\(home.state)/next" }

  /// Stores the arguments and the cursor, nil at the end of the list; returns false on failure.
  func remember(_ words: [String], after cursor: PageCursor?, now: Timestamp) -> Bool {
    let parts = [String(now.seconds), cursor?.description ?? ""] + words
    do {
      _ = try File.replace(path, with: Array(parts.joined(separator: "\0").utf8))
      return true
    } catch { return false }
  }

  /// The arguments and the cursor. Throws if there is no further page.
  func read(now: Timestamp) throws -> (words: [String], cursor: String) {
    let bytes = File.exists(path) ? try File.read(path, limit: 1 << 20) : []
    let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    guard parts.count >= 2, let shown = Int64(parts[0]),
      now.seconds(since: Timestamp(seconds: shown)) < LastListing.lifetime
    else { throw Failure(.partial, "--next: no list to continue; run metube-rss list first") }
    guard !parts[1].isEmpty else { throw Failure(.partial, "--next: the last list showed everything") }
    return (Array(parts.dropFirst(2)), parts[1])
  }
}

/// The videos of a table by row number.
struct NumberedTable {
  /// Why no number is valid.
  enum Flaw { case missing, old }

  private let lines: [ArraySlice<UInt8>]
  private let flaw: Flaw?

  init(lines: some Sequence<ArraySlice<UInt8>>, flaw: Flaw?) {
    self.lines = Array(lines)
    self.flaw = flaw
  }

  /// All videos, in the order of their numbers; empty if no number is valid.
  var videos: [VideoID] { lines.compactMap { VideoID(bytes: $0) } }

  /// The videos of these numbers. Throws if there is no valid table or a number is out of range.
  func videos(_ ranges: NumberRanges) throws -> [VideoID] {
    switch flaw {
    case .missing:
      throw Failure(.partial, "\(ranges.text): no numbered table yet; run metube-rss list first, or give the video ID")
    case .old: throw Failure(.partial, "\(ranges.text): the last table is over a day old; run metube-rss list again")
    case nil: break
    }
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
struct NumberRanges {
  let text: String
  let ranges: [ClosedRange<Int>]

  /// Nil if the text is not a list of numbers, or could be a video ID.
  init?(_ text: String) {
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
