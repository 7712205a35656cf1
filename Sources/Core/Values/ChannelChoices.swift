/// Whether one sort of a channel's videos is listed.
package enum Listing: String, CaseIterable, Sendable { case show, hide }

/// In which order the list of one channel is.
package enum ListOrder: String, CaseIterable, Sendable {
  case newest
  /// As a series is watched.
  case oldest
}
