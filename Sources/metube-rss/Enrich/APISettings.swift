import Core
import YouTubeAPI

/// The settings of the Data API.
struct APISettings {
  /// The person's key. It is sent in a header and told to nobody.
  let key: String
  /// Scheme, host and port.
  let url: String
  /// The most units of a day.
  let budget: Int

  /// The settings; nil where there is no key. Throws where one of them cannot be.
  init?(_ settings: Settings) throws {
    guard let key = settings["API_KEY"]?.trimmed, !key.isEmpty else { return nil }
    guard key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw Failure(.usage, "METUBE_RSS_API_KEY has letters that no key has")
    }
    self.key = key
    url = try settings.apiURL()
    budget = try APISettings.budget(settings["API_BUDGET"])
  }

  private static func budget(_ setting: String?) throws -> Int {
    guard let setting else { return APIMemory.usualBudget }
    guard let budget = Int(setting), budget >= 0 else {
      throw Failure(.usage, "METUBE_RSS_API_BUDGET is \(setting): it takes a number of units a day")
    }
    return budget
  }
}
