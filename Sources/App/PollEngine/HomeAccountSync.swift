import App
import Core
import EventLog
import Messages
import Platform

/// The daily synchronisation of a home with the Google account that this machine is logged in to.
package struct HomeAccountSync {
  private let session: Session
  /// What is known of the account.
  package private(set) var memory: AccountMemory
  /// When the next one is due.
  private var due: Timestamp?
  private var failures: Int

  /// Reads what is kept of the account; a file that cannot be read counts as absent.
  package init(_ session: Session) {
    self.session = session
    let record = (try? StateFile.read(HomeAccountSync.path(in: session.home)))?.first
    var json: [UInt8] = []
    if case .text(let text) = record?["memory"] { json = Array(text.utf8) }
    memory = AccountMemory(json: json)
    if case .text(let text) = record?["due"] { due = Timestamp(rfc3339: text) }
    if case .number(let number) = record?["failures"] { failures = number } else { failures = 0 }
  }

  private static func path(in home: Home) -> String { "\(home.state)/google-sync" }

  /// Synchronises now. Throws a `Failure` if the list cannot be fetched: nothing is changed then.
  package mutating func run() throws {
    let listing: AccountListing
    do {
      let own = memory.own
      listing = try GoogleSubscriptions(session).listing { try AccountListing.read($0, knowing: own) }
    } catch {
      failures += 1
      due = session.now.adding(seconds: AccountSync.wait(after: failures))
      memory.last = AccountMemory.Report(at: session.now, failure: (error as? Failure)?.message ?? "\(error)")
      try? store()
      throw error
    }
    try AccountSync(session).run(listing, &memory)
    failures = 0
    due = session.now.adding(seconds: AccountSync.interval)
    try store()
  }

  /// Replies to the question that the last one left.
  package mutating func reply(_ isYes: Bool) throws {
    try AccountSync(session).reply(isYes, &memory)
    try store()
  }

  private func store() throws {
    var members: [(name: String, value: StateRecord.Value)] = [
      ("memory", .text(String(decoding: memory.json, as: UTF8.self))), ("failures", .number(failures)),
    ]
    if let due { members.append(("due", .text(due.rfc3339))) }
    do { try StateFile.write(HomeAccountSync.path(in: session.home), [StateRecord(members)]) } catch {
      throw UserMessages.failure(error)
    }
  }

  /// Synchronises if `METUBE_RSS_GOOGLE_SYNC` says so, this machine is logged in, and the last one was a day ago. What
  /// is wrong is reported, and changes no poll's status.
  package static func runIfDue(_ session: Session) {
    StandardError.reportFailure {
      guard try session.settings.synchronisesAccount(), GoogleAccount.isKnown(in: session.home) else { return }
      var sync = HomeAccountSync(session)
      guard sync.due.map({ $0 <= session.now }) ?? true else { return }
      try sync.run()
      if let text = sync.news { StandardError.report(text) }
    }
  }

  /// What the last one did, and the question that it left; nil if nothing happened.
  private var news: String? {
    let did = memory.last.flatMap { $0.followed + $0.unfollowed > 0 ? UserMessages.report($0) : nil }
    let question = memory.question.map {
      "\(UserMessages.doubt($0)); nothing was unfollowed: run metube-rss import google --unfollow"
    }
    let all = [did, question].compactMap(\.self)
    return all.isEmpty ? nil : "google: " + all.joined(separator: "; ")
  }
}

extension AccountSync {
  /// The time between two synchronisations, seconds.
  package static let interval: Int64 = 86_400

  /// How long to wait after so many failures in a row, seconds: an hour, doubled up to a day.
  package static func wait(after failures: Int) -> Int64 { min(interval, 3600 << Int64(min(max(failures, 1), 6) - 1)) }
}

extension Settings {
  /// Whether polls synchronise the subscriptions of the Google account once a day. Throws if the setting is neither.
  fileprivate func synchronisesAccount() throws -> Bool {
    switch self["GOOGLE_SYNC"] ?? "no" {
    case "yes": true
    case "no": false
    case let other: throw AppError.setting("METUBE_RSS_GOOGLE_SYNC", value: other, choices: ["yes", "no"])
    }
  }
}
