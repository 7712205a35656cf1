import Core

/// The subscriptions that a command line names: by id, address, handle or title.
struct ChannelNames {
  private let state: State
  private let alsoUnfollowed: Bool

  /// The names of what is followed; with `alsoUnfollowed` of what was followed once too.
  init(_ state: State, alsoUnfollowed: Bool) {
    self.state = state
    self.alsoUnfollowed = alsoUnfollowed
  }

  /// The subscription with this id, address, handle, title or unmistakable part of a title.
  func resolve(_ typed: String) throws -> SubscriptionID {
    switch ChannelNames.reference(typed) {
    case .subscription(let id, _):
      guard alsoUnfollowed || state.channels[id]?.isFollowed == true else {
        throw Failure(.inPart, "\(typed): not followed; see metube-rss channels")
      }
      return id
    case .name(let name): return try named(name, typed)
    case nil: return try titled(typed)
    }
  }

  /// What a text says by itself; nil where it can only be a title.
  private static func reference(_ typed: String) -> ChannelReference? {
    do { return try ChannelReference(typed) } catch { return nil }
  }

  /// The subscriptions there are to choose from, those that are followed first.
  private var choices: [[Channel]] {
    let followed = state.followed
    guard alsoUnfollowed else { return [followed] }
    return [followed, state.channels.values.filter { !$0.isFollowed }.sorted { $0.id < $1.id }]
  }

  /// What a handle or an old name turned out to be; else the channel whose title has the same letters, for whoever
  /// followed it by its id never said its handle.
  private func named(_ name: ChannelName, _ typed: String) throws -> SubscriptionID {
    let wanted = FoldedName(name.description)
    let known = state.handles.values.filter { FoldedName($0.handle) == wanted }.compactMap(\.subscription)
    if let id = known.first(where: { alsoUnfollowed || state.channels[$0]?.isFollowed == true }) { return id }
    let letters = FoldedName(String(name.path.split(separator: "/").last ?? "")).letters
    for channels in choices where !letters.isEmpty {
      let alike = channels.filter { FoldedName($0.title).letters == letters }
      if alike.count == 1 { return alike[0].id }
    }
    throw Failure(.inPart, "\(typed): no channel is known by this name; give its title or id, see metube-rss channels")
  }

  private func titled(_ typed: String) throws -> SubscriptionID {
    let wanted = FoldedName(typed)
    for channels in choices where !wanted.isEmpty {
      let exact = channels.filter { FoldedName($0.title) == wanted }
      let candidates = exact.isEmpty ? channels.filter { FoldedName($0.title).contains(wanted) } : exact
      if candidates.isEmpty { continue }
      if candidates.count == 1 { return candidates[0].id }
      let list = candidates.prefix(5).map { "\($0.id) \(DisplayText($0.title).text)" }.joined(separator: ", ")
      throw Failure(.inPart, "\(typed): \(candidates.count) channels match; name one by its id: \(list)")
    }
    throw Failure(.inPart, "\(typed): no such channel; see metube-rss channels")
  }
}
