import Core
import JSON

/// What yt-dlp writes about the entries of a playlist: one JSON object per line (`--flat-playlist --dump-json`).
///
/// `{"id":"dQw4w9WgXcQ","channel_id":"UC…","duration":213,"live_status":"was_live","release_timestamp":null,…}`
package enum PlaylistDump {
  /// What it says about these videos of a channel. Lines that are not understood, that are about other videos, or that
  /// name another channel are left out; of several about one video the first counts.
  package static func read(
    _ output: [UInt8], about videos: [VideoID: Video], of channel: ChannelID
  ) -> [VideoEnriched] {
    var seen: Set<VideoID> = []
    return output.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let entry = JSONValue(Array(line)), let id = entry["id"]?.string.flatMap({ VideoID($0) }),
        let video = videos[id], entry["channel_id"]?.string.map({ $0 == channel.description }) ?? true,
        let facts = facts(entry, video), seen.insert(id).inserted
      else { return nil }
      return facts
    }
  }

  /// The facts in an entry; nil if it has neither a length nor a live state.
  private static func facts(_ entry: JSONValue, _ video: Video) -> VideoEnriched? {
    let seconds = entry["duration"]?.number.flatMap { (1...10_000_000).contains($0) ? Int($0) : nil }
    let known = video.enriched?.value
    // YouTube marks only what is live or upcoming: a stream without a mark that has a length is over.
    let live = live(entry["live_status"]?.string) ?? (seconds != nil && video.isStream ? .ended : nil)
    guard seconds != nil || live != nil else { return nil }
    let start = entry["release_timestamp"]?.number.flatMap {
      (1...4_102_444_800).contains($0) ? Timestamp(seconds: Int64($0)) : nil
    }
    return VideoEnriched(
      video: video.id, duration: seconds, live: live, scheduled: start ?? known?.scheduled, started: known?.started,
      ended: known?.ended)
  }

  private static func live(_ word: String?) -> Live? {
    switch word {
    case "is_upcoming": .upcoming
    case "is_live": .live
    case "was_live", "post_live": .ended
    case "not_live": Live.none
    default: nil
    }
  }
}
