extension VideoQuery {
  /// What becomes of a video that matches otherwise.
  enum Fate { case shown, upcoming, short, stream, blocked, unknownLength, otherLength }

  /// What becomes of a video by what it is. `areShortsListed` and `areStreamsHidden` are what the person chose for where
  /// it comes from, which counts where the query itself says nothing.
  func fate(
    isUpcoming: Bool, isShort: Bool, isStream: Bool, areShortsListed: Bool, areStreamsHidden: Bool
  ) -> Fate {
    if (upcoming ?? (hidesNothing ? .show : .hide)).hides(isUpcoming) { return .upcoming }
    if (shorts ?? (hidesNothing || areShortsListed ? .show : .hide)).hides(isShort) { return .short }
    let asksForStreams = hidesNothing || streamsOnly || upcoming == .only
    return isStream && areStreamsHidden && !asksForStreams ? .stream : .shown
  }
}

extension VideoQuery.Visibility {
  /// Whether a video is hidden that is, or is not, of the sort in question.
  fileprivate func hides(_ isOfSort: Bool) -> Bool {
    switch self {
    case .hide: isOfSort
    case .show: false
    case .only: !isOfSort
    }
  }
}
