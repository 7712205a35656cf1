import App
import Arguments
import Core
import EventLog
import Glibc
import Messages
import Platform
import ReadModel

/// Resolves command-line arguments to videos: IDs, URLs, row numbers of the last table (`3`, `1-3,7`), or `-` for
/// standard input.
struct VideoArguments {
  /// The known videos, without duplicates.
  private(set) var videos: [VideoID] = []
  /// Whether any argument matched no known video.
  var hasUnknown: Bool { unknown > 0 }
  /// Whether a row number was used, so that the reply should repeat the title.
  private(set) var usedNumbers = false
  private var seen: Set<VideoID> = []
  private var unknown = 0

  /// How many unknown arguments to report individually; mistaken input may have a million.
  private static let maxReported = 10

  /// Resolves the arguments; reports those that match no known video: shown by a feed, described, or decided on. With
  /// `alsoUnseen` an ID or URL may name any video.
  init(_ names: [String], in session: Session, alsoUnseen: Bool = false) throws {
    var table: NumberedTable?
    func numbers() throws -> NumberedTable {
      let read = try table ?? NumberedTable(session)
      table = read
      return read
    }
    for name in try VideoArguments.expand(names) {
      do {
        for video in try resolve(name, numbers) {
          guard try alsoUnseen || session.query({ try $0.isFound(video) || $0.video(video) != nil }) else {
            throw Failure(
              .partial, "\(name): no feed has shown this video yet; metube-rss save keeps it, play plays it")
          }
          if seen.insert(video).inserted { videos.append(video) }
        }
      } catch let failure as Failure where failure.isOfInput {
        unknown += 1
        if unknown <= VideoArguments.maxReported { StandardError.report(failure.message) }
      }
    }
    let unreported = unknown - VideoArguments.maxReported
    if unreported > 0 {
      StandardError.report("and \(UserMessages.count(unreported, "more name")) that matched no known video")
    }
  }

  private mutating func resolve(_ name: String, _ numbers: () throws -> NumberedTable) throws -> [VideoID] {
    if let ranges = NumberRanges(name) {
      usedNumbers = true
      return try numbers().videos(ranges)
    }
    // CSV has an apostrophe before an ID that a spreadsheet would take for a formula.
    if name.hasPrefix("'-"), let id = VideoID(name.dropFirst()) { return [id] }
    do { return [try VideoID(naming: name)] } catch ReferenceError.notAReference {
      let shown = DisplayText(name).cut(to: 80).text
      throw Failure(.partial, "“\(shown)” is not a row number, a range such as 1-3, a video ID or a URL")
    } catch {
      throw Failure(.partial, "\(DisplayText(name).cut(to: 80).text): \(UserMessages.reference(error))")
    }
  }

  /// The arguments, with `-` replaced by those on standard input.
  private static func expand(_ names: [String]) throws -> [String] {
    var all: [String] = []
    for name in names {
      guard name == "-" else {
        all.append(name)
        continue
      }
      var bytes = try File.read("-", limit: 64 << 20)[...]
      // Windows programs begin a file with a byte order mark.
      if bytes.starts(with: [0xef, 0xbb, 0xbf]) { bytes = bytes.dropFirst(3) }
      all += String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
    }
    return all
  }
}
