import Core
import EventLog
import Messages
import Platform
import WebPolling

/// The file of this machine's polling state of feeds of any site, `state/webpoll`, for the owner alone: it may contain
/// addresses with passwords in them.
///
/// A file of its own, because programs that do not know these feeds replace the file of the others whole. It has the same form;
/// records of kinds that a later program adds are kept.
package struct WebPollStateFile {
  private let path: String

  package init(_ home: Home) { path = "\(home.pollState)/webpoll" }

  /// What the file contains.
  package struct Content: Equatable, Sendable {
    package var memory: WebPollState
    /// The last run in the log when the state was stored.
    package var run: EventID?
    /// Records of kinds that this program does not know.
    package var unknown: [StateRecord] = []

    package init(memory: WebPollState, run: EventID?) { (self.memory, self.run) = (memory, run) }
  }

  /// The stored state; empty without a file. Reports an unreadable file, which counts as absent: whole feeds are requested
  /// then, and nothing is found twice, because the log knows the entries.
  ///
  /// - Parameter isInLog: whether the log has a run. Without the run that was its last, it may also lack the entries that
  ///   came with the validators, which are dropped then.
  package func read(isInLog: (EventID) -> Bool) -> Content {
    var content = Content(memory: WebPollState(), run: nil)
    do throws(LogError) {
      guard try StateFile.read(path, { content.take($0) }) else { return content }
    } catch {
      StandardError.report("\(path): polling state \(UserMessages.unreadable(error)); feeds are requested whole")
      return Content(memory: WebPollState(), run: nil)
    }
    if !(content.run.map(isInLog) ?? false) { _ = content.memory.dropValidators() }
    return content
  }

  /// Forgets all validators, so that whole feeds are requested: the log may lack entries that came with them.
  package func dropValidators() throws(Failure) {
    var content = read { _ in true }
    if content.memory.dropValidators() { try write(content) }
  }

  /// Replaces the stored state.
  package func write(_ content: Content) throws(Failure) {
    do { try StateFile.write(path, content.records) } catch { throw UserMessages.unkept(error) }
  }
}

extension Session {
  /// The polling state of feeds of other sites, of a session of files.
  package func webPollState() throws -> WebPollStateFile.Content {
    let runs = try state.runs.list
    return WebPollStateFile(home).read { run in runs.contains { $0.id == run } }
  }
}

/// One record for each feed, `{"v":1,"feed":"f…",…}`, and one for each host that is left alone.
extension WebPollStateFile.Content {
  /// The records, in the order of their IDs and names.
  var records: [StateRecord] {
    var records = memory.feeds.sorted { $0.key < $1.key }.map { $0.value.record(of: $0.key) }
    records += memory.hosts.sorted { $0.key < $1.key }.compactMap { $0.value.record(of: $0.key) }
    if let run { records.append(StateRecord([("run", .text(run.description))])) }
    return records + unknown
  }

  /// Applies one record; keeps unknown ones.
  mutating func take(_ record: StateRecord) {
    if let feed = record.text("feed") {
      memory.feeds[PolledFeedID(feed)] = WebFeedState(record)
    } else if let host = record.text("host"), let state = HostState(record) {
      memory.hosts[host] = state
    } else if let id = record.text("run").flatMap({ EventID($0) }) {
      run = id
    } else {
      unknown.append(record)
    }
  }
}

extension WebFeedState {
  fileprivate func record(of id: PolledFeedID) -> StateRecord {
    var record = StateRecord([("feed", .text(id.text))])
    record.add("urlHash", url.map { String(hex: $0, digits: 16) })
    record.add("requested", requested)
    record.add("unstored", isUnstored ? 1 : nil)
    record.add("answered", answered)
    record.add("lastOutcome", lastOutcome)
    record.add("etag", etag)
    record.add("lastModified", lastModified)
    record.add("whole", whole)
    record.add("digest", digest.map { String(hex: $0, digits: 16) })
    record.add("bytes", bytes.map { Int64($0) })
    record.add("falseValidators", hasFalseValidators ? 1 : nil)
    record.add("newest", habit?.newest)
    record.add("intervalSeconds", habit?.interval)
    record.add("freshSeconds", freshFor)
    record.add("failures", failures == 0 ? nil : Int64(failures))
    record.add("failingSince", failingSince)
    record.add("trouble", trouble?.rawValue)
    addMove(to: &record)
    return record
  }

  private func addMove(to record: inout StateRecord) {
    if let move {
      record.add("moveTarget", move.target.text)
      record.add("moveSource", move.source.rawValue)
      record.add("moveCount", Int64(move.count))
      record.add("moveFirst", move.first)
      record.add("moveLast", move.last)
      record.add("moveSame", move.isSame ? 1 : nil)
    }
    record.add("fallback", fallback?.url.text)
    record.add("fallbackUntil", fallback?.until)
    record.add("rejected", rejected?.url.text)
    record.add("rejectedUntil", rejected?.until)
  }

  fileprivate init(_ record: StateRecord) {
    self.init()
    url = record.hash("urlHash")
    requested = record.time("requested")
    isUnstored = record.number("unstored") == 1
    answered = record.time("answered")
    lastOutcome = record.text("lastOutcome")
    etag = CacheValidator.sendable(record.text("etag"))
    lastModified = CacheValidator.sendable(record.text("lastModified"))
    whole = record.time("whole")
    digest = record.hash("digest")
    bytes = record.number("bytes").map { Int(clamping: $0) }
    hasFalseValidators = record.number("falseValidators") == 1
    habit = record.time("newest").map { PublishingInterval(newest: $0, interval: record.number("intervalSeconds")) }
    freshFor = record.number("freshSeconds")
    failures = Int(clamping: max(0, record.number("failures") ?? 0))
    failingSince = record.time("failingSince")
    trouble = record.text("trouble").flatMap { FeedTrouble(rawValue: $0) }
    move = MoveEvidence(record)
    fallback = record.address("fallback")
    rejected = record.address("rejected")
  }
}

extension MoveEvidence {
  fileprivate init?(_ record: StateRecord) {
    guard let target = record.text("moveTarget").flatMap({ WebURL($0) }),
      let source = record.text("moveSource").flatMap({ Source(rawValue: $0) }),
      let count = record.number("moveCount"), let first = record.time("moveFirst"), let last = record.time("moveLast")
    else { return nil }
    self.init(
      target: target, source: source, count: Int(clamping: count), first: first, last: last,
      isSame: record.number("moveSame") == 1)
  }
}

extension HostState {
  /// The record of a host; nil if nothing is to be remembered of it.
  fileprivate func record(of host: String) -> StateRecord? {
    guard let pause else { return nil }
    var record = StateRecord([("host", .text(host)), ("pause", .text(pause.reason.rawValue))])
    record.add("since", pause.since)
    record.add("retry", pause.retry)
    record.add("backoffSeconds", pause.backoff)
    return record
  }

  fileprivate init?(_ record: StateRecord) {
    guard let reason = record.text("pause").flatMap({ StopReason(rawValue: $0) }), let since = record.time("since"),
      let retry = record.time("retry")
    else { return nil }
    self.init()
    pause = Backoff(reason: reason, since: since, retry: retry, backoff: record.number("backoffSeconds") ?? 0)
  }
}

extension StateRecord {
  /// A hash in hexadecimal; nil if absent or malformed.
  fileprivate func hash(_ name: String) -> UInt64? { text(name).flatMap { UInt64($0, radix: 16) } }

  /// An address with its end; nil if either is absent or malformed.
  fileprivate func address(_ name: String) -> DatedAddress? {
    guard let url = text(name).flatMap({ WebURL($0) }), let until = time(name + "Until") else { return nil }
    return DatedAddress(url: url, until: until)
  }
}
