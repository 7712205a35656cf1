import App
import Core
import EventLog
import HubPage
import Messages
import Terminal

/// What an action did, as a person says it: `Watched: How gears work`, `Saved: 12 videos`, `Followed: NASA`.
struct ActionText {
  private let session: Session
  private let state: State

  init(_ session: Session) throws {
    self.session = session
    state = try session.state
  }

  /// One effect of an action: the same verb for all of its subjects.
  private struct Effect {
    var verb: String
    /// What its subjects are: `video`.
    var noun: String
    var subjects: [EventBody]
  }

  /// The events of an action as text.
  func text(_ events: [Event]) throws -> String {
    var effects: [Effect] = []
    for event in events {
      guard let (verb, noun) = verb(event.body) else { continue }
      if let index = effects.firstIndex(where: { $0.verb == verb }) {
        effects[index].subjects.append(event.body)
      } else {
        effects.append(Effect(verb: verb, noun: noun, subjects: [event.body]))
      }
    }
    guard !effects.isEmpty else { return UserMessages.count(events.count, "change") }
    if let joined = try ofOneSubject(effects) { return joined }
    let shown = try effects.prefix(ActionText.maxEffects).map(text)
    let rest = effects.dropFirst(ActionText.maxEffects).reduce(0) { $0 + $1.subjects.count }
    return (shown + (rest > 0 ? ["\(rest) more"] : [])).joined(separator: "; ")
  }

  private static let maxEffects = 3

  /// Several effects on one subject: `Saved, added to Trains: How gears work`; nil of other effects.
  private func ofOneSubject(_ effects: [Effect]) throws -> String? {
    guard (2...ActionText.maxEffects).contains(effects.count), effects.allSatisfy({ $0.subjects.count == 1 }) else {
      return nil
    }
    let names = Set(try effects.map { try name(of: $0.subjects[0]) })
    guard names.count == 1, let name = names.first, !name.isEmpty else { return nil }
    let verbs = effects.enumerated().map { $0.offset == 0 ? $0.element.verb : $0.element.verb.lowercasedFirst }
    return "\(verbs.joined(separator: ", ")): \(name)"
  }

  private func text(of effect: Effect) throws -> String {
    guard effect.subjects.count == 1, let subject = effect.subjects.first else {
      return "\(effect.verb): \(UserMessages.count(effect.subjects.count, effect.noun))"
    }
    let named = try name(of: subject)
    return named.isEmpty ? effect.verb : "\(effect.verb): \(named)"
  }

  /// What an event did, and to what; nil for what is no decision of a user.
  private func verb(_ body: EventBody) -> (verb: String, noun: String)? {
    switch body {
    case .statusSet(let set): (status(set), "video")
    case .savedSet(let set): (set.saved ? "Saved" : "Removed from saved", "video")
    case .progressSet(let set): (set.seconds == 0 ? "Position removed" : "Position kept", "video")
    case .noteSet(let set): (set.text.isEmpty ? "Note removed" : "Note kept", "video")
    case .collectionSet(let set):
      ("\(set.member ? "Added to" : "Removed from") \(DisplayText(set.collection).text)", "video")
    case .collectionChanged(let change):
      ("Collection \(change.kept == nil ? "described" : change.kept == true ? "made" : "removed")", "collection")
    case .channelFollowed, .handleFollowed: ("Followed", "channel")
    case .channelUnfollowed, .handleUnfollowed: ("Unfollowed", "channel")
    case .channelChanged: ("Changed", "channel")
    case .ruleSet: ("Rule added", "rule")
    case .ruleRemoved: ("Rule removed", "rule")
    case .preferenceSet: ("Preference changed", "preference")
    default: nil
    }
  }

  private func status(_ set: StatusSet) -> String {
    switch set.status {
    case .watched: "Watched"
    case .skipped: "Skipped"
    case .snoozed: "Snoozed" + (set.until.map { " until \(session.local.moment($0))" } ?? "")
    case .new: "New again"
    }
  }

  /// What a single event was about, with what it set.
  private func name(of body: EventBody) throws -> String {
    switch body {
    case .channelChanged(let change):
      return try UserMessages.outcome(body, in: session) ?? change.subscription.description
    case .ruleSet(let rule): return RuleText(rule, in: state).sentence.lowercasedFirst
    case .ruleRemoved: return ""
    case .preferenceSet(let set): return UserMessages.choice(set)
    default: return try UserMessages.subject(body, in: session)
    }
  }
}

extension String {
  /// The text with a small first letter, for the middle of a sentence.
  fileprivate var lowercasedFirst: String { (first?.lowercased() ?? "") + dropFirst() }
}
