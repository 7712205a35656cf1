import Core
import Seeded

/// Makes random events of every kind from a seed, about few videos and channels, so that they meet.
package struct EventMaker {
  var random: SeededGenerator
  private var milliseconds: UInt64 = 1_750_000_000_000
  private let devices: [DeviceID]

  private let texts: [String]

  let videos: UInt64
  /// Whether some events are such as no program writes: about entries that share the 64 bits which tables keep of an ID
  /// with others and with videos, and about feeds followed at URLs of others.
  let isForged: Bool

  /// A maker that puts its texts together from `pieces`, about so many videos.
  package init(
    seed: UInt64, pieces: [String] = Hostile.texts, videos: UInt64 = 12, isForged: Bool = false
  ) {
    (self.videos, self.isForged) = (videos, isForged)
    random = SeededGenerator(seed: seed)
    texts = pieces
    devices = ["aaaaaaaa", "k3v9x2ap", "zzzzzzzz"].compactMap { DeviceID($0) }
  }

  /// Events with ids of their own, in the order of their ids.
  package mutating func events(_ count: Int) -> [Event] {
    var events: [Event] = []
    for _ in 0..<count {
      milliseconds += .random(in: 1...5000, using: &random)
      guard let device = devices.randomElement(using: &random) else { continue }
      let id = EventID(reading: milliseconds << 16, device: device)
      let earlier = events.randomElement(using: &random)?.id
      let body = body(gap: earlier ?? id)
      // An undo always names its action.
      let isUndo = body == .actionUndone || Int.random(in: 0..<20, using: &random) == 0
      let action = chance ? id : events.last { $0.id.device == device }?.action ?? id
      events.append(Event(id: id, action: action, undoes: isUndo ? earlier ?? id : nil, body: body))
    }
    return events
  }

  /// A body of any kind.
  package mutating func body(gap: EventID) -> EventBody {
    switch Int.random(in: 0..<26, using: &random) {
    case 0:
      .channelFollowed(
        ChannelFollowed(
          subscription: subscription, title: maybe { $0.text }, tags: maybe { $0.textList }, feed: maybe { $0.feed },
          seenBefore: maybe { $0.time }))
    case 1: .channelUnfollowed(subscription)
    case 2:
      .channelChanged(
        ChannelChanged(
          subscription: subscription, title: maybe { $0.text }, name: maybe { $0.text }, tags: maybe { $0.textList },
          feed: maybe { $0.feed }, shorts: maybe { $0.any(ListVisibility.self) },
          live: maybe { $0.any(ListVisibility.self) },
          order: maybe { $0.any(ListOrder.self) }))
    case 20:
      .channelEnriched(
        ChannelEnriched(
          channel: channel, avatar: maybe { $0.text }, subscribers: maybe { $0.number }, videos: maybe { $0.number }))
    case 3:
      .handleFollowed(
        HandleFollowed(
          handle: handle, title: maybe { $0.text }, tags: maybe { $0.textList }, seenBefore: maybe { $0.time }))
    case 4: .handleResolved(HandleResolved(handle: handle, subscription: subscription))
    case 5, 6: .videoFound(videoFound)
    case 7: .videoChanged(videoChanged)
    case 8:
      .videoEnriched(
        VideoEnriched(
          video: video, duration: maybe { $0.number }, live: maybe { $0.any(Live.self) }, scheduled: maybe { $0.time },
          started: maybe { $0.time }, ended: maybe { $0.time }))
    case 9: .videoRemoved(VideoRemoved(video: video, removed: chance))
    case 10:
      .statusSet(
        StatusSet(
          video: subject, status: any(Status.self), until: maybe { $0.time }, at: maybe { $0.time },
          reason: maybe { $0.text }))
    case 11: .savedSet(SavedSet(video: subject, saved: chance))
    case 12: .progressSet(ProgressSet(video: subject, seconds: number))
    case 13: .noteSet(NoteSet(video: subject, text: text))
    case 17: .ruleSet(rule)
    case 18: chance ? .ruleRemoved(RuleRemoved(rule: ruleID)) : .preferenceSet(preferenceSet)
    case 14: chance ? .runFinished(run) : .gapClosed(GapClosed(subscription: subscription, gap: gap))
    case 15: collectionEvent
    case 19: .actionUndone
    case 16: .handleUnfollowed(HandleUnfollowed(handle: handle))
    case 22: feedEvent
    case 23: .entryFound(entryFound)
    case 24: .entryChanged(entryChanged)
    case 25: .entriesKnown(EntriesKnown(feed: webFeed, keys: [high, high]))
    default: chance ? .videoDescribed(videoDescribed) : .gapFound(gapFound)
    }
  }

  private var videoFound: VideoFound {
    mutating get {
      let video = video
      let link = chance ? "https://www.youtube.com/watch?v=\(video)" : "https://www.youtube.com/shorts/\(video)"
      return VideoFound(
        video: video, channel: channel, channelTitle: maybe { $0.text }, feed: feed, playlist: maybe { $0.playlist },
        title: text, link: link, published: time, thumbnail: maybe { $0.text }, zeroViews: chance,
        status: maybe { $0.any(Status.self) }, reason: maybe { $0.text }, description: maybe { Description($0.text) })
    }
  }

  private var videoChanged: VideoChanged {
    mutating get {
      VideoChanged(
        video: video, feed: maybe { $0.feed }, playlist: maybe { $0.playlist }, title: maybe { $0.text },
        link: maybe { $0.text }, published: maybe { $0.time }, thumbnail: maybe { $0.text },
        zeroViews: maybe { $0.chance }, description: maybe { Description($0.text) })
    }
  }

  private var videoDescribed: VideoDescribed {
    mutating get {
      VideoDescribed(
        video: video, title: maybe { $0.text }, channel: maybe { $0.channel }, channelTitle: maybe { $0.text },
        published: maybe { $0.time }, duration: maybe { $0.number }, source: text)
    }
  }

  private var gapFound: GapFound {
    mutating get { GapFound(subscription: source, after: time, before: time) }
  }

  private var collectionEvent: EventBody {
    mutating get {
      let (video, text, isSo) = (subject, text, chance)
      guard text.utf8.count.isMultiple(of: 3) else {
        return .collectionSet(CollectionSet(video: video, collection: text, member: isSo))
      }
      let description = text.utf8.count.isMultiple(of: 2) ? text : nil
      return .collectionChanged(
        CollectionChanged(collection: isSo ? text : "", kept: description == nil ? isSo : nil, text: description))
    }
  }

  private var preferenceSet: PreferenceSet {
    mutating get {
      let name = chance ? any(Preference.self).rawValue : text
      return PreferenceSet(name: name, value: maybe { $0.text }, channel: maybe { $0.source })
    }
  }

  private var run: RunFinished {
    mutating get {
      RunFinished(
        checked: number, notDue: number, failed: number, new: number, changed: number, gaps: number, outage: chance,
        stopped: maybe { $0.any(StopReason.self) }, milliseconds: number, bytes: number, failing: textList,
        recovered: textList)
    }
  }

  private var rule: Rule {
    mutating get {
      var rule = Rule(id: ruleID, verdict: any(Rule.Verdict.self))
      (rule.contains, rule.matches, rule.field) = (
        maybe { $0.text }, maybe { $0.text }, maybe { $0.any(Rule.Field.self) }
      )
      (rule.minimumLength, rule.maximumLength, rule.age) = (
        maybe { $0.number }, maybe { $0.number }, maybe { $0.number }
      )
      (rule.short, rule.live) = (maybe { $0.chance }, maybe { $0.chance })
      (rule.tag, rule.subscription) = (maybe { $0.text }, maybe { $0.source })
      return rule
    }
  }

  // MARK: Members

  private var ruleID: String { mutating get { chance ? "692fd3a0-k3v9" : "692fd3a1-aaaa" } }

  var chance: Bool { mutating get { Bool.random(using: &random) } }
  var number: Int { mutating get { chance ? .random(in: 0...100_000, using: &random) : .max } }
  var time: Timestamp {
    mutating get { Timestamp(seconds: .random(in: 0...4_000_000_000, using: &random)) }
  }
  /// A video, or an entry: what a person decides on.
  private var subject: VideoID { mutating get { Int.random(in: 0..<3, using: &random) == 0 ? entry : video } }
  private var video: VideoID { mutating get { VideoID(bits: .random(in: 0..<videos, using: &random)) } }
  var high: UInt64 { mutating get { .random(in: 0...UInt64.max, using: &random) } }
  private var channel: ChannelID { mutating get { ChannelID(high: 7, low: .random(in: 0..<4, using: &random)) } }
  private var playlist: PlaylistID { mutating get { PlaylistID(of: channel, form: any(ChannelPlaylist.self)) } }
  private var subscription: SubscriptionID { mutating get { chance ? .channel(channel) : .playlist(playlist) } }
  private var source: SubscriptionID { mutating get { chance ? .feed(webFeed) : subscription } }
  private var feed: FeedForm { mutating get { any(FeedForm.self) } }
  private var handle: String { mutating get { chance ? "@käthe" : "user/somebody" } }

  mutating func any<Value: CaseIterable>(_ type: Value.Type) -> Value {
    guard let value = Array(Value.allCases).randomElement(using: &random) else { preconditionFailure("no case") }
    return value
  }

  mutating func maybe<Value>(_ make: (inout EventMaker) -> Value) -> Value? { chance ? make(&self) : nil }

  var textList: [String] {
    mutating get { (0..<Int.random(in: 0...3, using: &random)).map { _ in text } }
  }

  /// A text of a few pieces, some of them hostile.
  var text: String {
    mutating get {
      (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in texts.randomElement(using: &random) }
        .joined()
    }
  }
}

/// Texts that a careless codec breaks.
package enum Hostile {
  /// Among them the end and the beginning of a line break, which Swift counts as one character.
  package static let texts = [
    "", "a", "Plain words, then more of them.", "\"quoted\"", "back\\slash", "\n\r\t", "a\r", "\n", "\u{0}\u{1}\u{1f}",
    "\u{7f}\u{80}\u{9b}",
    "\u{2028}\u{2029}\u{feff}\u{fffe}\u{ffff}", "🎉👩‍👩‍👧‍👦🇩🇪", "e\u{301} é", "\u{202e}right to left\u{202c}",
    "\",\"c\":\"00000000\"}", "{\"v\":1}", "\\u0041", "\\", "\\\\\"", "</script>", "\u{10ffff}\u{e000}\u{d7ff}",
    String(repeating: "long ", count: 100),
  ]
}
