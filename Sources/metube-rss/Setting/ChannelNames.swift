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

  /// What a handle or an old name turned out to be; else the channel whose title is it, but for blanks and the like,
  /// for whoever followed it by its id never said its handle.
  private func named(_ name: ChannelName, _ typed: String) throws -> SubscriptionID {
    if let id = known(typed, by: { $0 == name.description }) { return id }
    let wanted = FoldedName(name.description)
    if let id = known(typed, by: { FoldedName($0) == wanted }) { return id }
    let handle = FoldedName(String(name.path.split(separator: "/").last ?? "").drop { $0 == "@" }.description).joined
    for channels in choices where !handle.isEmpty {
      let alike = channels.filter { FoldedName($0.title).joined == handle }
      if alike.count == 1 { return alike[0].id }
    }
    throw Failure(.inPart, "\(typed): no channel is known by this name; give its title or id, see metube-rss channels")
  }

  /// The channel that one handle turned out to be; one that is followed first. Nil where none is such.
  private func known(_ typed: String, by isWanted: (String) -> Bool) -> SubscriptionID? {
    let found = state.handles.values.filter { isWanted($0.handle) }.compactMap(\.subscription).sorted()
    let followed = found.first { state.channels[$0]?.isFollowed == true }
    return followed ?? (alsoUnfollowed ? found.first : nil)
  }

  private func titled(_ typed: String) throws -> SubscriptionID {
    let wanted = FoldedName(typed)
    guard !wanted.isEmpty else { throw none(typed) }
    for channels in choices {
      if let id = try only(channels.filter { FoldedName($0.title) == wanted }, typed) { return id }
    }
    // Signs alone are a part of too much.
    guard !wanted.joined.isEmpty else { throw none(typed) }
    for channels in choices {
      if let id = try only(channels.filter { FoldedName($0.title).contains(wanted) }, typed) { return id }
    }
    throw none(typed)
  }

  /// The one channel that matches; nil where none does. Throws where several do.
  private func only(_ matching: [Channel], _ typed: String) throws -> SubscriptionID? {
    if matching.count < 2 { return matching.first?.id }
    let list = matching.prefix(5).map { "\($0.id) \(DisplayText($0.title).text)" }.joined(separator: ", ")
    throw Failure(.inPart, "\(typed): \(matching.count) channels match; name one by its id: \(list)")
  }

  private func none(_ typed: String) -> Failure {
    Failure(.inPart, "\(typed): no such channel; see metube-rss channels")
  }
}
