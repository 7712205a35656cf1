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
  ) -> EnrichedVideos {
    var result = EnrichedVideos(facts: [])
    var seen: Set<VideoID> = []
    for line in output.split(separator: UInt8(ascii: "\n")) {
      guard let entry = JSONValue(Array(line)), let id = entry["id"]?.string.flatMap({ VideoID(youTube: $0) }),
        let video = videos[id], entry["channel_id"]?.string.map({ $0 == channel.description }) ?? true
      else { continue }
      if let count = entry["view_count"]?.number.flatMap({ Int(exactly: $0) }), count >= 0, result.views[id] == nil {
        result.views[id] = count
      }
      if let facts = facts(entry, video), seen.insert(id).inserted { result.facts.append(facts) }
    }
    return result
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

/// The entries of a playlist, as yt-dlp prints them by templates of ours.
extension PlaylistDump {
  /// The maximum number of entries of a playlist; YouTube's have no more.
  package static let maxEntries = 5000
  /// The template of an entry.
  package static let template = "%(.{id,channel_id,channel,title,timestamp,upload_date,description})j"

  /// The IDs in the lines that `--print id` prints, each once.
  package static func ids(_ output: [UInt8]) -> [VideoID] {
    var (ids, seen): ([VideoID], Set<VideoID>) = ([], [])
    for line in output.split(separator: UInt8(ascii: "\n")) where ids.count < maxEntries {
      if let id = VideoID(youTube: String(decoding: line, as: UTF8.self)), seen.insert(id).inserted { ids.append(id) }
    }
    return ids
  }

  /// The entries in the lines that `template` prints, of these videos alone. What lacks a date, a channel or a title is
  /// left out.
  ///
  /// `{"id":"dQw4w9WgXcQ","channel_id":"UC…","channel":"…","title":"…","timestamp":1256453853,"upload_date":"20091025"}`
  package static func entries(_ output: [UInt8], of videos: Set<VideoID>) -> [Entry] {
    var seen: Set<VideoID> = []
    return output.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let entry = JSONValue(Array(line)), let id = entry["id"]?.string.flatMap({ VideoID(youTube: $0) }),
        videos.contains(id), let channel = entry["channel_id"]?.string.flatMap({ ChannelID($0) }),
        let title = entry["title"]?.text, let published = time(entry), seen.insert(id).inserted
      else { return nil }
      return Entry(
        video: id, channel: channel, title: title.cut(toScalars: 300), link: "https://youtu.be/\(id)",
        authorName: entry["channel"]?.string.map { $0.cut(toScalars: 300) } ?? "", published: published,
        updated: published, mediaTitle: nil, thumbnail: nil,
        description: entry["description"]?.string.map { $0.cut(toScalars: 5000) }, views: nil, likes: nil)
    }
  }

  /// When a video was published: to the second, or else the day.
  private static func time(_ entry: JSONValue) -> Timestamp? {
    if let seconds = entry["timestamp"]?.number, (1...4_102_444_800).contains(seconds) {
      return Timestamp(seconds: Int64(seconds))
    }
    guard let day = entry["upload_date"]?.string, day.utf8.count == 8 else { return nil }
    return Timestamp(rfc3339: "\(day.prefix(4))-\(day.dropFirst(4).prefix(2))-\(day.suffix(2))T00:00:00Z")
  }
}
