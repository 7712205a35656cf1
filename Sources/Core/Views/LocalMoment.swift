/// A moment with the time of day that a person has there.
package struct LocalMoment: Sendable {
  package let time: Timestamp
  /// How many seconds the person's clock is ahead of UTC at some moment.
  package let offset: @Sendable (Timestamp) -> Int64

  package init(_ time: Timestamp, offset: @escaping @Sendable (Timestamp) -> Int64) {
    self.time = time
    self.offset = offset
  }

  /// A moment where clocks show UTC.
  package static func utc(_ time: Timestamp) -> LocalMoment { LocalMoment(time) { _ in 0 } }

  /// The person's day of some moment: `2026-07-01`.
  package func day(of moment: Timestamp) -> String {
    String(moment.adding(seconds: offset(moment)).rfc3339.prefix(10))
  }
}
