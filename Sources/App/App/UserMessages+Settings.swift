import Core
import Messages
import Platform

/// What the terminal says of settings that cannot be used.
extension UserMessages {
  static func failure(_ error: SettingError) -> Failure {
    if case .notASetting(let path, let line) = error {
      return Failure(.invalidInput, "\(path):\(line): expected KEY=VALUE or a # comment")
    }
    return Failure(.usage, text(of: error))
  }

  private static func text(of error: SettingError) -> String {
    switch error {
    case .notASetting: ""
    case .hubAddress(let name, let value):
      "\(name) is “\(DisplayText(value).text)”; use the hub's address, such as https://example.org/metube"
    case .server(let name, let value):
      "\(name) \(value.map { "is “\(DisplayText($0).text)”" } ?? "contains a user name"); "
        + "use only scheme, host and port, such as https://mirror.example:8080"
    case .proxy(let schemes):
      "METUBE_RSS_PROXY is invalid; use a URL such as http://proxy.example:3128 with scheme "
        + schemes.joined(separator: ", ")
    case .unreadableCertificates(let failure): "METUBE_RSS_CA_FILE: \(failure.message)"
    case .noCertificate(let path): "METUBE_RSS_CA_FILE: \(path): contains no certificate; use a PEM file"
    case .ipVersion(let value): "METUBE_RSS_IP is “\(value)”; use 4 or 6"
    case .timeout(let name, let value): "METUBE_RSS_\(name) is “\(value)”; use seconds from 0.1 to 3600"
    case .emptyHome: "--home: the folder's name is empty"
    case .unknownHome: "HOME is not set; give a folder with --home DIR or METUBE_RSS_HOME"
    case .hookLimit(let value): "METUBE_RSS_ON_NEW_SECONDS is “\(value)”; use 1 to 86400"
    case .hookQuote: "METUBE_RSS_ON_NEW: unclosed quote"
    case .apiKey: "METUBE_RSS_API_KEY contains characters that are not valid in a key"
    case .apiBudget(let value): "METUBE_RSS_API_BUDGET is “\(value)”; use a number of units per day"
    case .enrichment(let value): "METUBE_RSS_ENRICH is “\(value)”; the only value is yt-dlp"
    case .noAPIKey: "--api-fallback needs a YouTube Data API key: set METUBE_RSS_API_KEY"
    case .noGoogleClient:
      "METUBE_RSS_GOOGLE_CLIENT_ID and METUBE_RSS_GOOGLE_CLIENT_SECRET are not both set; "
        + "docs/reference/data-api.md says how to get them"
    }
  }
}
