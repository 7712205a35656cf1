import Core

/// A time together with the user's time zone.
package struct LocalMoment: Sendable {
  package let time: Timestamp
  /// The UTC offset of the user's clock at a given time, in seconds, east positive.
  package let offset: @Sendable (Timestamp) -> Int64

  package init(_ time: Timestamp, offset: @escaping @Sendable (Timestamp) -> Int64) {
    self.time = time
    self.offset = offset
  }

  /// A time in UTC.
  package static func utc(_ time: Timestamp) -> LocalMoment { LocalMoment(time) { _ in 0 } }

  /// The local date of a time: `2026-07-01`.
  package func day(of moment: Timestamp) -> String {
    String(moment.adding(seconds: offset(moment)).rfc3339.prefix(10))
  }
}
