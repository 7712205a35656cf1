import SlowFold
import TestSupport
import Testing

@testable import Core

/// The user-visible part of a state: everything a user action can change.
private struct Sight: Equatable {
  var videos: [VideoID: [String]] = [:]
  var channels: [SubscriptionID: [String]] = [:]
  var names: Set<String>
  var rules: [Rule]
  var collections: [String: String]
  var preferences: [String: String] = [:]

  init(_ fold: SlowFold) {
    for (key, register) in fold.state.preferences.registers {
      preferences["\(key)"] = register.value
    }
    (names, rules) = (Set(fold.state.unresolved.map { "\($0)" }), fold.state.rules)
    collections = fold.state.collections
      .mapValues { ($0.kept?.value == true ? "kept " : "") + ($0.text?.value ?? "") }.filter { !$0.value.isEmpty }
    for video in fold.videos.values {
      let until = video.statusSet.status == .snoozed ? "\(String(describing: video.statusSet.until))" : ""
      videos[video.id] =
        [
          "\(video.statusSet.status)", until, "\(video.isSaved)", "\(video.progress)", video.note,
          "\(video.collections.sorted())",
        ]
    }
    for channel in fold.state.followed {
      channels[channel.id] =
        [
          channel.title, "\(channel.tags)", "\(channel.feed)", "\(channel.shorts)", "\(channel.live)",
          "\(channel.order)",
        ]
    }
  }
}

/// A user who performs random actions, one after the other.
private struct Person {
  private var random: UInt64
  private var second: Int64 = 1000
  private(set) var events: [Event] = []

  init(seed: UInt64) {
    random = seed
    for number in 1...4 as ClosedRange<UInt64> { events.append(Sample.event(Int64(number), Sample.found(number))) }
  }

  var fold: SlowFold { Sample.fold(events) }

  private mutating func number(_ bound: UInt64) -> UInt64 {
    random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return (random >> 33) % bound
  }

  /// Appends bodies as one action and returns its ID.
  mutating func act(_ bodies: [EventBody], undoing action: EventID? = nil) {
    let first = Sample.id(second + 1)
    for body in bodies {
      second += 1
      events.append(Event(id: Sample.id(second), action: first, undoes: action, body: body))
    }
  }

  /// Marks up to three videos, or performs one other action; like the commands, only if it changes something.
  mutating func decide() {
    let kinds: ClosedRange<UInt64> = number(2) == 0 ? 0...6 : 7...14
    var (bodies, fold) = ([EventBody](), fold)
    while bodies.isEmpty || kinds.lowerBound == 0 && bodies.count < 3 && number(2) == 0 {
      let body = body(kinds.lowerBound + number(kinds.upperBound - kinds.lowerBound + 1))
      var next = fold
      next.apply(Sample.event(second + Int64(bodies.count) + 1, body))
      guard Sight(next) != Sight(fold) else { continue }
      bodies.append(body)
      fold = next
    }
    act(bodies)
  }

  private mutating func body(_ kind: UInt64) -> EventBody {
    let video = Sample.video(1 + number(4))
    let channel = SubscriptionID.channel(Sample.channel(1 + number(2)))
    let word = "word \(number(3))"
    let isSo = number(2) == 0
    switch kind {
    case 0: return .statusSet(StatusSet(video: video, status: .watched))
    case 1: return .statusSet(StatusSet(video: video, status: .skipped))
    case 2: return .statusSet(StatusSet(video: video, status: .snoozed, until: Sample.start.adding(seconds: 9_000_000)))
    case 3: return .savedSet(SavedSet(video: video, saved: isSo))
    case 4: return .collectionSet(CollectionSet(video: video, collection: word, member: isSo))
    case 5: return .progressSet(ProgressSet(video: video, seconds: Int(number(50))))
    case 6: return .noteSet(NoteSet(video: video, text: word))
    case 7: return .channelFollowed(ChannelFollowed(subscription: channel, title: nil, tags: nil))
    case 8: return .channelUnfollowed(channel)
    case 9:
      return .channelChanged(
        ChannelChanged(
          subscription: channel, title: word, tags: [word], feed: isSo ? .videos : .uploads,
          shorts: isSo ? .show : .hide,
          live: isSo ? .hide : .show, order: isSo ? .oldest : .newest))
    case 10: return isSo ? .handleFollowed(HandleFollowed(handle: "@\(word)", title: nil, tags: nil)) : name(word)
    case 11:
      var rule = Rule(id: "0000000\(number(3))-aaaa", verdict: .block)
      rule.contains = word
      return .ruleSet(rule)
    case 12:
      return .collectionChanged(
        CollectionChanged(collection: "c\(number(2))", kept: isSo ? number(2) == 0 : nil, text: isSo ? nil : word))
    case 13:
      return .preferenceSet(
        PreferenceSet(name: "theme", value: number(2) == 0 ? nil : word, channel: isSo ? channel : nil))
    default: return .ruleRemoved(RuleRemoved(rule: "0000000\(number(3))-aaaa"))
    }
  }

  private func name(_ word: String) -> EventBody { .handleUnfollowed(HandleUnfollowed(handle: "@\(word)")) }

  /// Undoes the last action, as the command does, and returns it; nil if there is nothing to undo.
  mutating func undo() -> EventID? {
    let gone = fold.undone
    guard let action = fold.decisions(of: Sample.device).first else { return nil }
    let bodies = Undo.bodies(
      takingBack: events.filter { $0.action == action }, from: without(gone), to: without(gone.union([action])))
    act(bodies.isEmpty ? [.actionUndone] : bodies, undoing: action)
    return action
  }

  private func without(_ actions: Set<EventID>) -> SlowFold {
    Sample.fold(events.filter { !actions.contains($0.action) && !($0.undoes.map(actions.contains) ?? false) })
  }
}

@Test(
  "Repeated undo reverts every kind of user action, and each step restores what was visible before",
  arguments: 1...60 as ClosedRange<UInt64>)
func undoWalksBack(seed: UInt64) {
  var person = Person(seed: seed)
  var before: [EventID: Sight] = [:]
  let first = Sight(person.fold)
  for _ in 0..<8 {
    let sight = Sight(person.fold)
    person.decide()
    if let action = person.events.last?.action { before[action] = sight }
  }
  while let action = person.undo() { #expect(Sight(person.fold) == before[action]) }
  #expect(Sight(person.fold) == first)
}

@Test("An action that another device has overwritten leaves nothing to undo, and then counts as undone")
func overwritten() {
  let (first, second) = (Sample.video(1), Sample.video(2))
  var events = [
    Sample.event(1, .statusSet(StatusSet(video: first, status: .watched))),
    Sample.event(2, .statusSet(StatusSet(video: second, status: .watched))),
    Sample.event(3, Sample.otherDevice, .statusSet(StatusSet(video: second, status: .skipped))),
  ]
  let fold = Sample.fold(events)
  #expect(fold.decisions(of: Sample.device) == [Sample.id(2), Sample.id(1)])
  let bodies = fold.decisions(of: Sample.device).map { action in
    let before = Sample.fold(events.filter { $0.action != action })
    return Undo.bodies(takingBack: events.filter { $0.action == action }, from: fold, to: before)
  }
  #expect(bodies[0].isEmpty && bodies[1].count == 1)
  var nothing = Sample.event(4, .actionUndone)
  nothing.undoes = Sample.id(2)
  events.append(nothing)
  #expect(Sample.fold(events).decisions(of: Sample.device).first == Sample.id(1))
  #expect(Sample.fold(events).videos == fold.videos)
}

@Test(
  "Changes made later by another device are kept, even if they set the same value",
  arguments: [
    [
      .savedSet(SavedSet(video: Sample.video(1), saved: true)),
      .savedSet(SavedSet(video: Sample.video(1), saved: false)),
    ],
    [.noteSet(NoteSet(video: Sample.video(1), text: "a")), .noteSet(NoteSet(video: Sample.video(1), text: ""))],
    [
      .progressSet(ProgressSet(video: Sample.video(1), seconds: 9)),
      .progressSet(ProgressSet(video: Sample.video(1), seconds: 0)),
    ],
    [
      .collectionSet(CollectionSet(video: Sample.video(1), collection: "a", member: true)),
      .collectionSet(CollectionSet(video: Sample.video(1), collection: "a", member: false)),
    ],
  ] as [[EventBody]])
func decidedAnew(bodies: [EventBody]) {
  let mine = Sample.event(1, bodies[0])
  let its = [Sample.event(2, Sample.otherDevice, bodies[1]), Sample.event(3, Sample.otherDevice, bodies[0])]
  let (fold, before) = (Sample.fold([mine] + its), Sample.fold(its))
  #expect(Undo.bodies(takingBack: [mine], from: fold, to: before).isEmpty)
}

@Test("An action that changes nothing is not a change")
func noChange() {
  let body = EventBody.savedSet(SavedSet(video: Sample.video(1), saved: true))
  let (its, mine) = (Sample.event(1, Sample.otherDevice, body), Sample.event(2, body))
  #expect(Undo.bodies(takingBack: [mine], from: Sample.fold([its, mine]), to: Sample.fold([its])).isEmpty)
}
