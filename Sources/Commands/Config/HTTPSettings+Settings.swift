import HTTPClient

/// HTTP settings from this machine's configuration.
///
/// Besides `METUBE_RSS_PROXY`, `METUBE_RSS_CA_FILE` and `METUBE_RSS_IP` there are three timeouts for slow networks and
/// tests, in seconds such as `90` or `0.5`: `METUBE_RSS_TIMEOUT` for a whole response (60),
/// `METUBE_RSS_CONNECT_TIMEOUT` for connecting (15), `METUBE_RSS_STALL_TIMEOUT` for a response that stalls (20, whole
/// seconds).
extension HTTPSettings {
  /// The settings for `jobs` concurrent requests.
  init(_ settings: Settings, jobs: Int) throws {
    self.init(userAgent: Version.userAgent)
    self.jobs = jobs
    proxy = try settings.proxy()
    caFile = try settings.certificates()
    ipVersion = try HTTPSettings.ipVersion(settings["IP"])
    totalTimeout = try HTTPSettings.duration("TIMEOUT", settings) ?? totalTimeout
    connectTimeout = try HTTPSettings.duration("CONNECT_TIMEOUT", settings) ?? connectTimeout
    stallTime = try HTTPSettings.duration("STALL_TIMEOUT", settings) ?? stallTime
    // YouTube redirects Europeans to consent.youtube.com; a redirect beyond youtube.com leads to nothing useful.
    redirectHosts = [HTTPSettings.host(of: try settings.feedsURL()), "youtube.com"]
    allowsOtherPorts = settings["FEEDS_URL"] != nil
  }

  private static func ipVersion(_ setting: String?) throws -> IPVersion {
    switch setting {
    case nil: return .any
    case "4": return .v4
    case "6": return .v6
    case .some(let other): throw Failure(.usage, "METUBE_RSS_IP is “\(other)”; use 4 or 6")
    }
  }

  private static func duration(_ name: String, _ settings: Settings) throws -> Duration? {
    guard let text = settings[name] else { return nil }
    guard let seconds = Double(text), (0.1...3600).contains(seconds) else {
      throw Failure(.usage, "METUBE_RSS_\(name) is “\(text)”; use seconds from 0.1 to 3600")
    }
    return .milliseconds(Int(seconds * 1000))
  }

  /// The host of a URL as libcurl names it: an IPv6 address keeps its brackets.
  private static func host(of url: String) -> String {
    let authority = url.drop { $0 != "/" }.drop { $0 == "/" }
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") { return String(authority[...end]) }
    return String(authority.prefix { $0 != ":" })
  }
}

extension HTTPSession {
  /// A fetcher with this machine's settings, for `jobs` concurrent requests.
  convenience init(_ settings: Settings, jobs: Int) throws {
    let settings = try HTTPSettings(settings, jobs: jobs)
    do { try self.init(settings) } catch { throw UserMessages.failure(error) }
  }
}
