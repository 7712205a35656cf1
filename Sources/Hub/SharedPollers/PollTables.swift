import App
import Core
import Exporters
import Platform
import ReadModel
import SQLDrivers

/// The tables by which pollers share their work, as one of them uses them; see `0003-polling.sql`.
///
/// Whatever is written here is committed at once.
package final class PollTables {
  private let database: Database
  private let name: String
  /// What the pollers with the same address have in common: the pace, and pauses because of a refusal.
  private let address: String
  /// This poller's number.
  private(set) var poller: Int64 = 0
  private(set) var clock: ServerClock

  /// Feeds that this poller has claimed.
  struct Claim {
    var feeds: [SubscriptionID: FeedState] = [:]
    /// Those of each user in whose turn they are.
    var users: [[SubscriptionID]] = []
    /// When requests for them must have been sent, in seconds of the server's clock.
    var end: Int64 = 0
  }

  /// The response to a reservation of requests.
  enum Reservation {
    /// The moment of the first one, in milliseconds of the server's clock.
    case first(Int)
    case paused(StopReason)
  }

  /// Registers a poller.
  package init(_ database: Database, name: String, address: String) throws {
    (self.database, self.address) = (database, address)
    self.name = name
    clock = ServerClock(0, since: 0)
    try register()
  }

  /// Gets a number, which no poller had before, and forgets pollers that were not seen for a week.
  private func register() throws {
    let steady = Clock.steady()
    poller = try Session.reporting {
      try database.run("DELETE FROM poller WHERE seen < unix_time() - 604800")
      return try database.inserted(
        "INSERT INTO poller(name, address, began, seen) VALUES (?, ?, unix_time(), unix_time()) RETURNING n", name,
        address)
    }
    clock = ServerClock(Int(try integer("SELECT unix_milliseconds()") ?? 0), since: steady)
  }

  /// The current time by the server's clock.
  var now: Timestamp { Timestamp(seconds: Int64(clock.milliseconds / 1000)) }

  /// Sets the clock, and says that this poller is there.
  func lookAtClock() throws {
    let steady = Clock.steady()
    let time = try integer("UPDATE poller SET seen = unix_time() WHERE n = ? RETURNING unix_milliseconds()", poller)
    // Suspended for a week, it is another one.
    guard let time else { return try register() }
    clock = ServerClock(Int(time), since: steady)
  }

  /// Deletes some rows of what removed users left: see `clear_removed` of the migrations.
  func clearRemoved() throws { _ = try integer("SELECT clear_removed(2000)") }

  // MARK: Statements

  /// The integer that a statement returns; nil if it returns NULL or nothing.
  func integer<each Parameter: Bindable>(_ sql: SQL, _ parameter: repeat each Parameter) throws -> Int64? {
    try Session.reporting { try database.integer(sql, repeat each parameter) }
  }

  /// Runs a statement.
  func run<each Parameter: Bindable>(_ sql: SQL, _ parameter: repeat each Parameter) throws {
    try Session.reporting { try database.run(sql, repeat each parameter) }
  }

  /// The results of `body` for the rows that a statement returns.
  func rows<Value, each Parameter: Bindable>(
    _ sql: SQL, _ parameter: repeat each Parameter, body: (Statement) -> Value?
  ) throws -> [Value] {
    var values: [Value] = []
    try Session.reporting {
      try database.forEach(sql, repeat each parameter) { (row) throws(DatabaseError) in
        if let value = body(row) { values.append(value) }
      }
    }
    return values
  }
}

// MARK: Feeds

extension PollTables {
  /// Claims up to `maximum` feeds that are due, for requests within this many seconds.
  func claim(_ maximum: Int, for seconds: Int) throws -> Claim {
    try PollTables.claim(
      rows(
        "SELECT \(FeedState.columns) FROM claim_channels(unix_time(), ?, ?, ?, ?)", poller, address, maximum, seconds,
        body: FeedState.read))
  }

  /// Claims up to `maximum` feeds that are well and not due.
  func claimCanaries(_ maximum: Int, for seconds: Int) throws -> Claim {
    try PollTables.claim(
      rows(
        "SELECT \(FeedState.columns) FROM claim_canaries(unix_time(), ?, ?, ?)", poller, maximum, seconds,
        body: FeedState.read))
  }

  private static func claim(_ rows: [(SubscriptionID, FeedState, end: Int64, turn: Int64)]) -> Claim {
    let users = Dictionary(grouping: rows, by: \.turn).sorted { $0.key < $1.key }
    return Claim(
      feeds: Dictionary(rows.map { ($0.0, $0.1) }) { $1 }, users: users.map { $0.value.map(\.0) },
      end: rows.map(\.end).min() ?? 0)
  }

  /// Adds the polling state of a folder to a database without pollers. A pause holds for all of them, because the address
  /// that the folder's requests left from has no name.
  package static func add(_ memory: PollState, to database: Database, now: Timestamp) throws {
    if let pause = memory.pause {
      try database.run(
        "SELECT pause_polling('', ?, ?, ?, ?)", pause.reason.rawValue, pause.since.seconds, pause.retry.seconds,
        pause.backoff)
    }
    for (id, state) in memory.feeds.sorted(by: { $0.key < $1.key }) {
      let last = state.lastRequest(at: now)
      let due = last?.adding(seconds: max(state.gap(at: now), PollPlan.floor)) ?? now
      var columns = state.columns(of: id, due: due)
      columns.add("turn", 0)
      let row = String(decoding: columns.object, as: UTF8.self)
      try database.run(
        "INSERT INTO poll_channel SELECT * FROM jsonb_populate_record(NULL::poll_channel, ?::jsonb)", row)
    }
  }

  /// Gives up claimed feeds without followers; returns these.
  func drop(_ ids: some Sequence<SubscriptionID>) throws -> [SubscriptionID] {
    try rows(
      "SELECT * FROM drop_channels(?, ARRAY(SELECT jsonb_array_elements_text(?::jsonb)))", poller,
      PollRows.list(ids)
    ) { SubscriptionID($0.text(0)) }
  }

  /// Which of these feeds somebody follows, and the kind of feed that all of them want; nil for the usual one.
  func followed(_ ids: some Sequence<SubscriptionID>) throws -> [SubscriptionID: FeedForm?] {
    let found = try rows(
      "SELECT subscription, form FROM followed_channels(ARRAY(SELECT jsonb_array_elements_text(?::jsonb)))",
      PollRows.list(ids)
    ) { row in SubscriptionID(row.text(0)).map { ($0, row.optionalText(1).flatMap { FeedForm(rawValue: $0) }) } }
    return Dictionary(found) { $1 }
  }

  /// Whether most of the healthy feeds that anybody requested in the last 15 minutes responded: what fails now does not
  /// fail because YouTube's feeds do.
  func hasControl() throws -> Bool {
    try integer(
      """
      SELECT (count(*) FILTER (WHERE answered >= requested) * 2 > count(*))::integer FROM (
        SELECT requested, answered FROM poll_channel
        WHERE requested > unix_time() - 900 AND answered IS NOT NULL AND failures = 0
        ORDER BY requested DESC LIMIT 100) AS latest
      """) == 1
  }

  /// Until when the news of feeds is announced, of those whose news is.
  func pushed(_ ids: some Sequence<SubscriptionID>) throws -> [SubscriptionID: Timestamp] {
    let found = try rows(
      "SELECT subscription, until FROM pushed_channels(ARRAY(SELECT jsonb_array_elements_text(?::jsonb)))",
      PollRows.list(ids)
    ) { row in SubscriptionID(row.text(0)).map { ($0, Timestamp(seconds: row.int(1))) } }
    return Dictionary(found) { $1 }
  }

  /// Keeps what became of claimed feeds: their state, and when they are due again.
  func finish(_ results: [(id: SubscriptionID, state: FeedState, due: Timestamp)]) throws {
    guard !results.isEmpty else { return }
    let list = PollRows.list(results.map { $0.state.columns(of: $0.id, due: $0.due) })
    try run("SELECT finish_channels(?, ?::jsonb)", poller, list)
  }

  /// Releases claims whose requests were not sent, and will not be.
  func release(_ ids: some Collection<SubscriptionID>) throws {
    guard !ids.isEmpty else { return }
    try run(
      "SELECT release_channels(?, ARRAY(SELECT jsonb_array_elements_text(?::jsonb)))", poller, PollRows.list(ids))
  }

}

// MARK: Pace and pauses

extension PollTables {
  /// Reserves moments for requests, `gap` milliseconds apart, unless they are paused; sets the clock, and says that this
  /// poller works.
  func reserve(_ count: Int, gap: Int) throws -> Reservation {
    let steady = Clock.steady()
    var found: Reservation?
    try Session.reporting {
      found = try database.first(
        """
        SELECT at, why, CASE WHEN why IS NULL THEN take_slots(?2, at, ?3, ?4) END, see_poller(?1)
        FROM unix_milliseconds() AS at, LATERAL (SELECT why_paused(at / 1000, ?1, ?2)) AS pause(why)
        """, poller, address, count, gap
      ) { row in
        clock = ServerClock(Int(row.int(0)), since: steady)
        if let why = row.optionalText(1) { return .paused(StopReason(rawValue: why) ?? .outage) }
        return .first(Int(row.int(2)))
      }
    }
    return found ?? .paused(.outage)
  }

  /// The pause of this poller's address, or of all; nil without one.
  func pause() throws -> Backoff? {
    try rows(
      """
      SELECT reason, since, retry, backoff FROM poll_pause WHERE address IN ('', ?)
      ORDER BY retry DESC LIMIT 1
      """, address, body: Backoff.read
    ).first
  }

  /// How long requests that fail to leave are not repeated, in seconds: the network may return at any time.
  private static let offlineWait: Int64 = 60

  /// Begins a pause: of all pollers in an outage, else of those with this address.
  func begin(_ pause: Backoff) throws {
    let isOffline = pause.reason == .offline
    let retry = isOffline ? pause.retry.adding(seconds: PollTables.offlineWait) : pause.retry
    try run(
      "SELECT pause_polling(?, ?, ?, ?, ?)", pause.reason == .outage ? "" : address, pause.reason.rawValue,
      pause.since, retry, pause.backoff)
  }

  /// Ends the pauses whose end this poller was to find out.
  func resume() throws { try run("SELECT resume_polling(?)", poller) }

  /// Leaves it to others to find out whether pauses are over, and says that this poller works no longer.
  func leave() throws {
    try run("UPDATE poll_pause SET poller = NULL, probe_until = NULL WHERE poller = ?", poller)
    try run("UPDATE poller SET seen = unix_time(), ended = true WHERE n = ?", poller)
  }
}

// MARK: Names

extension PollTables {
  /// Claims up to `maximum` names that are due.
  func claimNames(_ maximum: Int, for seconds: Int) throws -> [String] {
    try rows("SELECT name FROM claim_names(unix_time(), ?, ?, ?, ?)", poller, address, maximum, seconds) { $0.text(0) }
  }

  /// Gives up claimed names without followers; returns these.
  func dropNames(_ names: [String]) throws -> [String] {
    try rows(
      "SELECT * FROM drop_names(?, ARRAY(SELECT jsonb_array_elements_text(?::jsonb)))", poller, PollRows.list(names)
    ) { $0.text(0) }
  }

  /// Keeps what became of a claimed name, and when it is due again: nil if it was resolved.
  func finish(_ name: String, _ state: HandleState?, due: Timestamp?) throws {
    var result = JSONLine()
    result.add("name", name)
    result.add("due", due.map { Int($0.seconds) })
    result.add("requested", state.map { Int($0.requested.seconds) })
    result.add("last_answer", state?.lastOutcome)
    result.add("undecided", state?.isUndecided ?? false)
    try run("SELECT finish_names(?, ?::jsonb)", poller, PollRows.list([result]))
  }

  /// The users who follow a name.
  func followers(of name: String) throws -> [String] {
    try rows(
      "SELECT name FROM wanted JOIN owner ON n = owner WHERE subject = ? AND followed AND name IS NOT NULL ORDER BY n",
      name
    ) { $0.optionalText(0) }
  }
}

// MARK: Runs

extension PollTables {
  /// How long runs are summed up before they are logged, in seconds.
  private static let runLength: Int64 = 900

  /// Adds a run to the sum.
  func add(_ run: RunFinished) throws {
    try self.run(
      "SELECT add_run(unix_time(), ?, ?, ?, ?, ?, ?, ?)", run.checked, run.failed, run.new, run.changed, run.gaps,
      run.milliseconds, run.bytes)
  }

  /// Whether the sum is to be logged now.
  func hasRun() throws -> Bool {
    try integer("SELECT 1 FROM poll_run WHERE began <= unix_time() - ?", PollTables.runLength) == 1
  }

  /// Takes the sum; nil if another poller did. `last` has why it is logged before its time.
  func takeRun(_ last: RunFinished) throws -> RunFinished? {
    let length = last.stopped == nil ? PollTables.runLength : 0
    return try rows(
      """
      DELETE FROM poll_run WHERE began <= unix_time() - ?
      RETURNING checked, failed, new, changed, gaps, milliseconds, bytes
      """, length
    ) { row in
      let counts = (0...6).map { Int(row.int($0)) }
      return RunFinished(
        checked: counts[0], notDue: 0, failed: counts[1], new: counts[2], changed: counts[3], gaps: counts[4],
        outage: last.outage, stopped: last.stopped, milliseconds: counts[5], bytes: counts[6], failing: [],
        recovered: [], unrequested: last.unrequested)
    }.first
  }
}
