import Core

/// What was watched and collected as in Google Takeout: `watch-history.json`, and a file of CSV for each playlist.
package enum TakeoutDocument {
  /// An element of the history, without what separates elements:
  /// `{"header":"YouTube","title":"Watched …","titleUrl":"https://www.youtube.com/watch?v=…","time":"2024-…Z",…}`.
  package static func watch(_ watched: WatchedRow) -> [UInt8] {
    let row = watched.row
    var line = JSONLine()
    line.add("header", "YouTube")
    line.add("title", "Watched \(DisplayText(row.title).isBlank ? row.url : row.title)")
    line.add("titleUrl", "https://www.youtube.com/watch?v=\(row.video)")
    if let channel = row.knownChannel?.channel {
      var author = JSONLine()
      author.add("name", row.channelTitle)
      author.add("url", "https://www.youtube.com/channel/\(channel)")
      line.add("subtitles", objects: [author])
    }
    line.add("time", watched.watched)
    line.add("products", ["YouTube"])
    line.add("activityControls", ["YouTube watch history"])
    return line.object
  }

  /// The first line of a playlist.
  package static let playlistHeader = Array("Video ID,Playlist Video Creation Timestamp\n".utf8)

  /// A line of a playlist: `dQw4w9WgXcQ,2023-01-05T10:11:12+00:00`.
  package static func member(_ video: VideoID, added: Timestamp) -> [UInt8] {
    Array("\(video),\(added.rfc3339.dropLast())+00:00\n".utf8)
  }

  /// The name of the entry of a playlist, which is all that says the playlist's name, and whether it says it unchanged.
  package static func entry(ofPlaylist name: String) -> (name: String, isSame: Bool) {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      let isFit = scalar.value >= 0x20 && scalar.value != 0x7f && !"/\\:*?\"<>|".unicodeScalars.contains(scalar)
      scalars.append(isFit ? scalar : "_")
    }
    var stem = String(scalars)
    // Longer ones are not names of files.
    while stem.utf8.count > 200 { stem.removeLast() }
    if stem.hasPrefix(".") { stem = "_" + stem.dropFirst() }
    return ("Takeout/YouTube and YouTube Music/playlists/\(stem)-videos.csv", stem == name)
  }
}
