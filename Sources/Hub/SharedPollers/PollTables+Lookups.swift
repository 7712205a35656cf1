import Core
import Exporters
import ReadModel
import SQLDrivers

/// What pollers look up in the Data API; see `0005-pollers.sql`.
extension PollTables {
  /// The rows of the catalogue that are looked through at once.
  private static let queueStep = 5000

  /// Looks through further rows of the catalogue for what to look up; returns whether there were any.
  func queueLookups() throws -> Bool {
    try integer("SELECT queue_lookups(?)::integer", PollTables.queueStep) == 1
  }

  /// Claims up to `maximum` videos that are due, for a request within this many seconds: since when each has been
  /// missing in responses, nil if it was not. Fewer only if one has been due for `timeout` seconds.
  func claimVideos(_ maximum: Int, timeout: Int, for seconds: Int) throws -> [(video: VideoID, missing: Timestamp?)] {
    try rows(
      "SELECT video, missing_since FROM claim_video_lookups(unix_time(), ?, ?, ?, ?)", poller, maximum, timeout, seconds
    ) { row in
      (VideoID(column: row.int(0)), row.optionalInt(1).map { Timestamp(seconds: $0) })
    }
  }

  /// Claims channels to be looked up.
  func claimChannels(_ maximum: Int, timeout: Int, for seconds: Int) throws -> [ChannelID] {
    try rows("SELECT channel FROM claim_channel_lookups(unix_time(), ?, ?, ?, ?)", poller, maximum, timeout, seconds) {
      row in
      ChannelID(row.text(0))
    }
  }

  /// Keeps when claimed videos are to be looked up again, nil for never, and since when they have been missing.
  func finish(_ results: [(video: VideoID, due: Timestamp?, missing: Timestamp?)]) throws {
    let rows = results.map { result in
      var row = JSONLine()
      row.add("video", Int(result.video.column))
      row.add("due", result.due.map { Int($0.seconds) })
      row.add("missing_since", result.missing.map { Int($0.seconds) })
      return row
    }
    try run("SELECT finish_video_lookups(?, ?::jsonb)", poller, PollRows.list(rows))
  }

  /// Keeps when claimed channels are to be looked up again.
  func finish(_ results: [(channel: ChannelID, due: Timestamp)]) throws {
    let rows = results.map { result in
      var row = JSONLine()
      row.add("channel", "\(result.channel)")
      row.add("due", Int(result.due.seconds))
      return row
    }
    try run("SELECT finish_channel_lookups(?, ?::jsonb)", poller, PollRows.list(rows))
  }
}
