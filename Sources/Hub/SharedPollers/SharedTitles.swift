import App
import Core
import Exporters
import HTTPClient
import JSON
import Messages
import Platform
import PollEngine
import ReadModel
import SQLDrivers
import YouTube

/// Titles of videos that users of a database decided on and no feed has shown them: requested once for all of them, in
/// the Data API if there is a key, else one by one from YouTube's oEmbed, and written to the log of each.
final class SharedTitles {
  private let tables: PollTables
  /// What requests the Data API; nil without a key.
  private let lookups: SharedLookups?
  private let oEmbed: OEmbedRequest
  private let fetcher: HTTPSession
  private let options: SharedPollOptions
  private let isOnce: Bool
  private let interrupt = Interrupt()
  /// The log of a user.
  private let log: (String) throws -> Session
  /// Until when oEmbed is not requested because it failed.
  private var state = OEmbedState()
  /// Until when nothing is done because the database failed, on the monotonic clock.
  private var rest = Int.min

  /// The lookups that the settings of a catalogue permit; nil if they permit none.
  init?(
    _ catalogue: Session, _ tables: PollTables, _ lookups: SharedLookups?, _ fetcher: HTTPSession,
    _ options: SharedPollOptions, isOnce: Bool, log: @escaping (String) throws -> Session
  ) throws {
    guard try catalogue.settings.usesOEmbed() || lookups != nil else { return nil }
    oEmbed = try OEmbedRequest(catalogue.settings)
    (self.tables, self.lookups, self.fetcher, self.options) = (tables, lookups, fetcher, options)
    (self.isOnce, self.log) = (isOnce, log)
  }

  /// How many users' logs are looked through at once, and how often each, in seconds.
  private static let (maxOwners, wait) = (20, 60)
  /// For how many seconds a title may be missing so that fifty share a request to the Data API.
  private static let timeout = 60
  /// How long a claim lasts, in seconds.
  private static let lease = 300
  /// How long what YouTube says is kept, and until it is asked again for what it does not describe; and the wait after a
  /// failure, up to twice as long, in seconds.
  private static let (kept, failureWait): (Int64, Int64) = (30 * 86_400, 6 * 3600)

  /// How long to wait after a failure of the database, in milliseconds.
  private static let databaseWait = 60_000

  /// Sends at most one request, and writes what is known to the logs of users; returns whether it sent one, and whether
  /// more may be due. Throws failures of the database.
  func run(isVerbose: Bool) throws -> (isSent: Bool, isMoreDue: Bool) {
    guard Clock.steady() >= rest else { return (false, false) }
    do {
      let isQueued = try tables.queueTitles(SharedTitles.maxOwners, wait: isOnce ? 0 : SharedTitles.wait)
      try deliver()
      let isSent = try lookups.map { try look(with: $0, isVerbose: isVerbose) } ?? look()
      if isSent { try deliver() }
      // A poller that goes on waits before its next request to oEmbed.
      return (isSent, isQueued || isSent && (isOnce || lookups != nil))
    } catch {
      rest = Clock.steady() + SharedTitles.databaseWait
      throw error
    }
  }

  // MARK: Requests

  /// Requests up to fifty titles from the Data API; returns whether a request was sent.
  private func look(with lookups: SharedLookups, isVerbose: Bool) throws -> Bool {
    guard try lookups.isReady else { return false }
    let ids = try tables.claimTitles(
      APIRequest.maximum, timeout: isOnce ? 0 : SharedTitles.timeout, for: SharedTitles.lease)
    guard !ids.isEmpty else { return false }
    let (facts, failure, wait) = try lookups.ask(.descriptions(ids), VideoResponse.descriptions)
    if let failure { StandardError.report(failure.message) }
    let now = tables.now
    guard let facts else {
      let wait = wait ?? SharedTitles.failureWait
      try tables.finish(ids.map { ($0, now.adding(seconds: .random(in: wait...wait * 2)), nil) })
      return true
    }
    let described = Dictionary(facts.map { ($0.video, $0) }) { first, _ in first }
    try tables.finish(ids.map { ($0, now.adding(seconds: SharedTitles.kept), described[$0]) })
    if isVerbose {
      StandardError.report("\(UserMessages.count(ids.count, "title")) looked up, \(described.count) found")
    }
    return true
  }

  /// Requests one title from oEmbed at the pace that pollers share; returns whether a request was sent.
  private func look() throws -> Bool {
    guard !state.isResting(at: Clock.now()), try tables.pause() == nil else { return false }
    guard let id = try tables.claimTitles(1, timeout: 0, for: SharedTitles.lease).first else { return false }
    guard try waitForTurn() else {
      try tables.finish([(id, tables.now, nil)])
      return false
    }
    let result = Result { try oEmbed.send(about: id, with: fetcher, until: nil) }
    let now = tables.now
    let failureEnd = now.adding(seconds: .random(in: SharedTitles.failureWait...SharedTitles.failureWait * 2))
    switch result {
    case .success(.described(let fact)): try tables.finish([(id, now.adding(seconds: SharedTitles.kept), fact)])
    case .success(.missing): try tables.finish([(id, now.adding(seconds: SharedTitles.kept), nil)])
    case .success(.failed(let seconds)):
      state.noteFailure(at: Clock.now(), retryAfter: seconds)
      try tables.finish([(id, failureEnd, nil)])
    case .success(.ended), .failure: try tables.finish([(id, failureEnd, nil)])
    }
    _ = try result.get()
    return true
  }

  /// Waits for a turn of the pace; returns false if requests pause or the process ends.
  private func waitForTurn() throws -> Bool {
    let pace = SharedPace(
      tables, rate: options.rate, until: tables.clock.milliseconds + SharedTitles.lease * 1000
    ).turns
    while true {
      switch try pace.next() {
      case .now: return !interrupt.isSignalled()
      case .wait(let milliseconds): if !interrupt.waits(milliseconds: milliseconds) { return false }
      case .paused, .over: return false
      }
    }
  }

  // MARK: Logs

  /// Writes what YouTube said to the logs of the users who lack it. A user whose log cannot be written is left alone for
  /// an hour.
  private func deliver() throws {
    for (owner, facts) in try tables.readyTitles() {
      var isKept = owner.name == nil
      StandardError.reportFailure {
        guard let name = owner.name else { return }
        _ = try log(name).keep(facts)
        isKept = true
      }
      if isKept {
        try tables.removeTitleRequests(of: owner.number, facts.map(\.video))
      } else {
        try tables.postponeTitleRequests(of: owner.number, seconds: 3600)
      }
    }
  }
}

extension PollTables {
  /// Looks through the logs of users that grew for titles to look up; returns whether there were any.
  func queueTitles(_ maximum: Int, wait: Int) throws -> Bool {
    try integer("SELECT queue_titles(?, ?)::integer", maximum, wait) == 1
  }

  /// Claims up to `maximum` titles that are due. Fewer only if one has been due for `timeout` seconds.
  func claimTitles(_ maximum: Int, timeout: Int, for seconds: Int) throws -> [VideoID] {
    try rows(
      "SELECT video FROM claim_title_lookups(unix_time(), ?, ?, ?, ?)", poller, maximum, timeout, seconds
    ) { VideoID(column: $0.int(0)) }
  }

  /// Keeps what YouTube says of claimed videos, if anything, and when to ask again.
  func finish(_ results: [(video: VideoID, due: Timestamp, response: VideoDescribed?)]) throws {
    let rows = results.map { result in
      var row = JSONLine()
      row.add("video", Int(result.video.column))
      row.add("due", Int(result.due.seconds))
      row.add("response", result.response.map { String(decoding: $0.columns.object, as: UTF8.self) })
      return row
    }
    try run("SELECT finish_title_lookups(?, ?::jsonb)", poller, PollRows.list(rows))
  }

  /// What is to be written to users' logs, of up to 500 videos; a user who was removed has no name.
  func readyTitles() throws -> [((number: Int64, name: String?), [VideoDescribed])] {
    let found = try rows(
      """
      SELECT r.owner, o.name, r.video, l.response FROM title_request AS r
        JOIN title_lookup AS l ON l.video = r.video JOIN owner AS o ON o.n = r.owner
      WHERE r.ready ORDER BY r.owner LIMIT 500
      """
    ) { row in
      (row.int(0), row.optionalText(1), VideoDescribed(VideoID(column: row.int(2)), columns: row.text(3)))
    }
    return Dictionary(grouping: found) { $0.0 }.sorted { $0.key < $1.key }.map { number, rows in
      ((number, rows[0].1), rows.map { $0.2 })
    }
  }

  /// Leaves the titles that a user's log lacks for later.
  func postponeTitleRequests(of owner: Int64, seconds: Int) throws {
    try run("UPDATE title_request SET ready = false WHERE owner = ? AND ready", owner)
    try run("UPDATE title_progress SET lines = -1, seen = unix_time() + ? WHERE owner = ?", seconds, owner)
  }

  /// Forgets that a user's log lacks titles.
  func removeTitleRequests(of owner: Int64, _ videos: [VideoID]) throws {
    try run(
      "DELETE FROM title_request WHERE owner = ? AND video = ANY(?::bigint[])", owner,
      Database.array(videos.map(\.column)))
  }
}

extension VideoDescribed {
  /// The columns of `described` as JSON.
  fileprivate var columns: JSONLine {
    var line = JSONLine()
    line.add("title", title)
    line.add("channel", channel.map { "\($0)" })
    line.add("channel_title", channelTitle)
    line.add("published", published.map { Int($0.seconds) })
    line.add("duration", duration)
    return line
  }

  fileprivate init(_ video: VideoID, columns text: String) {
    let columns = JSONValue(Array(text.utf8))
    self.init(
      video: video, title: columns?["title"]?.string,
      channel: columns?["channel"]?.string.flatMap { ChannelID($0) }, channelTitle: columns?["channel_title"]?.string,
      published: columns?["published"]?.number.map { Timestamp(seconds: Int64($0)) },
      duration: columns?["duration"]?.number.map { Int($0) }, source: VideoDescribed.youTube)
  }
}
