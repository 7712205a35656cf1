import Core
import HTTPClient

extension RetryAfter {
  /// The seconds to wait from `now`.
  package func seconds(at now: Timestamp) -> Int64 {
    switch self {
    case .seconds(let seconds): Int64(seconds)
    case .date(let date): max(0, Int64(date) - now.seconds)
    }
  }
}
