/// A place in an ordered list of videos, after which the next page begins: `dQw4w9WgXcQ`, or with the number that a
/// catch-up list or a mix needs beside the video, `692fd3a0.dQw4w9WgXcQ`.
///
/// A later page shows the list as it is then. By time what arrived or was marked meanwhile moves nothing else; in a
/// catch-up list or a mix it moves the other videos of its channel.
package struct PageCursor: Equatable, Sendable {
  /// The last video of the previous page.
  package var video: VideoID
  /// Of a catch-up list when the channel's oldest video was published, of a mix the turn.
  package var number: Int64?

  package init(video: VideoID, number: Int64?) { (self.video, self.number) = (video, number) }

  /// Parses a cursor; nil if malformed.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard let last = parts.last, let video = VideoID(last), parts.count <= 2 else { return nil }
    self.init(video: video, number: nil)
    guard parts.count == 2 else { return }
    guard let number = Int64(parts[0], radix: 16) else { return nil }
    self.number = number
  }
}

extension PageCursor: CustomStringConvertible {
  package var description: String { number.map { "\(String($0, radix: 16)).\(video)" } ?? "\(video)" }
}
