import Core

extension WatchedRow {
  /// The member names, in order.
  package static let columns = ["watchedAt", "video", "channel", "channelTitle", "title", "url"]

  /// The members as text.
  package var values: [String] {
    [watched.rfc3339, row.video.description, row.channel.description, row.channelTitle, row.title, row.url]
  }

  /// The row as a JSON object.
  package var json: JSONLine {
    var line = JSONLine()
    line.add("watchedAt", watched)
    line.add("video", row.video.description)
    line.add("channel", row.channel.description)
    line.add("channelTitle", row.channelTitle)
    line.add("title", row.title)
    line.add("url", row.url)
    return line
  }
}
