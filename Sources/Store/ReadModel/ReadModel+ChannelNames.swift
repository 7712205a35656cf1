import Core
import SQLDrivers

/// Channels that were never followed, by the names that videos of playlists and imported files have.
extension ReadModel {
  /// Each channel with every name that a video gave it, in no order. A channel may have several names, and another one
  /// the same.
  package func namesOfChannels() throws -> [(channel: ChannelID, name: String)] {
    try read { (database) throws(DatabaseError) in
      var names: [(channel: ChannelID, name: String)] = []
      try database.forEach(ReadModel.channelNames, user) { row in
        guard let channel = row.subscription(0)?.channel else { return }
        names.append((channel, row.text(1)))
      }
      return names
    }
  }

  private static let channelNames: SQL = """
    SELECT c.id, v.channel_title FROM video v CROSS JOIN channel c ON c.n = v.channel
      WHERE v.channel_title IS NOT NULL AND v.channel_title <> ''
    UNION SELECT x.channel, x.channel_title FROM described x
      WHERE x.owner = ?1 AND x.channel IS NOT NULL AND x.channel_title IS NOT NULL AND x.channel_title <> ''
    """
}
