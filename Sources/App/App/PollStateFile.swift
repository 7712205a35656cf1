import Core
import EventLog
import Library
import Messages
import Platform
import ReadModel

/// The file of this machine's polling state.
package struct PollStateFile: PollStore {
  private let session: Session
  /// The state when the file was opened.
  private let state: State
  private let path: String
  /// Whether this device polled before, so that the file should exist.
  private let isExpected: Bool
  /// Whether any device polled before.
  private let isPolled: Bool
  private let requests: RequestJournal

  package init(_ session: Session) throws {
    self.session = session
    state = try session.state
    path = "\(session.home.pollState)/poll"
    requests = RequestJournal(session.home)
    let state = state
    isExpected = session.library.device.map { $0 == state.lastRun?.id.device } ?? false
    isPolled = state.lastRun != nil
  }

  /// The stored state; empty before the first poll. Reports an unreadable file, after which the next run is as careful
  /// as one after an outage.
  package func read(at now: Timestamp) -> PollState { withRequests(stored(at: now) ?? PollState()) }

  /// The stored state for a caller about to send requests. As careful as after an outage also if only other devices
  /// polled, because one of them may be this machine before it lost its state folder.
  package func readToAsk(at now: Timestamp) -> PollState {
    if let memory = stored(at: now) { return withRequests(memory) }
    guard isPolled else { return withRequests(PollState()) }
    StandardError.report("\(path): no record of earlier polls here; starting carefully, as after an outage")
    return withRequests(.lost(at: now))
  }

  /// The state with the requests of a poll that was killed after writing it.
  private func withRequests(_ memory: PollState) -> PollState {
    var memory = memory
    // Without them feeds are requested again at worst.
    StandardError.reportFailure { try Session.reporting { try requests.add(to: &memory) } }
    return memory
  }

  private func stored(at now: Timestamp) -> PollState? {
    do throws(LogError) {
      var memory = PollState()
      if try StateFile.read(path, { memory.take($0) }) {
        // A log without that run may lack what came with the validators too.
        if !state.runs.list.contains(where: { $0.id == memory.run }) { _ = memory.dropValidators() }
        return memory
      }
      guard isExpected else { return nil }
      StandardError.report("\(path): polling state is missing; the next poll starts carefully, as after an outage")
    } catch {
      let message = UserMessages.unreadable(error)
      StandardError.report("\(path): polling state \(message); the next poll starts carefully, as after an outage")
    }
    return .lost(at: now)
  }

  package func now() -> Timestamp { Clock.now() }
  package var sumsUpRuns: Bool { false }

  // If it cannot be noted, the write of the state will report why.
  package func noteRequest(for id: SubscriptionID, at time: Timestamp) { try? requests.note(id, at: time) }

  /// Replaces the stored state, keeping only current subscriptions.
  package func write(_ memory: PollState) throws(Failure) {
    // A handle that was looked up since this was opened is followed now. If the read model fails, which others report,
    // what was requested must be kept all the same: with the older subscriptions, and without a run, so that no
    // validators are sent.
    var memory = memory.following((try? session.state) ?? state)
    memory.run = (try? session.query { try $0.polls() })?.lastRun?.id
    do {
      try StateFile.write(path, memory.records)
      try requests.keep(memory)
    } catch { throw UserMessages.unkept(error) }
  }

  /// Forgets the cache validators, because the log lost lines that may have come with them.
  package func dropValidators() throws(Failure) {
    var memory = read(at: session.now)
    if memory.dropValidators() { try write(memory) }
  }
}

extension Session {
  /// The polling state as of now, for reports.
  package func pollState() throws -> PollState { try workspace.pollState(for: self) }

  /// When feeds are requested next, at the earliest; without those that fail or were never read.
  package func nextPolls(of ids: [SubscriptionID], _ memory: PollState) throws -> [SubscriptionID: Timestamp] {
    let well = ids.filter { memory.feeds[$0].map { $0.isWell && $0.respondedLast && !$0.isUnstored } ?? false }
    return try workspace.nextPolls(of: well, memory)
  }
}

/// Encoding of the polling state: one record per subscription and per pending name, plus one for an ongoing pause.
extension PollState {
  /// The records, sorted by subscription, then by name; those of feeds are built lazily.
  var records: some Collection<StateRecord> {
    var others: [StateRecord] = []
    for (name, memory) in names.sorted(by: { $0.key < $1.key }) {
      var record = StateRecord([("name", .text(name))])
      record.add("asked", memory.requested)
      record.add("lastAnswer", memory.lastOutcome)
      record.add("undecided", memory.isUndecided ? 1 : nil)
      others.append(record)
    }
    if let pause { others.append(pause.record) }
    if let run { others.append(StateRecord([("run", .text(run.description))])) }
    let parts = feeds.keys.sorted().map { Part.feed($0) } + others.map { Part.other($0) }
    return parts.lazy.map { part in
      switch part {
      case .feed(let id): (feeds[id] ?? FeedState()).record(of: id)
      case .other(let record): record
      }
    }
  }

  private enum Part {
    case feed(SubscriptionID)
    case other(StateRecord)
  }

  /// Applies one record; ignores unknown ones.
  mutating func take(_ record: StateRecord) {
    if let id = record.text("channel").flatMap({ SubscriptionID($0) }) {
      feeds[id] = FeedState(record)
    } else if let name = record.text("name"), let requested = record.time("asked") {
      names[name] = HandleState(
        requested: requested, lastOutcome: record.text("lastAnswer") ?? "", isUndecided: record.number("undecided") == 1
      )
    } else if let id = record.text("run").flatMap({ EventID($0) }) {
      run = id
    } else if let pause = Backoff(record) {
      self.pause = pause
    }
  }
}

extension FeedState {
  fileprivate func record(of id: SubscriptionID) -> StateRecord {
    var record = StateRecord([("channel", .text(id.description))])
    record.add("asked", requested)
    record.add("relayed", relayed)
    record.add("relayedSince", relayedSince)
    record.add("answered", answered)
    record.add("lastAnswer", lastOutcome)
    record.add("form", form?.rawValue)
    record.add("etag", etag)
    record.add("lastModified", lastModified)
    record.add("hub", push?.hub)
    record.add("topic", push?.topic)
    record.add("newest", habit?.newest)
    record.add("intervalSeconds", habit?.interval)
    record.add("failures", failures == 0 ? nil : Int64(failures))
    record.add("failingSince", failingSince)
    record.add("missingForm", missing?.form.rawValue)
    record.add("missingFormAt", missing?.at)
    record.add("pageAsked", page?.requested)
    record.add("pageMissingSince", page?.missingSince)
    return record
  }

  fileprivate init(_ record: StateRecord) {
    self.init()
    requested = record.time("asked")
    relayed = record.time("relayed")
    relayedSince = record.time("relayedSince")
    answered = record.time("answered")
    lastOutcome = record.text("lastAnswer")
    form = record.text("form").flatMap { FeedForm(rawValue: $0) }
    etag = CacheValidator.sendable(record.text("etag"))
    lastModified = CacheValidator.sendable(record.text("lastModified"))
    if let hub = record.text("hub"), let topic = record.text("topic") { push = PushSource(hub: hub, topic: topic) }
    habit = record.time("newest").map { PublishingInterval(newest: $0, interval: record.number("intervalSeconds")) }
    failures = Int(record.number("failures") ?? 0)
    failingSince = record.time("failingSince")
    if let form = record.text("missingForm").flatMap({ FeedForm(rawValue: $0) }), let at = record.time("missingFormAt")
    {
      missing = MissingForm(form: form, at: at)
    }
    page = record.time("pageAsked").map { PageProbeState(requested: $0, missingSince: record.time("pageMissingSince")) }
  }
}

extension Backoff {
  fileprivate var record: StateRecord {
    var record = StateRecord([("pause", .text(reason.rawValue))])
    record.add("since", since)
    record.add("retry", retry)
    record.add("backoffSeconds", backoff)
    return record
  }

  fileprivate init?(_ record: StateRecord) {
    guard let reason = record.text("pause").flatMap({ StopReason(rawValue: $0) }), let since = record.time("since"),
      let retry = record.time("retry")
    else { return nil }
    self.init(reason: reason, since: since, retry: retry, backoff: record.number("backoffSeconds") ?? Backoff.shortest)
  }
}
