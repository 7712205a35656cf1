/// One event of the log, immutable once written.
package struct Event: Equatable, Sendable {
  package var id: EventID
  /// The ID of the command's first event, shared by all its events.
  package var action: EventID
  /// The action that this event undoes; nil unless it is part of an undo.
  package var undoes: EventID?
  package var body: EventBody

  package init(id: EventID, action: EventID, undoes: EventID? = nil, body: EventBody) {
    (self.id, self.action, self.undoes, self.body) = (id, action, undoes, body)
  }
}

/// The payload of an event; each case is an event kind of the log, with the same name.
///
/// A nil member means not specified: its register keeps its value.
package enum EventBody: Equatable, Sendable {
  // Subscriptions.
  case channelFollowed(ChannelFollowed)
  case channelUnfollowed(SubscriptionID)
  case channelChanged(ChannelChanged)
  case channelEnriched(ChannelEnriched)
  case handleFollowed(HandleFollowed)
  case handleUnfollowed(HandleUnfollowed)
  case handleResolved(HandleResolved)
  // Feeds of other sites, and their entries.
  case feedFollowed(FeedFollowed)
  case feedUnfollowed(FeedID)
  case feedChanged(FeedChanged)
  case feedMerged(FeedMerged)
  case entryFound(EntryFound)
  case entryChanged(EntryChanged)
  case entriesKnown(EntriesKnown)
  // Videos, as reported by YouTube.
  case videoFound(VideoFound)
  case videoChanged(VideoChanged)
  case videoEnriched(VideoEnriched)
  case videoRemoved(VideoRemoved)
  // Videos, as described by others.
  case videoDescribed(VideoDescribed)
  // User actions.
  case statusSet(StatusSet)
  case savedSet(SavedSet)
  case collectionSet(CollectionSet)
  case collectionChanged(CollectionChanged)
  case progressSet(ProgressSet)
  case noteSet(NoteSet)
  case ruleSet(Rule)
  case ruleRemoved(RuleRemoved)
  case preferenceSet(PreferenceSet)
  /// An undo that had nothing left to undo; the event says which action it targeted.
  case actionUndone
  // Runs.
  case runFinished(RunFinished)
  case gapFound(GapFound)
  case gapClosed(GapClosed)
}

extension EventBody {
  /// Whether this is a user action, which compaction never drops and an undo can revert.
  package var isUserAction: Bool {
    switch self {
    case .channelFollowed, .channelUnfollowed, .handleFollowed, .handleUnfollowed, .feedFollowed, .feedUnfollowed: true
    case .statusSet, .savedSet, .collectionSet, .collectionChanged, .progressSet, .noteSet, .ruleSet, .ruleRemoved,
      .preferenceSet, .actionUndone:
      true
    case .channelChanged(let change): change.isUserAction
    case .feedChanged(let change): change.isUserAction
    case .channelEnriched, .handleResolved, .videoFound, .videoChanged, .videoEnriched, .videoRemoved, .videoDescribed,
      .runFinished, .gapFound, .gapClosed, .feedMerged, .entryFound, .entryChanged, .entriesKnown:
      false
    }
  }
}

extension EventBody {
  /// The video or entry this event concerns; nil if it concerns none.
  package var video: VideoID? {
    switch self {
    case .videoFound(let body): body.video
    case .videoChanged(let body): body.video
    case .videoEnriched(let body): body.video
    case .videoRemoved(let body): body.video
    case .videoDescribed(let body): body.video
    case .statusSet(let body): body.video
    case .savedSet(let body): body.video
    case .progressSet(let body): body.video
    case .noteSet(let body): body.video
    case .collectionSet(let body): body.video
    case .entryFound(let body): body.entry
    case .entryChanged(let body): body.entry
    case .channelFollowed, .channelUnfollowed, .channelChanged, .channelEnriched, .handleFollowed, .handleUnfollowed,
      .handleResolved, .feedFollowed, .feedUnfollowed, .feedChanged, .feedMerged, .entriesKnown, .collectionChanged,
      .ruleSet, .ruleRemoved, .preferenceSet, .actionUndone, .runFinished, .gapFound, .gapClosed:
      nil
    }
  }
}
