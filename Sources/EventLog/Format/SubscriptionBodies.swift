import Core

extension ChannelFollowed: LineBody {
  static func coded(_ body: ChannelFollowed?, by coder: inout some MemberCoder) -> ChannelFollowed? {
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
extension SubscriptionID: LineBody {
  static func coded(_ body: SubscriptionID?, by coder: inout some MemberCoder) -> SubscriptionID? {
    coder.member("subscription", body)
  }
}

extension ChannelChanged: LineBody {
  static func coded(_ body: ChannelChanged?, by coder: inout some MemberCoder) -> ChannelChanged? {
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

extension HandleFollowed: LineBody {
  static func coded(_ body: HandleFollowed?, by coder: inout some MemberCoder) -> HandleFollowed? {
    guard let handle = coder.member("handle", body?.handle) else { return nil }
    return HandleFollowed(
      handle: handle, title: coder.option("title", body?.title), tags: coder.option("tags", body?.tags),
      seenBefore: coder.option("seenBefore", body?.seenBefore))
  }
}

extension HandleUnfollowed: LineBody {
  static func coded(_ body: HandleUnfollowed?, by coder: inout some MemberCoder) -> HandleUnfollowed? {
    coder.member("handle", body?.handle).map { HandleUnfollowed(handle: $0) }
  }
}

extension HandleResolved: LineBody {
  static func coded(_ body: HandleResolved?, by coder: inout some MemberCoder) -> HandleResolved? {
    guard let handle = coder.member("handle", body?.handle),
      let subscription = coder.member("subscription", body?.subscription)
    else { return nil }
    return HandleResolved(handle: handle, subscription: subscription)
  }
}
