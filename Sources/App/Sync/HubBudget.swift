/// The time that a hub may cost, in milliseconds: requests and the pauses after failed ones spend it, and lines that
/// arrive on either side earn it back. A long exchange over a slow network goes on; a hub that hangs, drips or keeps
/// answering with nothing ends it.
package struct HubBudget: Equatable {
  private(set) var left: Int

  /// The maximum budget, milliseconds.
  static let maximum = 15_000
  package static let whole = HubBudget(milliseconds: maximum)
  /// The time for a hub that failed before.
  static let ofFailing = HubBudget(milliseconds: 5_000)
  /// The shortest time worth a request, and what is kept for each repetition, so that those before may end late.
  private static let least = 500
  private static let share = 1_000

  private init(milliseconds: Int) { left = milliseconds }

  var isSpent: Bool { left < HubBudget.least }

  mutating func spend(_ milliseconds: Int) { left = max(0, left - milliseconds) }

  /// Notes that lines of this many bytes arrived: a second, and one for each 64,000 bytes.
  mutating func earn(bytes: Int) { left = min(HubBudget.maximum, left + 1_000 + bytes / 64) }

  /// The seconds to wait before each repetition of a request.
  static func pause(before repetition: Int) -> Int { [1, 2, 4][min(repetition, 2)] }

  /// How long a request may take after `repetitions` of `maximum` that are allowed: what is left, less the pauses before up to
  /// three further attempts and their shares.
  func timeout(after repetitions: Int, of maximum: Int) -> Int {
    let reserve = (repetitions..<max(repetitions, min(maximum, 3))).reduce(0) { sum, repetition in
      sum + HubBudget.pause(before: repetition) * 1000 + HubBudget.share
    }
    return max(HubBudget.least, left - reserve)
  }

  /// Whether a pause of this many seconds leaves time for another request.
  func allows(pause seconds: Int) -> Bool { left >= seconds * 1000 + HubBudget.least }
}
