import Core
import JSON

/// Why a Data API request gave no usable response.
package enum APIFailure: Error, Equatable, Sendable {
  /// The day's quota is used up.
  case quotaExceeded
  /// The key is invalid or not allowed here; `reason` is the API's own term: `API_KEY_INVALID`.
  case badKey(reason: String)
  /// Too many requests in a short time.
  case tooMany
  /// The requested resource does not exist, for example a channel's playlist of Shorts.
  case missing
  /// Any other client error.
  case refused(status: Int, reason: String)
  /// A server error (status 500 or higher), or a response that is not an API error.
  case failing(status: Int)
  /// A malformed response with status 200.
  case malformed
}

extension APIFailure {
  /// The name of a refusal that concerns every request with the same key, such as `quotaExceeded`; nil of the others.
  package var ofKey: String? {
    switch self {
    case .quotaExceeded: "quotaExceeded"
    case .tooMany: "rateLimitExceeded"
    case .badKey(let reason): reason
    case .missing, .refused, .failing, .malformed: nil
    }
  }

  /// The refusal with this name.
  package init(ofKey name: String) { self = APIFailure.table[name] ?? .badKey(reason: name) }

  /// Until when no request with a key that was refused is worth a unit; nil if the refusal is not about the key.
  package func pauseEnd(at now: Timestamp) -> Timestamp? {
    switch self {
    case .quotaExceeded: PacificDay.end(of: now)
    case .tooMany: now.adding(seconds: 300)
    // Somebody has to change something.
    case .badKey: now.adding(seconds: 3600)
    case .missing, .refused, .failing, .malformed: nil
    }
  }
}

extension APIFailure {
  /// Parses a response whose status is not 200.
  ///
  /// ```
  /// {"error":{"code":403,"errors":[{"domain":"youtube.quota","reason":"quotaExceeded"}],
  ///   "details":[{"reason":"API_KEY_INVALID"}]}}
  /// ```
  package init(status: Int, body: [UInt8]) {
    let error = JSONValue(body)?["error"]
    let reasons = APIFailure.reasons(in: error)
    let known = reasons.lazy.compactMap { APIFailure.table[$0] }.first
    let isDaily = error?["message"]?.string?.contains("per day") ?? false
    switch (known, status) {
    case (_, 500...): self = .failing(status: status)
    case (.tooMany?, _), (nil, 429): self = isDaily ? .quotaExceeded : .tooMany
    case (let known?, _): self = known
    case (nil, 404): self = error == nil ? .failing(status: status) : .missing
    case (nil, 400), (nil, 401), (nil, 403):
      self = APIFailure.refusal(status, reasons)
    default: self = .refused(status: status, reason: reasons.first ?? "unknown")
    }
  }

  private static func refusal(_ status: Int, _ reasons: [String]) -> APIFailure {
    guard let reason = reasons.first else { return .failing(status: status) }
    // Every 403 seen without a more specific reason was about the key or its project.
    let isAboutKey = status != 400 || reasons.contains { $0.hasPrefix("API_KEY_") }
    return isAboutKey ? .badKey(reason: reason) : .refused(status: status, reason: reason)
  }

  /// The reasons given in the error, most specific first.
  private static func reasons(in error: JSONValue?) -> [String] {
    let details = error?["details"]?.elements ?? []
    let errors = error?["errors"]?.elements ?? []
    let reasons = (details + errors).compactMap { $0["reason"]?.string } + [error?["status"]?.string].compactMap(\.self)
    // These are shown to the user, so only letters, digits and the like pass.
    return reasons.filter { $0.utf8.count <= 64 && $0.utf8.allSatisfy { $0 == 0x5F || (0x41...0x7A).contains($0) } }
  }

  private static let table: [String: APIFailure] = [
    "quotaExceeded": .quotaExceeded, "dailyLimitExceeded": .quotaExceeded,
    "rateLimitExceeded": .tooMany, "userRateLimitExceeded": .tooMany, "RATE_LIMIT_EXCEEDED": .tooMany,
    "API_KEY_INVALID": .badKey(reason: "API_KEY_INVALID"), "keyInvalid": .badKey(reason: "keyInvalid"),
    "keyExpired": .badKey(reason: "keyExpired"), "API_KEY_EXPIRED": .badKey(reason: "API_KEY_EXPIRED"),
    "playlistNotFound": .missing, "playlistItemsNotAccessible": .missing, "channelNotFound": .missing,
  ]
}
