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
  /// The kind of the event, and what has the schema of its members; nil if it has no members.
  private var content: (kind: EventKind, body: (any FieldSchema)?) {
    switch self {
    case .channelFollowed(let body): (.channelFollowed, body)
    case .channelUnfollowed(let body): (.channelUnfollowed, body)
    case .channelChanged(let body): (.channelChanged, body)
    case .handleFollowed(let body): (.handleFollowed, body)
    case .handleUnfollowed(let body): (.handleUnfollowed, body)
    case .handleResolved(let body): (.handleResolved, body)
    case .videoFound(let body): (.videoFound, body)
    case .videoChanged(let body): (.videoChanged, body)
    case .videoEnriched(let body): (.videoEnriched, body)
    case .videoRemoved(let body): (.videoRemoved, body)
    case .statusSet(let body): (.statusSet, body)
    case .savedSet(let body): (.savedSet, body)
    case .collectionSet(let body): (.collectionSet, body)
    case .progressSet(let body): (.progressSet, body)
    case .noteSet(let body): (.noteSet, body)
    case .ruleSet(let body): (.ruleSet, body)
    case .ruleRemoved(let body): (.ruleRemoved, body)
    case .actionUndone: (.actionUndone, nil)
    case .runFinished(let body): (.runFinished, body)
    case .gapFound(let body): (.gapFound, body)
    case .gapClosed(let body): (.gapClosed, body)
    }
  }

  /// The kind of the event.
  var kind: EventKind { content.kind }

  /// Writes the members of the body.
  func write(to line: inout LineWriter) { content.body?.writeMembers(to: &line) }

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

extension FieldSchema {
  fileprivate func writeMembers(to line: inout LineWriter) { _ = Self.coded(self, by: &line) }
}
