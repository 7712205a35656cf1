import Core
import EventLog
import Library
import YouTube

/// What a session works on: a log with its read model, and what is kept beside it. A `FileWorkspace` has all of it in the
/// files of a home, a `DatabaseWorkspace` in the database of a hub; nothing above them distinguishes the two.
package protocol Workspace: AnyObject {
  /// The settings of the terminal's program on this machine.
  var settings: Settings { get }
  var library: any Library { get }
  /// The current time, in milliseconds since 1970.
  var milliseconds: UInt64 { get }
  /// The files, for commands about files; nil in a database.
  var files: FileWorkspace? { get }
  /// Limits the subscriptions that are brought up to date to the ones followed first; nil removes the limit.
  func limitSubscriptions(to count: Int?)

  // MARK: Polling

  /// The polling state as of the session's time, for reports.
  func pollState(for session: Session) throws -> PollState
  /// When feeds that do not fail are requested next, at the earliest, by the polling state.
  func nextPolls(of ids: [SubscriptionID], _ memory: PollState) throws -> [SubscriptionID: Timestamp]
  /// Whether results of requested feeds are not stored, because a poll was killed.
  var hasUnstoredRequests: Bool { get }
  /// Whether the pollers of a database work; nil if the server or the user polls.
  func pollerLife() throws -> PollerLife?
  /// Makes feeds due now, all that are followed if `ids` is nil, but at most `limit` in 15 minutes. Returns false if some
  /// of them were due or being requested already. With files it changes nothing.
  func hurry(_ ids: [SubscriptionID]?, limit: Int) throws -> Bool
  /// Calls `body` while no other process fetches older videos here or, with files, polls. Throws at once if one does.
  func whileAlone(_ body: () throws -> Void) throws

  // MARK: Devices

  /// The logs of the user's devices.
  var deviceLogs: any DeviceLogs { get }
  /// Brings the copy of the catalogue that devices fetch with those logs up to date.
  func copyCatalogue() throws
  /// The logs of what the user sees of the catalogue, if they are not among the device logs.
  func catalogueLogs() throws -> (any ReadableLogs)?
  /// Whether a device writes the catalogue that the user shares with others.
  func isOfCatalogue(_ device: DeviceID) throws -> Bool
  /// Reads the logs anew if another reader found damage in them that is not known here.
  func notice(_ damage: [LogDamage]) throws

  // MARK: The Data API

  /// The view counts of videos as last enriched, without the unknown ones.
  func viewCounts(of videos: [VideoID]) throws -> [VideoID: Int]
  /// Stores view counts; those of a catalogue's videos for all users.
  func keep(views: [VideoID: Int]) throws
  /// Stores what is known of a playlist of which a user of a hub has every entry, so that polls keep it complete; nil if
  /// they no longer do.
  func keep(_ listing: PlaylistListing?, of playlist: PlaylistID) throws
  /// This machine's state of the Data API; empty with a database, whose tables have it.
  func apiState() -> APIState
  /// Stores this machine's state of the Data API; does nothing with a database.
  func keep(_ memory: APIState) throws
  /// The daily units of a key, if all processes share them; nil if `apiState` counts them.
  func sharedUnits(ofKey key: String, budget: Int) -> (any SharedUnits)?
  /// How often a user may request older videos; nil without a limit, where the key is the user's own.
  var olderLimit: (any KeyUseLimit)? { get }
  /// How often a user may search on YouTube; nil as above.
  var searchLimit: (any KeyUseLimit)? { get }
  /// Calls `body` while no other process counts units of the Data API here: with files throws at once if one polls; with
  /// a database calls it at once, because its tables count for all.
  func whileCountingUnits(_ body: () throws -> Void) throws
}

/// The daily units of a Data API key that several processes use.
package protocol SharedUnits {
  /// The units taken today.
  func used() throws -> Int
  /// The units left of the day's budget; 0 while requests pause.
  func left() throws -> Int
  /// Why requests pause, and until when; nil if they do not.
  func pause() throws -> (why: APIFailure, until: Timestamp)?
  /// Takes this many units, if they are left.
  func takeUnits(_ count: Int) throws -> UnitsTaken
  /// Gives back the units of a request that was not sent.
  func returnUnits(_ count: Int) throws
  /// Lets requests with the key pause if a refusal is about it; returns whether the refusal is to be reported: not if the
  /// key was refused for the same reason before, and not accepted since.
  func note(_ failure: APIFailure) throws -> Bool
  /// Notes that the key was accepted.
  func noteAccepted() throws
}

/// The units of one request.
package enum UnitsTaken {
  /// The request may be sent; this many units are left today.
  case taken(left: Int)
  /// The budget has fewer left.
  case none
  /// Requests pause because the key was refused.
  case refused(APIFailure)
}

/// How often a user may let the hub do something with a key that others use too.
package protocol KeyUseLimit {
  /// The requests that a user may make in 24 hours.
  var maximum: Int { get }
  /// Counts one request before it is sent, so that it counts also if the process ends; returns after how many seconds the
  /// user may make it if it is one too many.
  func count() throws -> Int64?
  /// Forgets the request that was counted last: it took no unit.
  func forgetLast() throws
}

/// The limits of what uses a key that several users share.
package enum KeyUses {
  /// The requests of one kind that a user may make in 24 hours.
  package static let maxInADay = 10
}
