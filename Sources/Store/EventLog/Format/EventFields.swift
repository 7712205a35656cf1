import Core

/// The kinds of events, named as in the log.
enum EventKind: String, CaseIterable {
  case channelFollowed, channelUnfollowed, channelChanged, channelEnriched
  case handleFollowed, handleUnfollowed, handleResolved
  case feedFollowed, feedUnfollowed, feedChanged, feedMerged, entryFound, entryChanged, entriesKnown
  case videoFound, videoChanged, videoEnriched, videoRemoved, videoDescribed
  case statusSet, savedSet, collectionSet, collectionChanged, progressSet, noteSet, ruleSet, ruleRemoved, preferenceSet
  case actionUndone
  case runFinished, gapFound, gapClosed
}

extension EventBody {
  /// The kind of the event, and what has the schema of its members; nil if it has no members.
  private var content: (kind: EventKind, body: (any FieldSchema)?) {
    switch self {
    case .channelFollowed(let body): (.channelFollowed, body)
    case .channelUnfollowed(let body): (.channelUnfollowed, body)
    case .channelChanged(let body): (.channelChanged, body)
    case .channelEnriched(let body): (.channelEnriched, body)
    case .handleFollowed(let body): (.handleFollowed, body)
    case .handleUnfollowed(let body): (.handleUnfollowed, body)
    case .handleResolved(let body): (.handleResolved, body)
    case .feedFollowed(let body): (.feedFollowed, body)
    case .feedUnfollowed(let body): (.feedUnfollowed, body)
    case .feedChanged(let body): (.feedChanged, body)
    case .feedMerged(let body): (.feedMerged, body)
    case .entryFound(let body): (.entryFound, body)
    case .entryChanged(let body): (.entryChanged, body)
    case .entriesKnown(let body): (.entriesKnown, body)
    case .videoFound(let body): (.videoFound, body)
    case .videoChanged(let body): (.videoChanged, body)
    case .videoEnriched(let body): (.videoEnriched, body)
    case .videoRemoved(let body): (.videoRemoved, body)
    case .videoDescribed(let body): (.videoDescribed, body)
    case .statusSet(let body): (.statusSet, body)
    case .savedSet(let body): (.savedSet, body)
    case .collectionSet(let body): (.collectionSet, body)
    case .collectionChanged(let body): (.collectionChanged, body)
    case .progressSet(let body): (.progressSet, body)
    case .noteSet(let body): (.noteSet, body)
    case .ruleSet(let body): (.ruleSet, body)
    case .ruleRemoved(let body): (.ruleRemoved, body)
    case .preferenceSet(let body): (.preferenceSet, body)
    case .actionUndone: (.actionUndone, nil)
    case .runFinished(let body): (.runFinished, body)
    case .gapFound(let body): (.gapFound, body)
    case .gapClosed(let body): (.gapClosed, body)
    }
  }

  /// The kind of the event.
  var kind: EventKind { content.kind }

  /// Writes the members of the body.
  func write(to line: inout LineWriter) { content.body?.writeMembers(to: &line) }

  /// Reads the members of a body of this kind.
  init(_ kind: EventKind, from line: inout LineReader) throws(NotUnderstood) {
    switch kind {
    case .channelFollowed: self = .channelFollowed(try .coded(nil, by: &line))
    case .channelUnfollowed: self = .channelUnfollowed(try .coded(nil, by: &line))
    case .channelChanged: self = .channelChanged(try .coded(nil, by: &line))
    case .channelEnriched: self = .channelEnriched(try .coded(nil, by: &line))
    case .handleFollowed: self = .handleFollowed(try .coded(nil, by: &line))
    case .handleUnfollowed: self = .handleUnfollowed(try .coded(nil, by: &line))
    case .handleResolved: self = .handleResolved(try .coded(nil, by: &line))
    case .feedFollowed: self = .feedFollowed(try .coded(nil, by: &line))
    case .feedUnfollowed: self = .feedUnfollowed(try .coded(nil, by: &line))
    case .feedChanged: self = .feedChanged(try .coded(nil, by: &line))
    case .feedMerged: self = .feedMerged(try .coded(nil, by: &line))
    case .entryFound: self = .entryFound(try .coded(nil, by: &line))
    case .entryChanged: self = .entryChanged(try .coded(nil, by: &line))
    case .entriesKnown: self = .entriesKnown(try .coded(nil, by: &line))
    case .videoFound: self = .videoFound(try .coded(nil, by: &line))
    case .videoChanged: self = .videoChanged(try .coded(nil, by: &line))
    case .videoEnriched: self = .videoEnriched(try .coded(nil, by: &line))
    case .videoRemoved: self = .videoRemoved(try .coded(nil, by: &line))
    case .videoDescribed: self = .videoDescribed(try .coded(nil, by: &line))
    case .statusSet: self = .statusSet(try .coded(nil, by: &line))
    case .savedSet: self = .savedSet(try .coded(nil, by: &line))
    case .collectionSet: self = .collectionSet(try .coded(nil, by: &line))
    case .collectionChanged: self = .collectionChanged(try .coded(nil, by: &line))
    case .progressSet: self = .progressSet(try .coded(nil, by: &line))
    case .noteSet: self = .noteSet(try .coded(nil, by: &line))
    case .ruleSet: self = .ruleSet(try .coded(nil, by: &line))
    case .ruleRemoved: self = .ruleRemoved(try .coded(nil, by: &line))
    case .preferenceSet: self = .preferenceSet(try .coded(nil, by: &line))
    case .actionUndone: self = .actionUndone
    case .runFinished: self = .runFinished(try .coded(nil, by: &line))
    case .gapFound: self = .gapFound(try .coded(nil, by: &line))
    case .gapClosed: self = .gapClosed(try .coded(nil, by: &line))
    }
  }
}

extension FieldSchema {
  /// Writes the members of a body.
  func writeMembers(to line: inout LineWriter) {
    do { _ = try Self.coded(self, by: &line) } catch { line.refuse(.foreignValue) }
  }
}

// MARK: Schemas

extension ChannelFollowed: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try ChannelFollowed(
      subscription: coder.youTubeSubscription(body?.subscription), title: coder.option("title", body?.title),
      tags: coder.option("tags", body?.tags), feed: coder.option("feed", body?.feed),
      seenBefore: coder.option("seenBefore", body?.seenBefore), source: coder.option("source", body?.source))
  }
}

/// The body of a `channelUnfollowed` is the subscription alone.
extension SubscriptionID: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try coder.youTubeSubscription(body)
  }
}

extension ChannelChanged: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try ChannelChanged(
      subscription: coder.youTubeSubscription(body?.subscription), title: coder.option("title", body?.title),
      name: coder.option("name", body?.name), tags: coder.option("tags", body?.tags),
      feed: coder.option("feed", body?.feed), shorts: coder.option("shorts", body?.shorts),
      live: coder.option("live", body?.live), order: coder.option("order", body?.order))
  }
}

extension ChannelEnriched: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try ChannelEnriched(
      channel: coder.member("channel", body?.channel), avatar: coder.option("avatar", body?.avatar),
      subscribers: coder.option("subscribers", body?.subscribers), videos: coder.option("videos", body?.videos))
  }
}

extension HandleFollowed: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try HandleFollowed(
      handle: coder.member("handle", body?.handle), title: coder.option("title", body?.title),
      tags: coder.option("tags", body?.tags), seenBefore: coder.option("seenBefore", body?.seenBefore))
  }
}

extension HandleUnfollowed: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try HandleUnfollowed(handle: coder.member("handle", body?.handle))
  }
}

extension HandleResolved: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try HandleResolved(
      handle: coder.member("handle", body?.handle), subscription: coder.member("subscription", body?.subscription))
  }
}

extension VideoFound: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    // The required members come first in a line.
    let video = try coder.member("video", body?.video)
    let channel = try coder.member("channel", body?.channel)
    let feed = try coder.member("feed", body?.feed)
    let title = try coder.member("title", body?.title)
    let link = try coder.member("link", body?.link)
    let published = try coder.member("published", body?.published)
    let zeroViews = try coder.member("zeroViews", body?.zeroViews)
    return try VideoFound(
      video: video, channel: channel, channelTitle: coder.option("channelTitle", body?.channelTitle), feed: feed,
      playlist: coder.option("playlist", body?.playlist), title: title, link: link, published: published,
      thumbnail: coder.option("thumbnail", body?.thumbnail), zeroViews: zeroViews,
      status: coder.option("status", body?.status), reason: coder.option("reason", body?.reason),
      description: coder.option("description", body?.description))
  }
}

extension VideoChanged: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try VideoChanged(
      video: coder.member("video", body?.video), feed: coder.option("feed", body?.feed),
      playlist: coder.option("playlist", body?.playlist), title: coder.option("title", body?.title),
      link: coder.option("link", body?.link), published: coder.option("published", body?.published),
      thumbnail: coder.option("thumbnail", body?.thumbnail), zeroViews: coder.option("zeroViews", body?.zeroViews),
      description: coder.option("description", body?.description))
  }
}

extension VideoEnriched: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try VideoEnriched(
      video: coder.member("video", body?.video), duration: coder.option("duration", body?.duration),
      live: coder.option("live", body?.live), scheduled: coder.option("scheduled", body?.scheduled),
      started: coder.option("started", body?.started), ended: coder.option("ended", body?.ended))
  }
}

extension VideoRemoved: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try VideoRemoved(video: coder.member("video", body?.video), removed: coder.member("removed", body?.removed))
  }
}

extension VideoDescribed: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    // The required members come first in a line.
    let (video, source) = (try coder.member("video", body?.video), try coder.member("source", body?.source))
    return try VideoDescribed(
      video: video, title: coder.option("title", body?.title), channel: coder.option("channel", body?.channel),
      channelTitle: coder.option("channelTitle", body?.channelTitle),
      published: coder.option("published", body?.published), duration: coder.option("duration", body?.duration),
      source: source)
  }
}

extension StatusSet: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try StatusSet(
      video: coder.subject(body?.video), status: coder.member("status", body?.status),
      until: coder.option("until", body?.until), at: coder.option("at", body?.at),
      reason: coder.option("reason", body?.reason))
  }
}

extension SavedSet: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try SavedSet(video: coder.subject(body?.video), saved: coder.member("saved", body?.saved))
  }
}

extension CollectionSet: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try CollectionSet(
      video: coder.subject(body?.video), collection: coder.member("collection", body?.collection),
      member: coder.member("member", body?.member))
  }
}

extension CollectionChanged: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try CollectionChanged(
      collection: coder.member("collection", body?.collection), kept: coder.option("kept", body?.kept),
      text: coder.option("text", body?.text))
  }
}

extension ProgressSet: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try ProgressSet(video: coder.subject(body?.video), seconds: coder.member("seconds", body?.seconds))
  }
}

extension NoteSet: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try NoteSet(video: coder.subject(body?.video), text: coder.member("text", body?.text))
  }
}

extension Rule: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    var rule = try Rule(id: coder.member("rule", body?.id), verdict: coder.member("verdict", body?.verdict))
    rule.contains = try coder.option("contains", body?.contains)
    rule.matches = try coder.option("matches", body?.matches)
    rule.field = try coder.option("field", body?.field)
    rule.minimumLength = try coder.option("minimumLength", body?.minimumLength)
    rule.maximumLength = try coder.option("maximumLength", body?.maximumLength)
    rule.short = try coder.option("short", body?.short)
    rule.live = try coder.option("live", body?.live)
    rule.age = try coder.option("age", body?.age)
    rule.tag = try coder.option("tag", body?.tag)
    rule.subscription = try coder.option("subscription", body?.subscription)
    return rule
  }
}

extension RuleRemoved: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try RuleRemoved(rule: coder.member("rule", body?.rule))
  }
}

extension PreferenceSet: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try PreferenceSet(
      name: coder.member("name", body?.name), value: coder.option("value", body?.value),
      channel: coder.option("channel", body?.channel))
  }
}

extension RunFinished: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    // The required members come first in a line.
    let checked = try coder.member("checked", body?.checked)
    let notDue = try coder.member("notDue", body?.notDue)
    let failed = try coder.member("failed", body?.failed)
    let new = try coder.member("new", body?.new)
    let changed = try coder.member("changed", body?.changed)
    let gaps = try coder.member("gaps", body?.gaps)
    let outage = try coder.member("outage", body?.outage)
    let milliseconds = try coder.member("milliseconds", body?.milliseconds)
    let bytes = try coder.member("bytes", body?.bytes)
    return try RunFinished(
      checked: checked, notDue: notDue, failed: failed, new: new, changed: changed, gaps: gaps, outage: outage,
      stopped: coder.option("stopped", body?.stopped), milliseconds: milliseconds, bytes: bytes,
      failing: coder.unlessEmpty("failing", body?.failing), recovered: coder.unlessEmpty("recovered", body?.recovered),
      unrequested: coder.option("unrequested", body.flatMap { $0.unrequested == 0 ? nil : $0.unrequested }) ?? 0)
  }
}

extension GapFound: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try GapFound(
      subscription: coder.member("subscription", body?.subscription), after: coder.member("after", body?.after),
      before: coder.member("before", body?.before))
  }
}

extension GapClosed: FieldSchema {
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try GapClosed(subscription: coder.member("subscription", body?.subscription), gap: coder.member("gap", body?.gap))
  }
}

extension FieldCoder {
  /// A list that is omitted if empty.
  fileprivate mutating func unlessEmpty(_ name: StaticString, _ list: [String]?) throws(NotUnderstood) -> [String] {
    try option(name, list?.isEmpty ?? true ? nil : list) ?? []
  }
}
