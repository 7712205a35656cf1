/// A position in an ordered list of videos from which the next page continues: `dQw4w9WgXcQ`, or, with the last event
/// known to the first page and its time in hexadecimal seconds, `0019a1b2c3d4e-0000-k3v9x2ap.69208d4b.dQw4w9WgXcQ`.
///
/// In an order by time the video's own timestamps determine the position: new videos sort before or after it, and
/// nothing moves. If positions depend on other videos, `moment` excludes events that arrived later.
package struct PageCursor: Equatable, Sendable {
  /// The last video of the previous page.
  package var video: VideoID
  /// The last event known when the first page was created.
  package var moment: EventID?
  /// When the first page was created, needed because a snooze ends without an event; nil for the time of `moment`.
  package var time: Timestamp?

  package init(video: VideoID, moment: EventID?, time: Timestamp?) {
    (self.video, self.moment, self.time) = (video, moment, time)
  }

  /// The position after a video, optionally as of an event.
  package init(video: VideoID, moment: EventID?) { self.init(video: video, moment: moment, time: nil) }

  /// Parses a cursor; nil if malformed.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last, let video = VideoID(last), parts.count <= 3 else { return nil }
    self.init(video: video, moment: nil, time: nil)
    guard parts.count > 1 else { return }
    guard let moment = EventID(parts[0]) else { return nil }
    self.moment = moment
    guard parts.count > 2 else { return }
    guard let seconds = Int64(parts[1], radix: 16) else { return nil }
    time = Timestamp(seconds: seconds)
  }
}

extension PageCursor: CustomStringConvertible {
  package var description: String {
    let parts = [moment?.description, moment == nil ? nil : time.map { String($0.seconds, radix: 16) }, "\(video)"]
    return parts.compactMap(\.self).joined(separator: ".")
  }
}
