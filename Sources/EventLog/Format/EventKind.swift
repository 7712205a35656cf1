import Core

/// The kinds of events, named as in the log.
enum EventKind: String, CaseIterable {
  case channelFollowed
  case channelUnfollowed
  case channelChanged
  case handleFollowed
  case handleUnfollowed
  case handleResolved
  case videoFound
  case videoChanged
  case videoEnriched
  case videoRemoved
  case statusSet
  case savedSet
  case collectionSet
  case progressSet
  case noteSet
  case ruleSet
  case ruleRemoved
  case actionUndone
  case runFinished
  case gapFound
  case gapClosed
}

extension EventBody {
  /// The kind of the event.
  var kind: EventKind {
    switch self {
    case .channelFollowed: .channelFollowed
    case .channelUnfollowed: .channelUnfollowed
    case .channelChanged: .channelChanged
    case .handleFollowed: .handleFollowed
    case .handleUnfollowed: .handleUnfollowed
    case .handleResolved: .handleResolved
    case .videoFound: .videoFound
    case .videoChanged: .videoChanged
    case .videoEnriched: .videoEnriched
    case .videoRemoved: .videoRemoved
    case .statusSet: .statusSet
    case .savedSet: .savedSet
    case .collectionSet: .collectionSet
    case .progressSet: .progressSet
    case .noteSet: .noteSet
    case .ruleSet: .ruleSet
    case .ruleRemoved: .ruleRemoved
    case .actionUndone: .actionUndone
    case .runFinished: .runFinished
    case .gapFound: .gapFound
    case .gapClosed: .gapClosed
    }
  }

  /// Writes the members of the body.
  func write(to line: inout LineWriter) {
    switch self {
    case .channelFollowed(let body): _ = ChannelFollowed.coded(body, by: &line)
    case .channelUnfollowed(let body): _ = SubscriptionID.coded(body, by: &line)
    case .channelChanged(let body): _ = ChannelChanged.coded(body, by: &line)
    case .handleFollowed(let body): _ = HandleFollowed.coded(body, by: &line)
    case .handleUnfollowed(let body): _ = HandleUnfollowed.coded(body, by: &line)
    case .handleResolved(let body): _ = HandleResolved.coded(body, by: &line)
    case .videoFound(let body): _ = VideoFound.coded(body, by: &line)
    case .videoChanged(let body): _ = VideoChanged.coded(body, by: &line)
    case .videoEnriched(let body): _ = VideoEnriched.coded(body, by: &line)
    case .videoRemoved(let body): _ = VideoRemoved.coded(body, by: &line)
    case .statusSet(let body): _ = StatusSet.coded(body, by: &line)
    case .savedSet(let body): _ = SavedSet.coded(body, by: &line)
    case .collectionSet(let body): _ = CollectionSet.coded(body, by: &line)
    case .progressSet(let body): _ = ProgressSet.coded(body, by: &line)
    case .noteSet(let body): _ = NoteSet.coded(body, by: &line)
    case .ruleSet(let body): _ = Rule.coded(body, by: &line)
    case .ruleRemoved(let body): _ = RuleRemoved.coded(body, by: &line)
    case .actionUndone: break
    case .runFinished(let body): _ = RunFinished.coded(body, by: &line)
    case .gapFound(let body): _ = GapFound.coded(body, by: &line)
    case .gapClosed(let body): _ = GapClosed.coded(body, by: &line)
    }
  }

  /// Reads the members of a body of this kind; nil if the line does not contain one.
  init?(_ kind: EventKind, from line: inout LineReader) {
    let body: EventBody? =
      switch kind {
      case .channelFollowed: ChannelFollowed.coded(nil, by: &line).map(EventBody.channelFollowed)
      case .channelUnfollowed: SubscriptionID.coded(nil, by: &line).map(EventBody.channelUnfollowed)
      case .channelChanged: ChannelChanged.coded(nil, by: &line).map(EventBody.channelChanged)
      case .handleFollowed: HandleFollowed.coded(nil, by: &line).map(EventBody.handleFollowed)
      case .handleUnfollowed: HandleUnfollowed.coded(nil, by: &line).map(EventBody.handleUnfollowed)
      case .handleResolved: HandleResolved.coded(nil, by: &line).map(EventBody.handleResolved)
      case .videoFound: VideoFound.coded(nil, by: &line).map(EventBody.videoFound)
      case .videoChanged: VideoChanged.coded(nil, by: &line).map(EventBody.videoChanged)
      case .videoEnriched: VideoEnriched.coded(nil, by: &line).map(EventBody.videoEnriched)
      case .videoRemoved: VideoRemoved.coded(nil, by: &line).map(EventBody.videoRemoved)
      case .statusSet: StatusSet.coded(nil, by: &line).map(EventBody.statusSet)
      case .savedSet: SavedSet.coded(nil, by: &line).map(EventBody.savedSet)
      case .collectionSet: CollectionSet.coded(nil, by: &line).map(EventBody.collectionSet)
      case .progressSet: ProgressSet.coded(nil, by: &line).map(EventBody.progressSet)
      case .noteSet: NoteSet.coded(nil, by: &line).map(EventBody.noteSet)
      case .ruleSet: Rule.coded(nil, by: &line).map(EventBody.ruleSet)
      case .ruleRemoved: RuleRemoved.coded(nil, by: &line).map(EventBody.ruleRemoved)
      case .actionUndone: .actionUndone
      case .runFinished: RunFinished.coded(nil, by: &line).map(EventBody.runFinished)
      case .gapFound: GapFound.coded(nil, by: &line).map(EventBody.gapFound)
      case .gapClosed: GapClosed.coded(nil, by: &line).map(EventBody.gapClosed)
      }
    guard let body, line.isUnderstood else { return nil }
    self = body
  }
}
