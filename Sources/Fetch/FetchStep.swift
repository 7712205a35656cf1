/// What a fetcher is to do next.
package enum FetchStep: Equatable, Sendable {
  /// Start this now.
  case request(FetchRequest)
  /// Nothing for so long; then ask again.
  case wait(Duration)
  /// Nothing until an outcome is told or the wake descriptor is readable; then, or in a second, ask again.
  case idle
  /// Nothing more at all: finish what is in hand and ask no more.
  case done
}
