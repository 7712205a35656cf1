import Core
import Exporters
import ReadModel
import SQLDrivers

/// The polling state of a feed as a row of `poll_channel`.
extension FeedState {
  /// What `read` reads.
  package static let columns: SQL = """
    subscription, lease_until, requested, answered, last_answer, form, etag, last_modified, hub, topic, newest,
    interval_seconds, failures, failing_since, missing_form, missing_form_at, page_requested, page_missing_since, turn
    """

  /// The state in a row, the end of its claim, and in whose turn it is; nil if the subscription's ID is invalid.
  package static func read(_ row: Statement) -> (SubscriptionID, FeedState, end: Int64, turn: Int64)? {
    guard let id = SubscriptionID(row.text(0)) else { return nil }
    func time(_ column: Int) -> Timestamp? { row.optionalInt(column).map { Timestamp(seconds: $0) } }
    func form(_ column: Int) -> FeedForm? { row.optionalText(column).flatMap { FeedForm(rawValue: $0) } }
    var state = FeedState()
    (state.requested, state.answered, state.lastOutcome) = (time(2), time(3), row.optionalText(4))
    state.form = form(5)
    state.etag = CacheValidator.sendable(row.optionalText(6))
    state.lastModified = CacheValidator.sendable(row.optionalText(7))
    if let hub = row.optionalText(8), let topic = row.optionalText(9) {
      state.push = PushSource(hub: hub, topic: topic)
    }
    state.habit = time(10).map { PublishingInterval(newest: $0, interval: row.optionalInt(11)) }
    (state.failures, state.failingSince) = (Int(row.int(12)), time(13))
    if let form = form(14), let at = time(15) { state.missing = MissingForm(form: form, at: at) }
    state.page = time(16).map { PageProbeState(requested: $0, missingSince: time(17)) }
    return (id, state, row.int(1), row.int(18))
  }

  /// The row.
  package func columns(of id: SubscriptionID, due: Timestamp) -> JSONLine {
    var row = JSONLine()
    func add(_ name: String, _ time: Timestamp?) { row.add(name, time.map { Int($0.seconds) }) }
    // PostgreSQL stores no U+0000, which a feed's addresses or a server's text might have.
    func add(_ name: String, _ text: String?) { row.add(name, text?.filter { $0 != "\0" }) }
    row.add("subscription", id.description)
    add("due", due)
    add("requested", requested)
    add("answered", answered)
    add("last_answer", lastOutcome)
    row.add("form", form?.rawValue)
    add("etag", etag)
    add("last_modified", lastModified)
    add("hub", push?.hub)
    add("topic", push?.topic)
    add("newest", habit?.newest)
    row.add("interval_seconds", habit?.interval.map { Int($0) })
    row.add("failures", failures)
    add("failing_since", failingSince)
    row.add("missing_form", missing?.form.rawValue)
    add("missing_form_at", missing?.at)
    add("page_requested", page?.requested)
    add("page_missing_since", page?.missingSince)
    return row
  }
}

extension Backoff {
  /// The pause in a row of `poll_pause`: reason, since, retry, backoff.
  package static func read(_ row: Statement) -> Backoff? {
    guard let reason = StopReason(rawValue: row.text(0)) else { return nil }
    return Backoff(
      reason: reason, since: Timestamp(seconds: row.int(1)), retry: Timestamp(seconds: row.int(2)),
      backoff: row.int(3))
  }
}
