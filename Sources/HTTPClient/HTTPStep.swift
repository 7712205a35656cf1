/// A fetcher's next step.
package enum FetchStep: Equatable, Sendable {
  /// Start this request now.
  case request(FetchRequest)
  /// Start nothing for this long, then call `next` again.
  case wait(Duration)
  /// Start nothing until an outcome is reported or the wake descriptor is readable; call `next` again then, or after a
  /// second.
  case idle
  /// Finish the transfers in flight and do not call `next` again.
  case done
}
