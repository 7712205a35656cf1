import App
import Core
import HubCore
import HubStore
import ReadModel

/// What an app that visited before has.
struct AppBound: Equatable {
  /// What was published and found before this, as far as the user could see it.
  var time: Timestamp
  /// Nothing above this number in the order in which the user came to see videos; nil if no visit is known.
  var visit: Int?
}

/// Where a page of the feed continues: the last video, and the bound of the first page.
struct AppCursor: Equatable {
  var bound: AppBound?
  var after: VideoID

  init(bound: AppBound?, after: VideoID) { (self.bound, self.after) = (bound, after) }

  /// Parses `c692fd3a0.1b2c3d.dQw4w9WgXcQ`, `c692fd3a0..dQw4w9WgXcQ` without a number, or `c..dQw4w9WgXcQ` without a bound;
  /// nil if malformed.
  init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].first == "c", let video = VideoID(parts[2]) else { return nil }
    let (time, number) = (Int64(parts[0].dropFirst(), radix: 16), Int(parts[1], radix: 16))
    guard time != nil || parts[0].count == 1, number != nil || parts[1].isEmpty else { return nil }
    self.init(bound: time.map { AppBound(time: Timestamp(seconds: $0), visit: number) }, after: video)
  }

  /// Letters, digits, `-`, `_` and `.` alone.
  var text: String {
    func hex(_ number: some BinaryInteger) -> String { String(number, radix: 16) }
    return "c\(bound.map { hex($0.time.seconds) } ?? "").\(bound?.visit.map { hex($0) } ?? "").\(after)"
  }
}

/// Where a list of the feed begins or continues.
enum AppPosition {
  case beginning(AppBound?)
  case after(AppCursor)
}

/// Cursors as dates. Clients parse `nextCursor` as a date and send it as `since`, with nothing that says that it is a
/// cursor. So each cursor has a number, and is the date that many seconds after the beginning of 1900: no client visited
/// then, no video is as old, and two videos of one second are as far apart as any others.
extension HubService {
  private static let firstAppDate = Timestamp(seconds: -2_208_988_800)

  /// For how long a cursor continues its list, in seconds. A client that keeps one for its next visit gets everything
  /// since the bound of the list from then on, and so what was found meanwhile.
  private static let appCursorLength: Int64 = 3600

  /// The date that stands for a cursor: the same one for half of the time that it is valid.
  func appDate(of cursor: AppCursor) throws -> Timestamp {
    let step = HubService.appCursorLength / 2
    let began = Timestamp(seconds: session.now.seconds / step * step)
    return HubService.firstAppDate.adding(seconds: Int64(try numbers.addCursor(cursor.text, at: began)))
  }

  /// What a client means by `since=` or `cursor=`. Throws a `HubProblem` if it is not a time.
  func appPosition(_ text: String) throws -> AppPosition {
    if let cursor = AppCursor(text), try isFound(cursor) { return .after(cursor) }
    guard let time = Timestamp(rfc3339: text) else { throw HubProblem(400, "since: not a time or a cursor") }
    let number = time.seconds(since: HubService.firstAppDate)
    guard (1...Int64(Int32.max)).contains(number), let stored = try numbers.cursor(Int(number)),
      let cursor = AppCursor(stored.text)
    else { return .beginning(try appBound(since: time)) }
    let isValid = (0...HubService.appCursorLength).contains(session.now.seconds(since: stored.began))
    return try isValid && isFound(cursor) ? .after(cursor) : .beginning(cursor.bound)
  }

  private func isFound(_ cursor: AppCursor) throws -> Bool { try session.query { try $0.isFound(cursor.after) } }
}
