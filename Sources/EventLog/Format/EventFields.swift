import Core

extension StatusSet: FieldSchema {
  static func coded(_ body: StatusSet?, by coder: inout some FieldCoder) -> StatusSet? {
    guard let video = coder.member("video", body?.video), let status = coder.member("status", body?.status) else {
      return nil
    }
    return StatusSet(
      video: video, status: status,
      until: coder.option("until", body?.until),
      at: coder.option("at", body?.at),
      reason: coder.option("reason", body?.reason))
  }
}

extension SavedSet: FieldSchema {
  static func coded(_ body: SavedSet?, by coder: inout some FieldCoder) -> SavedSet? {
    guard let video = coder.member("video", body?.video), let saved = coder.member("saved", body?.saved) else {
      return nil
    }
    return SavedSet(video: video, saved: saved)
  }
}

extension CollectionSet: FieldSchema {
  static func coded(_ body: CollectionSet?, by coder: inout some FieldCoder) -> CollectionSet? {
    guard let video = coder.member("video", body?.video), let name = coder.member("collection", body?.collection),
      let member = coder.member("member", body?.member)
    else { return nil }
    return CollectionSet(video: video, collection: name, member: member)
  }
}

extension ProgressSet: FieldSchema {
  static func coded(_ body: ProgressSet?, by coder: inout some FieldCoder) -> ProgressSet? {
    guard let video = coder.member("video", body?.video), let seconds = coder.member("seconds", body?.seconds) else {
      return nil
    }
    return ProgressSet(video: video, seconds: seconds)
  }
}

extension NoteSet: FieldSchema {
  static func coded(_ body: NoteSet?, by coder: inout some FieldCoder) -> NoteSet? {
    guard let video = coder.member("video", body?.video), let text = coder.member("text", body?.text) else {
      return nil
    }
    return NoteSet(video: video, text: text)
  }
}

extension ChannelFollowed: FieldSchema {
  static func coded(_ body: ChannelFollowed?, by coder: inout some FieldCoder) -> ChannelFollowed? {
    guard let subscription = coder.member("subscription", body?.subscription) else { return nil }
    return ChannelFollowed(
      subscription: subscription,
      title: coder.option("title", body?.title),
      tags: coder.option("tags", body?.tags),
      feed: coder.option("feed", body?.feed),
      seenBefore: coder.option("seenBefore", body?.seenBefore))
  }
}

/// The body of a `channelUnfollowed` is the subscription alone.
extension SubscriptionID: FieldSchema {
  static func coded(_ body: SubscriptionID?, by coder: inout some FieldCoder) -> SubscriptionID? {
    coder.member("subscription", body)
  }
}

extension ChannelChanged: FieldSchema {
  static func coded(_ body: ChannelChanged?, by coder: inout some FieldCoder) -> ChannelChanged? {
    guard let subscription = coder.member("subscription", body?.subscription) else { return nil }
    return ChannelChanged(
      subscription: subscription,
      title: coder.option("title", body?.title),
      name: coder.option("name", body?.name),
      tags: coder.option("tags", body?.tags),
      feed: coder.option("feed", body?.feed),
      shorts: coder.option("shorts", body?.shorts),
      live: coder.option("live", body?.live),
      order: coder.option("order", body?.order))
  }
}

extension HandleFollowed: FieldSchema {
  static func coded(_ body: HandleFollowed?, by coder: inout some FieldCoder) -> HandleFollowed? {
    guard let handle = coder.member("handle", body?.handle) else { return nil }
    return HandleFollowed(
      handle: handle, title: coder.option("title", body?.title), tags: coder.option("tags", body?.tags),
      seenBefore: coder.option("seenBefore", body?.seenBefore))
  }
}

extension HandleUnfollowed: FieldSchema {
  static func coded(_ body: HandleUnfollowed?, by coder: inout some FieldCoder) -> HandleUnfollowed? {
    coder.member("handle", body?.handle).map { HandleUnfollowed(handle: $0) }
  }
}

extension HandleResolved: FieldSchema {
  static func coded(_ body: HandleResolved?, by coder: inout some FieldCoder) -> HandleResolved? {
    guard let handle = coder.member("handle", body?.handle),
      let subscription = coder.member("subscription", body?.subscription)
    else { return nil }
    return HandleResolved(handle: handle, subscription: subscription)
  }
}

extension VideoFound: FieldSchema {
  static func coded(_ body: VideoFound?, by coder: inout some FieldCoder) -> VideoFound? {
    guard let video = coder.member("video", body?.video),
      let channel = coder.member("channel", body?.channel),
      let feed = coder.member("feed", body?.feed),
      let title = coder.member("title", body?.title),
      let link = coder.member("link", body?.link),
      let published = coder.member("published", body?.published),
      let zeroViews = coder.member("zeroViews", body?.zeroViews)
    else { return nil }
    return VideoFound(
      video: video, channel: channel, channelTitle: coder.option("channelTitle", body?.channelTitle), feed: feed,
      playlist: coder.option("playlist", body?.playlist), title: title, link: link, published: published,
      thumbnail: coder.option("thumbnail", body?.thumbnail), zeroViews: zeroViews,
      status: coder.option("status", body?.status), reason: coder.option("reason", body?.reason),
      description: coder.option("description", body?.description))
  }
}

extension VideoChanged: FieldSchema {
  static func coded(_ body: VideoChanged?, by coder: inout some FieldCoder) -> VideoChanged? {
    guard let video = coder.member("video", body?.video) else { return nil }
    return VideoChanged(
      video: video,
      feed: coder.option("feed", body?.feed),
      playlist: coder.option("playlist", body?.playlist),
      title: coder.option("title", body?.title),
      link: coder.option("link", body?.link),
      published: coder.option("published", body?.published),
      thumbnail: coder.option("thumbnail", body?.thumbnail),
      zeroViews: coder.option("zeroViews", body?.zeroViews),
      description: coder.option("description", body?.description))
  }
}

extension VideoEnriched: FieldSchema {
  static func coded(_ body: VideoEnriched?, by coder: inout some FieldCoder) -> VideoEnriched? {
    guard let video = coder.member("video", body?.video) else { return nil }
    return VideoEnriched(
      video: video,
      duration: coder.option("duration", body?.duration),
      live: coder.option("live", body?.live),
      scheduled: coder.option("scheduled", body?.scheduled),
      started: coder.option("started", body?.started),
      ended: coder.option("ended", body?.ended))
  }
}

extension VideoRemoved: FieldSchema {
  static func coded(_ body: VideoRemoved?, by coder: inout some FieldCoder) -> VideoRemoved? {
    guard let video = coder.member("video", body?.video), let removed = coder.member("removed", body?.removed) else {
      return nil
    }
    return VideoRemoved(video: video, removed: removed)
  }
}

extension Rule.Verdict: FieldValue {}
extension Rule.Field: FieldValue {}

extension Rule: FieldSchema {
  static func coded(_ body: Rule?, by coder: inout some FieldCoder) -> Rule? {
    guard let id = coder.member("rule", body?.id), let verdict = coder.member("verdict", body?.verdict) else {
      return nil
    }
    var rule = Rule(id: id, verdict: verdict)
    rule.contains = coder.option("contains", body?.contains)
    rule.matches = coder.option("matches", body?.matches)
    rule.field = coder.option("field", body?.field)
    rule.minimumLength = coder.option("minimumLength", body?.minimumLength)
    rule.maximumLength = coder.option("maximumLength", body?.maximumLength)
    rule.short = coder.option("short", body?.short)
    rule.live = coder.option("live", body?.live)
    rule.age = coder.option("age", body?.age)
    rule.tag = coder.option("tag", body?.tag)
    rule.subscription = coder.option("subscription", body?.subscription)
    return rule
  }
}

extension RuleRemoved: FieldSchema {
  static func coded(_ body: RuleRemoved?, by coder: inout some FieldCoder) -> RuleRemoved? {
    coder.member("rule", body?.rule).map { RuleRemoved(rule: $0) }
  }
}

extension RunFinished: FieldSchema {
  static func coded(_ body: RunFinished?, by coder: inout some FieldCoder) -> RunFinished? {
    guard let checked = coder.member("checked", body?.checked),
      let notDue = coder.member("notDue", body?.notDue),
      let failed = coder.member("failed", body?.failed),
      let new = coder.member("new", body?.new),
      let changed = coder.member("changed", body?.changed),
      let gaps = coder.member("gaps", body?.gaps),
      let outage = coder.member("outage", body?.outage),
      let milliseconds = coder.member("milliseconds", body?.milliseconds),
      let bytes = coder.member("bytes", body?.bytes)
    else { return nil }
    return RunFinished(
      checked: checked, notDue: notDue, failed: failed, new: new, changed: changed, gaps: gaps, outage: outage,
      stopped: coder.option("stopped", body?.stopped), milliseconds: milliseconds, bytes: bytes,
      failing: coder.unlessEmpty("failing", body?.failing), recovered: coder.unlessEmpty("recovered", body?.recovered),
      unrequested: coder.option("unrequested", body.flatMap { $0.unrequested == 0 ? nil : $0.unrequested }) ?? 0)
  }
}

extension GapFound: FieldSchema {
  static func coded(_ body: GapFound?, by coder: inout some FieldCoder) -> GapFound? {
    guard let subscription = coder.member("subscription", body?.subscription),
      let after = coder.member("after", body?.after), let before = coder.member("before", body?.before)
    else { return nil }
    return GapFound(subscription: subscription, after: after, before: before)
  }
}

extension GapClosed: FieldSchema {
  static func coded(_ body: GapClosed?, by coder: inout some FieldCoder) -> GapClosed? {
    guard let subscription = coder.member("subscription", body?.subscription),
      let gap = coder.member("gap", body?.gap)
    else { return nil }
    return GapClosed(subscription: subscription, gap: gap)
  }
}

extension FieldCoder {
  /// A list that is omitted if empty.
  fileprivate mutating func unlessEmpty(_ name: StaticString, _ list: [String]?) -> [String] {
    option(name, list?.isEmpty ?? true ? nil : list) ?? []
  }
}
