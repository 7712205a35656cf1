import App
import Core
import EventLog
import HTTPClient
import Messages
import Platform
import ReadModel
import YouTube

/// Looks up what the user decided on and no feed has shown: title, channel and the like, from YouTube's oEmbed, one
/// request for each video. A failure is not an error: the next lookup is hours away.
package struct Descriptions {
  private let session: Session
  private let request: OEmbedRequest
  private let interrupt = Interrupt()
  /// When to stop sending requests, on the monotonic clock.
  private let deadline: Int?
  private var state: OEmbedState
  /// The numbers of videos requested and of those for which something was found.
  package private(set) var (requested, learnt) = (0, 0)

  /// The lookups of a session; nil if the settings forbid them, or with a log in a database. Throws if a setting is invalid.
  package init?(_ session: Session, deadline: Int?) throws {
    guard let home = session.workspace.files?.home, try session.settings.usesOEmbed() else { return nil }
    (self.session, self.deadline) = (session, deadline)
    request = try OEmbedRequest(session.settings)
    state = OEmbedState(storedIn: home)
  }

  /// Looks up the due videos of a session after a poll, unless the Data API does it; for at most this many
  /// milliseconds, and until `deadline` on the monotonic clock.
  package static func run(_ session: Session, within milliseconds: Int, _ deadline: Int?) throws {
    guard session.settings["API_KEY"] == nil else { return }
    let end = Clock.steady() + milliseconds
    var lookup = try Descriptions(session, deadline: min(deadline ?? end, end))
    try lookup?.run()
  }

  /// The maximum number of requests in one run.
  private static let maximum = 20

  /// Looks up the due videos, at most 20. Throws if the log or the disk fails.
  package mutating func run() throws {
    let now = Clock.now()
    guard !state.isResting(at: now), try !isPaused else { return }
    let due = try session.undescribed().filter { state.isDue($0.id, at: now) }.prefix(Descriptions.maximum)
    guard !due.isEmpty else { return }
    let fetcher = try HTTPSession(session.settings, jobs: 1)
    for video in due {
      // As polite as a lookup of names.
      if requested > 0, !interrupt.waits(milliseconds: 500 + .random(in: 0...500)) { break }
      if interrupt.isSignalled() || deadline.map({ Clock.steady() >= $0 }) ?? false { break }
      requested += 1
      guard try lookUp(video.id, with: fetcher) else { break }
    }
    if requested > 0, let home = session.workspace.files?.home { try state.store(in: home) }
  }

  /// Whether YouTube refuses requests, or its feeds fail in general.
  private var isPaused: Bool {
    get throws { try session.pollState().pause.map { $0.retry > Clock.now() } ?? false }
  }

  /// Looks up one video; returns whether another may follow.
  private mutating func lookUp(_ id: VideoID, with fetcher: HTTPSession) throws -> Bool {
    switch try request.send(about: id, with: fetcher, until: deadline) {
    case .described(let described): learnt += try session.keep([described])
    case .missing: state.noteMissing(id, at: Clock.now())
    case .failed(let seconds):
      state.noteFailure(at: Clock.now(), retryAfter: seconds)
      return false
    case .ended: return false
    }
    return true
  }

  /// `12 titles looked up, 10 found`.
  package var summary: String { "\(UserMessages.count(requested, "title")) looked up, \(learnt) found" }
}

extension Session {
  /// The videos that no feed has shown, that the user decided on one by one, and that YouTube has not described.
  package func undescribed() throws -> [Video] {
    try query { try $0.decidedUnseen() }.compactMap { try video($0) }.filter { video in
      video.found == nil && !video.id.isEntry && video.described?.value.source != VideoDescribed.youTube
    }
  }

  /// Those of which the Data API may say more: also what oEmbed described, which knows neither length nor date.
  private func incomplete() throws -> [Video] {
    try query { try $0.decidedUnseen() }.compactMap { try video($0) }.filter { $0.found == nil && $0.isIncomplete }
  }

  /// Keeps what YouTube says of videos that no feed has shown; returns of how many that is new.
  package func keep(_ facts: [VideoDescribed]) throws -> Int {
    try commit {
      try facts.compactMap { fact in
        let known = try video(fact.video)
        guard known?.found == nil else { return nil }
        // What it does not say stays as others said it.
        var whole = known?.described?.value.completing(fact) ?? fact
        whole.source = VideoDescribed.youTube
        return known?.described?.value == whole ? nil : .videoDescribed(whole)
      }
    }.count
  }

  /// Looks up in the Data API what the user decided on and no feed has shown; results before a failure are kept. `api`
  /// may be of another session, whose units it takes. At most `limit` videos.
  package func describe(
    with api: APISession, limit: Int = .max, _ report: inout EnrichmentReport
  ) throws {
    let now = Clock.now()
    let candidates = try incomplete().map(\.id)
    var due = candidates.filter { api.memory.isDescriptionDue(of: $0, at: now) }.prefix(limit)
    while !due.isEmpty, report.failure == nil {
      let ids = Array(due.prefix(APIRequest.maximum))
      due = due.dropFirst(ids.count)
      var facts: [VideoDescribed]?
      report.failure = try api.attempt { facts = try api.ask(.descriptions(ids), VideoResponse.descriptions) }
      guard let facts else { break }
      let wanted = Set(ids)
      report.learnt += try keep(facts.filter { wanted.contains($0.video) })
      // What a response left open stays so: that is not requested again soon.
      for id in ids where try video(id)?.isIncomplete ?? true { api.memory.missing[id] = now }
      try api.save()
      report.requested += ids.count
    }
  }
}

extension Video {
  /// Whether YouTube has not described it, or not all that its Data API says of every video.
  fileprivate var isIncomplete: Bool {
    guard let facts = described?.value, facts.source == VideoDescribed.youTube else { return true }
    return facts.channel == nil || facts.published == nil || facts.duration == nil
  }
}

/// This machine's oEmbed state file.
extension OEmbedState {
  private static func path(in home: Home) -> String { "\(home.pollState)/oembed" }

  /// The stored state; empty before the first request, and if it is unreadable: then each video is requested once more.
  init(storedIn home: Home) {
    self.init()
    let path = OEmbedState.path(in: home)
    do { for record in try StateFile.read(path) ?? [] { take(record) } } catch {
      StandardError.report("\(path): the oEmbed state \(UserMessages.unreadable(error)); it starts anew")
    }
  }

  func store(in home: Home) throws {
    var records = tried.sorted { $0.key < $1.key }.map { video, time in
      StateRecord([("video", .text(video.description)), ("tried", .text(time.rfc3339))])
    }
    if let rest { records.append(StateRecord([("rest", .text(rest.rfc3339))])) }
    do { try StateFile.write(OEmbedState.path(in: home), records) } catch { throw UserMessages.failure(error) }
  }

  private mutating func take(_ record: StateRecord) {
    if case .text(let time) = record["rest"] { rest = Timestamp(rfc3339: time) }
    guard case .text(let id) = record["video"], let video = VideoID(youTube: id), case .text(let time) = record["tried"]
    else {
      return
    }
    tried[video] = Timestamp(rfc3339: time)
  }
}
