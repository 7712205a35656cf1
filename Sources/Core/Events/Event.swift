/// One thing that happened, as the log keeps it for ever.
package struct Event: Equatable, Sendable {
  package var id: EventID
  /// The id of the first event of the same command; all events of one command carry it.
  package var action: EventID
  /// The action that this event takes back, where it is part of an undo.
  package var undoes: EventID?
  package var body: EventBody

  package init(id: EventID, action: EventID, undoes: EventID? = nil, body: EventBody) {
    self.id = id
    self.action = action
    self.undoes = undoes
    self.body = body
  }
}

/// What happened; each case is a kind of the log, under the same name.
///
/// A member that is nil was not said: it leaves its register as it is.
package enum EventBody: Equatable, Sendable {
  // Subscriptions.
  case channelFollowed(ChannelFollowed)
  case channelUnfollowed(SubscriptionID)
  case channelChanged(ChannelChanged)
  case handleFollowed(HandleFollowed)
  case handleUnfollowed(HandleUnfollowed)
  case handleResolved(HandleResolved)
  // Videos, as YouTube showed them.
  case videoFound(VideoFound)
  case videoChanged(VideoChanged)
  case videoEnriched(VideoEnriched)
  case videoRemoved(VideoRemoved)
  // The person's decisions.
  case statusSet(StatusSet)
  case savedSet(SavedSet)
  case collectionSet(CollectionSet)
  case progressSet(ProgressSet)
  case noteSet(NoteSet)
  case ruleSet(Rule)
  case ruleRemoved(RuleRemoved)
  /// An undo that found nothing left to take back; which action it was about, its event says.
  case actionUndone
  // Runs.
  case runFinished(RunFinished)
  case gapFound(GapFound)
  case gapClosed(GapClosed)
}

extension EventBody {
  /// Whether this is a decision of the person, which no compaction drops and an undo can take back.
  package var isDecision: Bool {
    switch self {
    case .channelFollowed, .channelUnfollowed, .handleFollowed, .handleUnfollowed: true
    case .statusSet, .savedSet, .collectionSet, .progressSet, .noteSet, .ruleSet, .ruleRemoved, .actionUndone: true
    case .channelChanged(let change): change.isDecision
    case .handleResolved, .videoFound, .videoChanged, .videoEnriched, .videoRemoved, .runFinished, .gapFound,
      .gapClosed:
      false
    }
  }
}

extension EventBody {
  /// The video that this is about; nil where it is about none.
  package var video: VideoID? {
    switch self {
    case .videoFound(let body): body.video
    case .videoChanged(let body): body.video
    case .videoEnriched(let body): body.video
    case .videoRemoved(let body): body.video
    case .statusSet(let body): body.video
    case .savedSet(let body): body.video
    case .progressSet(let body): body.video
    case .noteSet(let body): body.video
    case .collectionSet(let body): body.video
    case .channelFollowed, .channelUnfollowed, .channelChanged, .handleFollowed, .handleUnfollowed, .handleResolved,
      .ruleSet, .ruleRemoved, .actionUndone, .runFinished, .gapFound, .gapClosed:
      nil
    }
  }
}
