/// A place in an ordered list of videos, from which the next page goes on: `dQw4w9WgXcQ`, or with the moment of the
/// first page `0019a1b2c3d4e-0000-k3v9x2ap.dQw4w9WgXcQ`.
///
/// In an order by time the video's own times are place enough: what arrives later stands before it or after it, and
/// nothing moves. Where places depend on what else there is, the moment keeps out what was found since.
package struct PageCursor: Equatable, Sendable {
  /// The last video of the page before.
  package var video: VideoID
  /// The last event that the first page knew of.
  package var moment: EventID?

  package init(video: VideoID, moment: EventID?) {
    self.video = video
    self.moment = moment
  }

  /// The cursor that a text spells, or nil.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last, let video = VideoID(last), parts.count <= 2 else { return nil }
    self.init(video: video, moment: nil)
    guard parts.count == 2 else { return }
    guard let moment = EventID(parts[0]) else { return nil }
    self.moment = moment
  }
}

extension PageCursor: CustomStringConvertible {
  package var description: String { moment.map { "\($0).\(video)" } ?? video.description }
}
