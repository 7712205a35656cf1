import App
import Core
import Library
import Messages
import Platform
import ReadModel
import YouTube

/// The entries of followed playlists beyond the 15 that a feed has, through yt-dlp: the IDs of a playlist in one run, then
/// what is said of those that are not known, ten videos in each run. What it writes is only believed about these.
package struct YtDlpPlaylists {
  private let session: Session
  private let program: YtDlpProgram
  /// When to stop, on the monotonic clock.
  private let deadline: Int?
  private var memory: YtDlpState
  /// The videos found so far, also if a run failed.
  package private(set) var found = 0

  /// Continues from the stored state; `deadline` is on the monotonic clock.
  package init(_ session: Session, deadline: Int?) throws {
    (self.session, self.deadline) = (session, deadline)
    program = try YtDlpProgram(session.settings)
    memory = YtDlpState(storedIn: session.home)
  }

  /// The videos of one run.
  private static let batch = 10

  /// Adds up to `count` entries of a playlist that are not known, as skipped because they are not new; returns why it
  /// ended early. If these are all there are, polls keep it complete from now on.
  package mutating func backfill(_ playlist: PlaylistID, count: Int) throws -> Failure? {
    let request = FeedRequest(subscription: .playlist(playlist), form: .playlist)
    let (ids, failure) = try unknown(of: playlist)
    if let failure { return failure }
    let (session, wanted) = (session, Array(ids.prefix(count)))
    if let failure = try describe(
      wanted,
      { entries in
        try session.commit { Backfill(entries, try session.known(of: entries, request), playlist, room: .max).events }
      })
    {
      return failure
    }
    guard wanted.count == ids.count, !session.library.hasCatalogue else { return nil }
    memory.playlists[playlist] = Clock.now()
    try memory.store(in: session.home)
    return nil
  }

  /// Adds what complete playlists gained, as new; returns why it ended early.
  package mutating func complete() throws -> Failure? {
    for playlist in memory.duePlaylists(at: Clock.now()) {
      guard try session.state.channels[.playlist(playlist)]?.isFollowed == true else {
        memory.playlists[playlist] = nil
        continue
      }
      let request = FeedRequest(subscription: .playlist(playlist), form: .playlist)
      let (ids, failure) = try unknown(of: playlist)
      if let failure { return failure }
      let session = session
      if let failure = try describe(
        ids,
        { entries in
          let feed = Feed(
            title: "", authorName: nil, authorChannel: nil, channel: nil, playlist: playlist, entries: entries,
            deletedEntries: [])
          return try session.commit { try session.detect(feed, request, answered: nil).events }
        })
      {
        return failure
      }
      memory.playlists[playlist] = Clock.now()
      try memory.store(in: session.home)
    }
    return nil
  }

  /// The videos of a playlist that are not known, in its order. Of those that are, it notes that they are in it.
  private func unknown(of playlist: PlaylistID) throws -> ([VideoID], Failure?) {
    let list = "https://www.youtube.com/playlist?list=\(playlist)"
    let range = "1:\(PlaylistDump.maxEntries)"
    let capture = program.run(["--flat-playlist", "--print", "id", "--playlist-items", range], list, until: deadline)
    if let failure = failure(capture) { return ([], failure) }
    let ids = PlaylistDump.ids(capture.output)
    let request = FeedRequest(subscription: .playlist(playlist), form: .playlist)
    var unknown: [VideoID] = []
    try session.commit {
      let known = try session.query { try $0.known(of: [(ids, request)])[0] }
      unknown = ids.filter { known.videos[$0] == nil }
      return ids.compactMap { id in
        guard let video = known.videos[id], !video.isInPlaylist else { return nil }
        var change = VideoChanged(video: id)
        change.playlist = playlist
        if !video.feeds.contains(FeedForms(.playlist)) { change.feed = .playlist }
        return .videoChanged(change)
      }
    }
    return (unknown, nil)
  }

  /// Gives what is said of videos to `append`, run by run, at most one a second; returns why it ended early. One that is
  /// private or deleted is left out.
  private mutating func describe(_ videos: [VideoID], _ append: ([Entry]) throws -> [Event]) throws -> Failure? {
    var rest = videos[...]
    while !rest.isEmpty {
      let batch = Array(rest.prefix(YtDlpPlaylists.batch))
      rest = rest.dropFirst(batch.count)
      guard program.interrupt.waits(milliseconds: 1000), deadline.map({ Clock.steady() < $0 }) ?? true else {
        return Failure(PollError.videosStopped)
      }
      let addresses = batch.compactMap { $0.youTube.map { "https://www.youtube.com/watch?v=\($0)" } }
      let options = ["--skip-download", "--ignore-errors", "--no-playlist", "--print", PlaylistDump.template]
      let capture = program.run(options, addresses, until: deadline)
      let entries = PlaylistDump.entries(capture.output, of: Set(batch))
      found += try append(entries).count { if case .videoFound = $0.body { true } else { false } }
      // It exits with 1 if a single video is private.
      if capture.ending == .exited(1), !entries.isEmpty { continue }
      if let failure = failure(capture) { return failure }
    }
    return nil
  }

  private func failure(_ capture: ChildProcess.Capture) -> Failure? {
    switch capture.ending {
    case .exited(0): nil
    case .notStarted: YtDlpProgram.missing(capture.ending)
    case .interrupted: Failure(PollError.videosStopped)
    case .exited, .killed, .timedOut, .wroteTooMuch:
      Failure(PollError.ytDlpVideos(reason: YtDlpProgram.reason(capture)))
    }
  }
}
