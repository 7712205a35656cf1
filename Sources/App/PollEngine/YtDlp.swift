import App
import Core
import EventLog
import Messages
import Platform
import ReadModel
import YouTube

/// Lengths and live states through yt-dlp(1), which reads YouTube's own pages: one run for each channel with videos that
/// lack them, one after another. What it writes is treated as hostile: bounded, and only believed about those videos.
package struct YtDlp {
  private let session: Session
  /// When to stop, on the monotonic clock.
  private let deadline: Int?
  private let program: YtDlpProgram
  private var memory: YtDlpState
  private var report = EnrichmentReport()

  /// Continues from the stored state; `deadline` is on the monotonic clock.
  package init(_ session: Session, deadline: Int?) throws {
    (self.session, self.deadline) = (session, deadline)
    program = try YtDlpProgram(session.settings)
    memory = YtDlpState(storedIn: session.home)
  }

  /// Looks up every due video of the followed channels; keeps the results before a failure. Throws if the log or the
  /// disk fails.
  package mutating func enrich() throws -> EnrichmentReport {
    var failures = 0
    var started: Int?
    for (channel, videos) in try due() {
      // As polite as a poll: each run sends two or three requests.
      let pause = started.map { $0 + 1000 - Clock.steady() } ?? 0
      if !program.interrupt.waits(milliseconds: pause) || deadline.map({ Clock.steady() >= $0 }) ?? false {
        report.failure = Failure(PollError.lookupsStopped)
        break
      }
      started = Clock.steady()
      let failure = try list(channel, videos)
      try save()
      guard let failure else {
        failures = 0
        continue
      }
      report.failure = failure.problem
      failures += 1
      if failure.isFinal || failures == YtDlp.maxFailures { break }
    }
    return report
  }

  /// The number of failures in a row after which no further channel is tried.
  private static let maxFailures = 3

  /// The channels with due videos, the one with the newest video first.
  private func due() throws -> [(ChannelID, [VideoID: Video])] {
    let now = Clock.now()
    let state = try session.state
    let candidates = try session.query { try $0.enrichmentCandidates() }
    var due: [ChannelID: [VideoID: Video]] = [:]
    for candidate in candidates {
      guard let channel = candidate.channel, state.channels[.channel(channel)]?.isFollowed == true,
        memory.isDue(candidate, at: now), let video = try session.video(candidate.video),
        !video.isRemoved, video.mayHaveNews(at: now)
      else { continue }
      due[channel, default: [:]][video.id] = video
    }
    func newest(_ videos: [VideoID: Video]) -> Timestamp { videos.values.map(\.published).max() ?? now }
    return due.sorted { (newest($1.value), $1.key) < (newest($0.value), $0.key) }.map { ($0.key, $0.value) }
  }

  /// Lists a channel's latest videos and appends what is new about these; returns what went wrong, and whether it would
  /// with any other channel.
  private mutating func list(
    _ channel: ChannelID, _ videos: [VideoID: Video]
  ) throws -> (problem: Failure, isFinal: Bool)? {
    let list = "https://www.youtube.com/playlist?list=\(PlaylistID(of: channel, form: .uploads))"
    let capture = program.run(["--flat-playlist", "--dump-json", "--playlist-items", "1:100"], list, until: deadline)
    let read = PlaylistDump.read(capture.output, about: videos, of: channel)
    let facts = read.facts
    let events = try session.commit {
      try facts.compactMap { fact in
        guard let video = try session.video(fact.video), video.enriched?.value != fact else { return nil }
        return .videoEnriched(fact)
      }
    }
    session.keep(views: read.views)
    if capture.ending == .exited(0) || !facts.isEmpty {
      report.channels += 1
      report.requested += videos.count
      report.learnt += events.count
    }
    let now = Clock.now()
    switch capture.ending {
    case .exited(0):
      (memory.listed[channel], memory.failed[channel]) = (now, nil)
      return nil
    case .interrupted:
      return (Failure(PollError.lookupsStopped), true)
    case .notStarted:
      return (YtDlpProgram.missing(capture.ending), true)
    case .timedOut where deadline.map { Clock.steady() >= $0 } ?? false:
      return (Failure(PollError.lookupsStopped), true)
    case .exited, .killed, .timedOut, .wroteTooMuch:
      memory.failed[channel] = now
      let title = try session.title(of: .channel(channel))
      return (Failure(PollError.ytDlp(channel: title, reason: YtDlpProgram.reason(capture))), false)
    }
  }

  private func save() throws { try memory.store(in: session.home) }
}

/// This machine's yt-dlp state file.
extension YtDlpState {
  fileprivate static func path(in home: Home) -> String { "\(home.pollState)/yt-dlp" }

  /// The stored state; empty before the first run, and if it is unreadable: then each channel is listed once more.
  init(storedIn home: Home) {
    self.init()
    let path = YtDlpState.path(in: home)
    do { for record in try StateFile.read(path) ?? [] { take(record) } } catch {
      StandardError.report("\(path): the yt-dlp state \(UserMessages.unreadable(error)); it starts anew")
    }
  }

  /// Stores the state.
  func store(in home: Home) throws {
    do { try StateFile.write(YtDlpState.path(in: home), records) } catch { throw UserMessages.failure(error) }
  }

  fileprivate var records: [StateRecord] {
    let times = [("listed", listed), ("failed", failed)]
    let complete = playlists.sorted { $0.key < $1.key }.map { playlist, time in
      StateRecord([("playlist", .text(playlist.description)), ("complete", .text(time.rfc3339))])
    }
    return complete
      + times.flatMap { name, times in
        times.sorted { $0.key < $1.key }.map { channel, time in
          StateRecord([("channel", .text(channel.description)), (name, .text(time.rfc3339))])
        }
      }
  }

  private mutating func take(_ record: StateRecord) {
    if let playlist = record.text("playlist").flatMap({ PlaylistID($0) }) {
      playlists[playlist] = record.time("complete")
    }
    guard case .text(let id) = record["channel"], let channel = ChannelID(id) else { return }
    if case .text(let time) = record["listed"] { listed[channel] = Timestamp(rfc3339: time) }
    if case .text(let time) = record["failed"] { failed[channel] = Timestamp(rfc3339: time) }
  }
}
