import Core
import EventLog

/// How what a machine learnt by asking is written: a line for each subscription, one for an outage that goes on.
extension PollMemory {
  /// The records, in the order of the subscriptions.
  var records: [StateRecord] {
    var records = feeds.sorted { $0.key < $1.key }.map { id, feed in feed.record(of: id) }
    if let outage { records.append(outage.record) }
    return records
  }

  /// Takes what one record says; a record that is not understood says nothing.
  mutating func take(_ record: StateRecord) {
    if let id = record.text("channel").flatMap({ SubscriptionID($0) }) {
      feeds[id] = FeedMemory(record)
    } else if let since = record.time("outageSince"), let retry = record.time("retry") {
      outage = OutageMemory(since: since, retry: retry, backoff: Int64(record.number("backoffSeconds") ?? 0))
    }
  }
}

extension FeedMemory {
  fileprivate func record(of id: SubscriptionID) -> StateRecord {
    var members: [(name: String, value: StateRecord.Value)] = [("channel", .text(id.description))]
    let times = [("asked", asked), ("answered", answered), ("failingSince", failingSince)]
    members += times.compactMap { name, time in time.map { (name, .text($0.rfc3339)) } }
    let texts = [("etag", etag), ("lastModified", lastModified), ("lastAnswer", lastAnswer)]
    members += texts.compactMap { name, text in text.map { (name, .text($0)) } }
    if failures > 0 { members.append(("failures", .number(failures))) }
    return StateRecord(members)
  }

  fileprivate init(_ record: StateRecord) {
    self.init()
    asked = record.time("asked")
    answered = record.time("answered")
    failingSince = record.time("failingSince")
    etag = record.text("etag")
    lastModified = record.text("lastModified")
    lastAnswer = record.text("lastAnswer")
    failures = record.number("failures") ?? 0
  }
}

extension OutageMemory {
  fileprivate var record: StateRecord {
    StateRecord([
      ("outageSince", .text(since.rfc3339)), ("retry", .text(retry.rfc3339)),
      ("backoffSeconds", .number(Int(backoff))),
    ])
  }
}

extension StateRecord {
  fileprivate func text(_ name: String) -> String? {
    if case .text(let text) = self[name] { text } else { nil }
  }

  fileprivate func number(_ name: String) -> Int? {
    if case .number(let number) = self[name] { number } else { nil }
  }

  fileprivate func time(_ name: String) -> Timestamp? { text(name).flatMap { Timestamp(rfc3339: $0) } }
}
