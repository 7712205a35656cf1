/// Whether one kind of a channel's videos is listed.
package enum Listing: String, CaseIterable, Sendable { case show, hide }

/// The order of a single channel's list.
package enum ListOrder: String, CaseIterable, Sendable {
  case newest
  /// In viewing order, for a series.
  case oldest
}
