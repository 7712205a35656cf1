import Core

/// The subscriptions that a hub shows and polls of a user, if the log has more than the hub allows.
extension State {
  /// How many channels, playlists and unresolved names are followed.
  package var followedCount: Int {
    channels.values.count(where: \.isFollowed)
      + handles.values.count { $0.subscription == nil && $0.followed != nil }
  }

  /// The state with only the first `maximum` of these as followed, by the time when each was followed. The log of a device
  /// may follow any number.
  package func limited(to maximum: Int) -> State {
    // Nearly always, and cheaper to find out.
    guard channels.count + handles.count > maximum, followedCount > maximum else { return self }
    var followed = channels.values.filter(\.isFollowed).map { ($0.followChanged, Followed.channel($0.id)) }
    followed += handles.values.filter { $0.subscription == nil && $0.followed != nil }
      .map { ($0.followChanged, .name($0.handle)) }
    followed.sort { State.isEarlier($0, $1) }
    var state = self
    for (_, each) in followed.dropFirst(maximum) {
      switch each {
      case .channel(let id): state.channels[id]?.follows = nil
      case .name(let name): state.handles[name]?.decision = nil
      }
    }
    return state
  }

  private enum Followed {
    case channel(SubscriptionID)
    case name(String)

    var text: String {
      switch self {
      case .channel(let id): id.description
      case .name(let name): name
      }
    }
  }

  private static func isEarlier(_ one: (EventID?, Followed), _ other: (EventID?, Followed)) -> Bool {
    // Both have a time, or would not be followed.
    guard let left = one.0, let right = other.0, left != right else { return one.1.text < other.1.text }
    return left < right
  }
}
