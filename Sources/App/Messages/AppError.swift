import Core
import ReadModel

/// Why a use case refuses a request, as evidence. Each front end words it in its own way: `UserMessages` those of the
/// terminal, `HubProblem` those of the API.
package enum AppError: Error, Sendable {
  /// The text is not a time, length of time or duration.
  case notATime(String, RequestMember)
  case notASpan(String, RequestMember)
  case notADuration(String, RequestMember)
  /// The time has passed, or is more than this many years ahead.
  case pastTime(String, RequestMember)
  case distantTime(String, RequestMember, limitYears: Int64)
  /// These members exclude each other.
  case exclusive([RequestMember])
  /// The minimum is greater than the maximum.
  case emptyRange(RequestMember, RequestMember)
  /// A search that would match everything, or has more than this many different words.
  case noWords(RequestMember)
  case tooManyWords(RequestMember, limit: Int)
  /// The text cannot name a thing: it is empty, or has characters that are not seen.
  case emptyName(of: NamedThing)
  case unseenCharacters(String, of: NamedThing)
  /// The built-in collection of saved videos can be neither renamed nor deleted.
  case savedCollection
  /// The text names no channel, or not one.
  case channel(String, ChannelMismatch)
  case unknownTag(String)
  /// A playlist has only one feed.
  case feedOfPlaylist(String)
  case rule(RuleFlaw)
  /// A position, seconds, beyond the end of the video.
  case beyondEnd(Int, of: VideoID, end: Int)
  /// A list cannot be continued.
  case cursor(QueryError)
  case preference(PreferenceFlaw)
  /// A setting of the operator's has a value other than these.
  case setting(String, value: String, choices: [String])
}

/// A member of a request, by its name in the API. The terminal's name is an option, `--min-duration`, or an argument.
package enum RequestMember: String, Sendable, CaseIterable {
  case since, until, seenBefore, olderThan, minDuration, maxDuration
  case search, contains, matches, tag, channel, feed
  case catchUp, mix, oldest, newest, sort, after
  /// The field of a text that a rule checks.
  case field = "in"
  /// When a snooze ends, and a position in a video.
  case snooze, position
}

/// What a user names.
package enum NamedThing: String, Sendable {
  case tag, channel, collection
}

/// Why a text does not name one channel.
package enum ChannelMismatch: Equatable, Sendable {
  /// It is the ID or URL of one that is not followed.
  case notFollowed
  case unknownHandle
  /// No title matches.
  case noTitle
  /// The only title that matches is that of a channel followed earlier.
  case followedEarlier(title: String, SubscriptionID)
  /// Several titles match: the first of them, and how many in all.
  case several([ChannelChoice], count: Int)
}

/// A channel to choose.
package struct ChannelChoice: Equatable, Sendable {
  package var title: String
  package var id: SubscriptionID

  package init(title: String, id: SubscriptionID) {
    (self.title, self.id) = (title, id)
  }
}

/// Why a preference cannot be set.
package enum PreferenceFlaw: Equatable, Sendable {
  /// No preference has the name; the nearest that one has.
  case unknownName(String, nearest: String?)
  /// The preference does not take the value.
  case value(String, of: Preference)
  /// The time zone database of this machine has no zone of the name.
  case unknownZone(String)
  /// Channels have no value of their own.
  case notPerChannel(Preference)
}

/// Why conditions are not a rule.
package enum RuleFlaw: Equatable, Sendable {
  /// The pattern is invalid, or too slow for the videos known.
  case pattern(String, PatternError)
  /// The pattern matches every text.
  case matchesEverything(String)
  /// The field of a text is given without words or a pattern.
  case fieldWithoutText
  /// There is no condition.
  case noCondition
}
