import Core
import JSON

/// What is kept of an account between two synchronisations, beside the log. If it is lost, the next one begins anew: what
/// the account brought is known from the log.
package struct AccountMemory: Equatable, Sendable {
  /// Unfollowing that waits for a yes.
  package struct Question: Equatable, Sendable {
    package var doubt: AccountPlan.Doubt
    /// The channels that would be unfollowed.
    package var channels: [ChannelID]
    /// How many channels the list had, and how many of the followed ones the account brought.
    package var listed: Int
    package var brought: Int
    /// How many the list lacked of what YouTube said there are.
    package var missing: Int
  }

  /// What the last synchronisation did, or why it failed.
  package struct Report: Equatable, Sendable {
    package var time: Timestamp
    /// How many channels were read.
    package var read = 0
    package var followed = 0
    package var unfollowed = 0
    /// New subscriptions beyond the limit of the hub.
    package var beyondLimit = 0
    /// Of its events, for undo; nil if nothing changed.
    package var action: EventID?
    /// Why it failed; nil if it did not.
    package var failure: String?

    package init(at time: Timestamp, failure: String? = nil) { (self.time, self.failure) = (time, failure) }
  }

  /// The account's own channel.
  package var own: ChannelID?
  /// The own channel for which a rule was made.
  package var hidden: ChannelID?
  /// The channels that the account was seen to follow; nil before the first synchronisation.
  package var listed: Set<ChannelID>?
  /// How many channels a list may lack of what YouTube says there are: as many as the person once accepted.
  package var tolerated = 0
  package var question: Question?
  package var last: Report?

  package init() {}
}

// MARK: Encoding

extension AccountMemory {
  /// One JSON object.
  package var json: [UInt8] {
    var members: [JSONValue.Member] = []
    func add(_ name: String, _ value: JSONValue?) { if let value { members.append(.init(name: name, value: value)) } }
    add("own", own.map { .string($0.description) })
    add("hidden", hidden.map { .string($0.description) })
    add("listed", listed.map { .array($0.sorted().map { .string($0.description) }) })
    add("tolerated", .number(Double(tolerated)))
    add("question", question?.json)
    add("last", last?.json)
    return JSONValue.object(members).bytes
  }

  /// Reads what `json` wrote; what is malformed counts as absent.
  package init(json bytes: [UInt8]) {
    let value = JSONValue(bytes)
    own = value?["own"]?.string.flatMap { ChannelID($0) }
    hidden = value?["hidden"]?.string.flatMap { ChannelID($0) }
    listed = value?["listed"]?.elements.map { Set($0.compactMap { $0.string.flatMap { ChannelID($0) } }) }
    tolerated = (value?["tolerated"]).count
    question = value?["question"].flatMap(Question.init)
    last = value?["last"].flatMap(Report.init)
  }
}

extension Optional<JSONValue> {
  /// A count; 0 if it is anything else.
  fileprivate var count: Int { self?.number.flatMap { Int(exactly: $0) } ?? 0 }
}

extension AccountMemory.Question {
  fileprivate var json: JSONValue {
    [
      "doubt": .string(doubt.rawValue), "channels": .array(channels.map { .string($0.description) }),
      "listed": .number(Double(listed)), "brought": .number(Double(brought)), "missing": .number(Double(missing)),
    ]
  }

  fileprivate init?(_ value: JSONValue) {
    guard let doubt = value["doubt"]?.string.flatMap({ AccountPlan.Doubt(rawValue: $0) }) else { return nil }
    let channels = (value["channels"]?.elements ?? []).compactMap { $0.string.flatMap { ChannelID($0) } }
    self.init(
      doubt: doubt, channels: channels, listed: value["listed"].count, brought: value["brought"].count,
      missing: value["missing"].count)
  }
}

extension AccountMemory.Report {
  fileprivate var json: JSONValue {
    [
      "time": .string(time.rfc3339), "read": .number(Double(read)), "followed": .number(Double(followed)),
      "unfollowed": .number(Double(unfollowed)), "beyondLimit": .number(Double(beyondLimit)),
      "action": action.map { .string($0.description) } ?? .null, "failure": failure.map { .string($0) } ?? .null,
    ]
  }

  fileprivate init?(_ value: JSONValue) {
    guard let time = value["time"]?.string.flatMap({ Timestamp(rfc3339: $0) }) else { return nil }
    self.init(at: time, failure: value["failure"]?.string)
    (read, followed, unfollowed) = (value["read"].count, value["followed"].count, value["unfollowed"].count)
    beyondLimit = value["beyondLimit"].count
    action = value["action"]?.string.flatMap { EventID($0) }
  }
}
