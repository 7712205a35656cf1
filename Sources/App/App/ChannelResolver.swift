import Core
import Messages

/// Resolves what users call subscriptions (ID, URL, handle or title).
package struct ChannelResolver {
  private let state: State
  private let alsoUnfollowed: Bool

  /// Considers followed subscriptions; with `alsoUnfollowed` also formerly followed ones.
  package init(_ state: State, alsoUnfollowed: Bool) { (self.state, self.alsoUnfollowed) = (state, alsoUnfollowed) }

  /// The subscription with this ID, URL, handle, title or unique part of a title. Throws if none or several match.
  package func resolve(_ typed: String) throws(AppError) -> SubscriptionID {
    switch ChannelResolver.reference(typed) {
    case .subscription(let id, _):
      guard alsoUnfollowed || state.channels[id]?.isFollowed == true else {
        throw .channel(typed, .notFollowed)
      }
      return id
    case .name(let name): return try named(name, typed)
    case nil:
      if let feed = feed(at: typed) { return feed }
      return try titled(typed)
    }
  }

  /// The feed of another site that is, or was first followed, at an address; nil if no known one is.
  private func feed(at typed: String) -> SubscriptionID? {
    guard let address = FeedAddress(typed) else { return nil }
    let first = SubscriptionID.feed(FeedID(of: address))
    if state.channels[first]?.isFollowed == true { return first }
    let moved = state.feedsByAddress[address].map { SubscriptionID.feed($0) }
    return moved ?? (alsoUnfollowed && state.channels[first] != nil ? first : nil)
  }

  /// The subscription that a text names by its ID or URL; nil if it may be a handle or title.
  static func id(_ typed: String) -> SubscriptionID? {
    if case .subscription(let id, _) = reference(typed) { id } else { nil }
  }

  /// The parsed reference; nil if the text can only be a title.
  private static func reference(_ typed: String) -> ChannelReference? {
    if let feed = FeedID(typed) { return .subscription(.feed(feed), .channel) }
    return try? ChannelReference(typed)  // Whatever is wrong with it as a reference, it may be a title.
  }

  /// The candidates in order of preference: followed first.
  private var choices: [[Channel]] {
    let followed = state.followed
    guard alsoUnfollowed else { return [followed] }
    return [followed, state.channels.values.filter { !$0.isFollowed }.sorted { $0.id < $1.id }]
  }

  /// The channel of a resolved handle or legacy name; else the channel whose title equals it, ignoring blanks and the
  /// like, because the handle of a channel followed by ID is unknown.
  private func named(_ name: ChannelName, _ typed: String) throws(AppError) -> SubscriptionID {
    if let id = known(by: { $0 == name.description }) { return id }
    let wanted = NormalizedName(name.description)
    if let id = known(by: { NormalizedName($0) == wanted }) { return id }
    let handle = NormalizedName(String(name.path.split(separator: "/").last ?? "").drop { $0 == "@" }.description)
      .joined
    for channels in choices where !handle.isEmpty {
      let alike = channels.filter { NormalizedName($0.title).joined == handle }
      if alike.count == 1 { return alike[0].id }
    }
    throw .channel(typed, .unknownHandle)
  }

  /// The channel of a matching resolved handle, preferring a followed one; nil if none.
  private func known(by isWanted: (String) -> Bool) -> SubscriptionID? {
    let found = state.handles.values.filter { isWanted($0.handle) }.compactMap(\.subscription).sorted()
    let followed = found.first { state.channels[$0]?.isFollowed == true }
    return followed ?? (alsoUnfollowed ? found.first : nil)
  }

  private func titled(_ typed: String) throws(AppError) -> SubscriptionID {
    let wanted = NormalizedName(typed)
    guard !wanted.isEmpty else { throw .channel(typed, .noTitle) }
    let best = matches(of: wanted, in: choices.flatMap(\.self))
    let followed = best.filter(\.isFollowed)
    if let id = try only(followed.isEmpty ? best : followed, typed) { return id }
    let former = matches(of: wanted, in: state.channels.values.filter { !$0.isFollowed })
    guard !alsoUnfollowed, former.count == 1 else { throw .channel(typed, .noTitle) }
    throw .channel(typed, .followedEarlier(title: former[0].title, former[0].id))
  }

  /// The channels whose titles match best: equal the words, begin with them, have them at the beginning of a word, or
  /// just contain them.
  private func matches(of wanted: NormalizedName, in channels: [Channel]) -> [Channel] {
    let found = channels.compactMap { channel in
      NormalizedName(channel.title).match(wanted).map { (channel, $0) }
    }
    let best = found.map(\.1).min()
    // Punctuation alone would match too many titles.
    guard best == .equal || !wanted.joined.isEmpty else { return [] }
    return found.filter { $0.1 == best }.map(\.0)
  }

  /// The only matching channel; nil if none. Throws if several match.
  private func only(_ matching: [Channel], _ typed: String) throws(AppError) -> SubscriptionID? {
    if matching.count < 2 { return matching.first?.id }
    let first = matching.prefix(5).map { ChannelChoice(title: $0.title, id: $0.id) }
    throw .channel(typed, .several(first, count: matching.count))
  }
}
