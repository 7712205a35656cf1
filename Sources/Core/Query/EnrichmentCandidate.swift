/// A video that YouTube may say more about than its feed: without a length, of an unsettled stream, or removed.
package struct EnrichmentCandidate: Sendable {
  package let video: VideoID
  package let channel: ChannelID?
  package let found: Timestamp
  package let published: Timestamp
  /// Whether anything but the feed has said something about it.
  package let isEnriched: Bool

  /// A candidate with these values.
  package init(video: VideoID, channel: ChannelID?, found: Timestamp, published: Timestamp, isEnriched: Bool) {
    (self.video, self.channel, self.found) = (video, channel, found)
    (self.published, self.isEnriched) = (published, isEnriched)
  }
}
