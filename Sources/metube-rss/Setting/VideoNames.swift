import Core
import EventLog
import Glibc

/// The videos that a command line names: by id, by address, by the number in the last table, or by `-` on standard
/// input.
struct VideoNames {
  /// The videos that are known.
  var videos: [VideoID] = []
  /// Whether some name was of no known video.
  var hasUnknown = false
  /// Whether a number was used, so that the reply should repeat the title.
  var usedNumbers = false

  /// Reads the names; tells of each that names no known video.
  init(_ names: [String], in session: Session) throws {
    let numbers = NumberList(session.home)
    for name in try VideoNames.expand(names) {
      do {
        let video = try resolve(name, numbers: numbers, now: session.now)
        guard session.state.videos.found(video) != nil else {
          throw Failure(.inPart, "\(name): no such video has been found; see metube-rss list --all")
        }
        if !videos.contains(video) { videos.append(video) }
      } catch let failure as Failure {
        Messages.tell(failure.message)
        hasUnknown = true
      }
    }
  }

  private mutating func resolve(_ name: String, numbers: NumberList, now: Timestamp) throws -> VideoID {
    if name.utf8.count < VideoID.length, let number = Int(name) {
      usedNumbers = true
      return try numbers.video(number, now: now)
    }
    do { return try VideoID(naming: name) } catch { throw Failure(.inPart, "\(name): \(Words.reference(error))") }
  }

  /// The names as they were typed, with those on standard input in the place of `-`.
  private static func expand(_ names: [String]) throws -> [String] {
    var all: [String] = []
    for name in names {
      guard name == "-" else {
        all.append(name)
        continue
      }
      let text = String(decoding: try File.read("-", limit: 64 << 20), as: UTF8.self)
      all += text.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    return all
  }
}

/// The numbers of the last table shown on a terminal, good for a day.
struct NumberList {
  private let path: String
  private static let lifetime: Int64 = 86_400

  init(_ home: Home) { path = "\(home.state)/numbers" }

  /// Remembers which videos the numbers 1, 2, 3… stand for. Not being able to is no reason to fail.
  func remember(_ videos: [VideoID], now: Timestamp) {
    let text = "\(now.seconds)\n" + videos.map { "\($0)\n" }.joined()
    _ = try? File.replace(path, with: Array(text.utf8))  // A convenience: the table was shown all the same.
  }

  /// The video of a number.
  func video(_ number: Int, now: Timestamp) throws -> VideoID {
    guard access(path, F_OK) == 0 else {
      throw Failure(.inPart, "\(number): no table was shown yet; run metube-rss list first, or give the id")
    }
    let lines = try File.read(path, limit: 64 << 20).split(separator: 10)
    guard let first = lines.first, let shown = Int64(String(decoding: first, as: UTF8.self)),
      now.seconds(since: Timestamp(seconds: shown)) < NumberList.lifetime
    else {
      throw Failure(.inPart, "\(number): the last table is over a day old; run metube-rss list again")
    }
    guard number > 0, number < lines.count, let video = VideoID(bytes: lines[number]) else {
      throw Failure(.inPart, "\(number): the last table had the numbers 1 to \(lines.count - 1)")
    }
    return video
  }
}
