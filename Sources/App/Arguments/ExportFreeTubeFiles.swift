import App
import ArgumentParser
import Core
import Exporters
import Platform
import ReadModel

/// `export freetube-history`: writes what was watched as FreeTube's history.
struct ExportFreeTubeHistoryCommand: ExportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "freetube-history", abstract: "Write what you watched as FreeTube's history.",
    discussion: """
      Exports every watched video with its title, channel, time and position.
      metube-rss import reads the file too.

      Examples:
        metube-rss export freetube-history --output history.db
      """)
  @OptionGroup var options: SubscriptionExportOptions

  var common: CommonOptions { options.common }
  var writtenFolder: String? { options.file.folder }

  func export(_ session: Session) throws -> String? {
    let watched = try session.query { try $0.history(since: nil, until: nil, limit: 0) }.rows
    return try options.file.write(watched.count, "video", session.home) { output in
      // The oldest first, as FreeTube appends them.
      for start in stride(from: 0, to: watched.count, by: 1000) {
        let part = watched.reversed().dropFirst(start).prefix(1000)
        let rows = try session.rows(part.map(\.video), alsoUnseen: true)
        for (time, row) in zip(part.map(\.watched), rows) {
          output.write(FreeTubeDocument.history(WatchedRow(watched: time, row: row)))
        }
      }
    }
  }

  func remark(_ session: Session) throws -> String? { nil }
}

/// `export freetube-playlists`: writes saved videos and collections as FreeTube's playlists.
struct ExportFreeTubePlaylistsCommand: ExportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "freetube-playlists", abstract: "Write your collections as FreeTube's playlists.",
    discussion: """
      Exports each collection, and what you saved as the playlist Watch Later.
      metube-rss import reads the file too.

      Examples:
        metube-rss export freetube-playlists --output playlists.db
      """)
  @OptionGroup var options: SubscriptionExportOptions

  var common: CommonOptions { options.common }
  var writtenFolder: String? { options.file.folder }

  func export(_ session: Session) throws -> String? {
    let names = try session.query { try $0.collections() }.keys.sorted()
    let descriptions = try session.query { try $0.collectionDescriptions() }
    let saved = try session.query { try $0.saved() }
    return try options.file.write(names.count + (saved.isEmpty ? 0 : 1), "playlist", session.home) { output in
      for name in names {
        let members = try session.query { try $0.members(of: name) }
        let videos = try Self.added(members, session) { $0.memberships[name]?.id.timestamp }
        output.write(FreeTubeDocument.playlist(name, description: descriptions[name] ?? "", videos))
      }
      if saved.isEmpty { return }
      let videos = try Self.added(saved, session) { $0.saved?.id.timestamp }
      output.write(FreeTubeDocument.playlist("Watch Later", description: "", videos))
    }
  }

  func remark(_ session: Session) throws -> String? { nil }

  /// The rows of videos with when each was added.
  private static func added(
    _ ids: [VideoID], _ session: Session, _ time: (Video) -> Timestamp?
  ) throws -> [(row: VideoRow, added: Timestamp)] {
    try ids.compactMap { id in
      guard let video = try session.video(id), let row = try session.rows([id], alsoUnseen: true).first else {
        return nil
      }
      return (row, time(video) ?? session.now)
    }
  }
}
