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

  /// A line for a playlist: `{"playlistName":"Rainy days",…,"videos":[…],"_id":"…"}`.
  package static func playlist(
    _ name: String, description: String, _ videos: [(row: VideoRow, added: Timestamp)]
  ) -> [UInt8] {
    var playlist = JSONLine()
    playlist.add("playlistName", name)
    playlist.add("protected", false)
    playlist.add("description", description)
    playlist.add(
      "videos",
      objects: videos.enumerated().map { place, member in
        var line = video(member.row)
        line.add("timeAdded", milliseconds(member.added))
        line.add("playlistItemId", "\(member.row.video)-\(place)")
        return line
      })
    let times = videos.map { milliseconds($0.added) }
    playlist.add("_id", "metube-rss-\(String(Fingerprint.of(name), radix: 16))")
    playlist.add("createdAt", times.min() ?? 0)
    playlist.add("lastUpdatedAt", times.max() ?? 0)
    return playlist.object + [UInt8(ascii: "\n")]
  }

  private static func video(_ row: VideoRow) -> JSONLine {
    var line = JSONLine()
    line.add("videoId", row.video.description)
    line.add("title", row.shownTitle)
    line.add("author", row.channelTitle)
    line.add("authorId", row.knownChannel?.description ?? "")
    line.add("published", row.knownPublished.map(milliseconds) ?? 0)
    line.add("lengthSeconds", row.durationSeconds ?? 0)
    line.add("isLive", false)
    line.add("type", "video")
    return line
  }

  private static func milliseconds(_ time: Timestamp) -> Int { Int(clamping: time.seconds) * 1000 }
}
