import Core

/// The videos of one export; rows are built lazily, so that a long export takes little memory.
struct ExportedVideos {
  /// In export order.
  let videos: [Video]
  /// The feed title shown by feed readers.
  let title: String
  /// The filter in canonical form; empty for everything.
  let filter: String
  /// The session they come from.
  let session: Session

  /// The number of videos.
  var count: Int { videos.count }

  /// The rows, built lazily.
  var rows: some Sequence<VideoRow> {
    let (state, now) = (session.state, session.now)
    return videos.lazy.compactMap { VideoRow($0, in: state, at: now) }
  }
}
