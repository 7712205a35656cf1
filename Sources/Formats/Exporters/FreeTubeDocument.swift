import Core

/// What was watched and collected as lines of FreeTube's own files, `history.db` and `playlists.db`, one JSON object each.
///
/// FreeTube 0.20 refuses entries that lack a member: what is unknown is empty or 0.
package enum FreeTubeDocument {
  /// A line of the history: `{"videoId":"dQw4w9WgXcQ",…,"timeWatched":1706933106000,"type":"video","_id":"dQw4w9WgXcQ"}`.
  package static func history(_ watched: WatchedRow) -> [UInt8] {
    var line = video(watched.row)
    line.add("description", "")
    line.add("viewCount", 0)
    line.add("watchProgress", watched.row.progress)
    line.add("timeWatched", milliseconds(watched.watched))
    line.add("_id", watched.row.video.description)
    return line.object + [UInt8(ascii: "\n")]
  }

  /// The beginning of the line of a playlist, up to its first video: `{"playlistName":"Rainy days",…,"videos":[`.
  package static func playlistStart(_ name: String, description: String) -> [UInt8] {
    var playlist = JSONLine()
    playlist.add("playlistName", name)
    playlist.add("protected", false)
    playlist.add("description", description)
    return playlist.object.dropLast() + Array(",\"videos\":[".utf8)
  }

  /// A video of a playlist, at a position from 0.
  package static func member(_ row: VideoRow, added: Timestamp, at index: Int) -> [UInt8] {
    var line = video(row)
    line.add("timeAdded", milliseconds(added))
    line.add("playlistItemId", "\(row.video)-\(index)")
    return (index > 0 ? [UInt8(ascii: ",")] : []) + line.object
  }

  /// The end of the line of a playlist; `times` are those of its first and its last video.
  package static func playlistEnd(id: String, _ times: ClosedRange<Timestamp>?) -> [UInt8] {
    var playlist = JSONLine()
    playlist.add("_id", id)
    playlist.add("createdAt", times.map { milliseconds($0.lowerBound) } ?? 0)
    playlist.add("lastUpdatedAt", times.map { milliseconds($0.upperBound) } ?? 0)
    return Array("],".utf8) + playlist.object.dropFirst() + [UInt8(ascii: "\n")]
  }

  /// The ID of the playlist of a collection. Imports know the saved videos by theirs, whatever the playlist's name.
  package static func id(ofPlaylist name: String) -> String {
    "metube-rss-\(String(Fingerprint.of(name), radix: 16))"
  }

  /// The ID of the playlist of what was saved.
  package static let savedID = "metube-rss-saved"

  private static func video(_ row: VideoRow) -> JSONLine {
    var line = JSONLine()
    line.add("videoId", row.video.description)
    line.add("title", row.shownTitle)
    line.add("author", row.channelTitle)
    line.add("authorId", row.knownChannel?.channel?.description ?? "")
    line.add("published", row.knownPublished.map(milliseconds) ?? 0)
    line.add("lengthSeconds", row.durationSeconds ?? 0)
    line.add("isLive", false)
    line.add("type", "video")
    return line
  }

  private static func milliseconds(_ time: Timestamp) -> Int { Int(clamping: time.seconds) * 1000 }
}
