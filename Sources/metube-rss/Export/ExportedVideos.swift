import Core

/// The videos of one export, made into rows one at a time, so that a long one takes little memory.
struct ExportedVideos {
  /// In the order of the export.
  let videos: [Video]
  /// What a reader lists the feed under.
  let title: String
  /// In canonical words what they are restricted to; empty for everything.
  let filter: String
  /// Where they come from.
  let session: Session

  /// How many there are.
  var count: Int { videos.count }

  /// Their rows, each made when it is asked for.
  var rows: some Sequence<VideoRow> {
    let (state, now) = (session.state, session.now)
    return videos.lazy.compactMap { VideoRow($0, in: state, at: now) }
  }
}
