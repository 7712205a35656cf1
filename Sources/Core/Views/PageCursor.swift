/// A place in an ordered list of videos, from which the next page goes on: `dQw4w9WgXcQ`, or with the moment of the
/// first page and its time in hexadecimal seconds `0019a1b2c3d4e-0000-k3v9x2ap.69208d4b.dQw4w9WgXcQ`.
///
/// In an order by time the video's own times are place enough: what arrives later stands before it or after it, and
/// nothing moves. Where places depend on what else there is, the moment keeps out what came since.
package struct PageCursor: Equatable, Sendable {
  /// The last video of the page before.
  package var video: VideoID
  /// The last event that the first page knew of.
  package var moment: EventID?
  /// When the first page was made, for a snooze ends without an event; nil for the time of the moment.
  package var time: Timestamp?

  package init(video: VideoID, moment: EventID?, time: Timestamp?) {
    (self.video, self.moment, self.time) = (video, moment, time)
  }

  /// The place after a video, without a moment or at one.
  package init(video: VideoID, moment: EventID?) { self.init(video: video, moment: moment, time: nil) }

  /// The cursor that a text spells, or nil.
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
