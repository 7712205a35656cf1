import Core

/// What events are looked up by: the video, subscription, name or rule they are about, and the action they are part of.
///
/// Two different ones may have the same key, though hardly ever do: whoever looks events up looks at each again.
struct EventKey: Hashable {
  let bits: UInt64

  init(bits: UInt64) { self.bits = bits }

  init(_ video: VideoID) { bits = video.bits }

  private init(_ words: String) { bits = Fingerprint.of(words) }

  /// The key of a decision's action.
  init(action: EventID) { self.init("action \(action)") }

  /// The key of what an event is about; nil where it is about nothing that is looked up.
  init?(subjectOf body: EventBody) {
    if let video = body.video {
      self.init(video)
      return
    }
    switch body {
    case .channelFollowed(let followed): self.init("channel \(followed.subscription)")
    case .channelUnfollowed(let subscription): self.init("channel \(subscription)")
    case .channelChanged(let change): self.init("channel \(change.subscription)")
    case .handleFollowed(let followed): self.init("name \(followed.handle)")
    case .handleUnfollowed(let unfollowed): self.init("name \(unfollowed.handle)")
    case .ruleSet(let rule): self.init("rule \(rule.id)")
    case .ruleRemoved(let removed): self.init("rule \(removed.rule)")
    case .handleResolved, .actionUndone, .runFinished, .gapFound, .gapClosed: return nil
    case .videoFound, .videoChanged, .videoEnriched, .videoRemoved, .statusSet, .savedSet, .collectionSet, .progressSet,
      .noteSet:
      return nil  // They are about a video, which has a key already.
    }
  }

  /// The keys under which an event is looked up.
  static func keys(of event: Event) -> [EventKey] {
    let subject = EventKey(subjectOf: event.body).map { [$0] } ?? []
    return event.body.isUserAction ? subject + [EventKey(action: event.action)] : subject
  }
}

/// Where the line of an event is that is looked up by a key.
struct EventPlace: Comparable {
  var key: EventKey
  /// The file's number, then the line's beginning.
  var file: Int
  var offset: UInt64

  static func < (left: EventPlace, right: EventPlace) -> Bool {
    if left.key.bits != right.key.bits { return left.key.bits < right.key.bits }
    return left.file != right.file ? left.file < right.file : left.offset < right.offset
  }
}
