extension VideoQuery {
  /// What becomes of a video that matches otherwise.
  enum Fate {
    case shown, upcoming, short, stream, blocked, unknownLength, otherLength
    /// Neither hidden nor asked for: only Shorts are, or only what is upcoming.
    case otherSort
  }

  /// What becomes of a video by what it is. `areShortsListed` and `areStreamsHidden` are what the person chose for where
  /// it comes from, which counts where the query itself says nothing.
  func fate(
    isUpcoming: Bool, isShort: Bool, isStream: Bool, areShortsListed: Bool, areStreamsHidden: Bool
  ) -> Fate {
    if upcoming == .only, !isUpcoming { return .otherSort }
    if shorts == .only, !isShort { return .otherSort }
    if (upcoming ?? (hidesNothing ? .show : .hide)) == .hide, isUpcoming { return .upcoming }
    if (shorts ?? (hidesNothing || areShortsListed ? .show : .hide)) == .hide, isShort { return .short }
    let asksForStreams = hidesNothing || streamsOnly || upcoming == .only
    return isStream && areStreamsHidden && !asksForStreams ? .stream : .shown
  }
}
