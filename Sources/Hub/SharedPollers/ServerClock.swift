import Platform

/// The clock of the database's server, the one that all pollers share, between two looks at it.
///
/// It may be ahead of the server's by the time that the look took, and never behind: a request counts as sent later, and
/// a claim as ended sooner.
struct ServerClock {
  private let time: Int
  private let steady: Int

  /// The clock that showed `time`, in milliseconds since 1970, when it was looked at, not before `steady` of the
  /// monotonic clock.
  init(_ time: Int, since steady: Int) { (self.time, self.steady) = (time, steady) }

  /// The current time in milliseconds since 1970.
  var milliseconds: Int { time + Clock.steady() - steady }
}
