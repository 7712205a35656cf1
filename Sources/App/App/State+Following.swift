import Core

extension State {
  /// Whether there are no subscriptions: no channel, playlist or handle.
  package var followsNothing: Bool { !followsAny && unresolved.isEmpty }
}

extension State {
  /// The followed handles whose channel is not known yet, with one of these tags if there are any.
  package func unresolved(_ tags: [String]) -> [HandleFollowed] {
    unresolved.filter { name in tags.isEmpty || (name.tags ?? []).contains { tags.contains($0) } }
  }
}
