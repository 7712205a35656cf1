import Core
import YouTube

/// Data API settings.
struct APISettings {
  /// The user's API key. Sent in a header, never logged or shown.
  let key: String
  /// Scheme, host and port.
  let url: String
  /// The maximum units per day.
  let budget: Int

  /// The settings; nil without a key. Throws on an invalid setting.
  init?(_ settings: Settings) throws {
    guard let key = settings["API_KEY"]?.trimmed, !key.isEmpty else { return nil }
    guard key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw Failure(.usage, "METUBE_RSS_API_KEY contains characters that are not valid in a key")
    }
    self.key = key
    url = try settings.apiURL()
    budget = try APISettings.budget(settings["API_BUDGET"])
  }

  private static func budget(_ setting: String?) throws -> Int {
    guard let setting else { return APIMemory.usualBudget }
    guard let budget = Int(setting), budget >= 0 else {
      throw Failure(.usage, "METUBE_RSS_API_BUDGET is “\(setting)”; use a number of units per day")
    }
    return budget
  }
}
