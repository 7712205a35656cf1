import Core
import Glibc
import HTTPClient
import Messages
import Platform

/// This machine's settings, from the environment, else the `env` file.
package struct Settings: Sendable {
  /// A line of the settings file.
  private struct Line: Sendable {
    let number: Int
    let value: String
  }

  private let program: SettingNames
  private let environment: [String: String]
  private let file: [String: Line]
  /// The path of the settings file.
  package let path: String

  /// Reads the settings from a file of `KEY=VALUE` lines and an environment. A missing file counts as empty; throws on
  /// an invalid line.
  package init(environment: [String: String], file path: String, of program: SettingNames = .terminal) throws {
    (self.environment, self.program) = (environment, program)
    self.path = path
    file = try Settings.read(path)
  }

  /// The settings of a user who has not chosen a folder: from the environment, else the `env` file at its usual path.
  package static func standard(of program: SettingNames = .terminal) throws -> Settings {
    let environment = Environment.variables()
    let home = try Home(folder: nil, environment: environment)
    return try Settings(environment: environment, file: home.settings, of: program)
  }

  /// The value of a setting, named without its prefix; blank counts as unset.
  package subscript(name: String) -> String? { entry(name)?.value }

  /// The value of a setting, and its line in the settings file unless the environment has it; nil if unset.
  package func entry(_ name: String) -> (value: String, line: Int?)? {
    let key = program.prefix + name
    let found = environment[key].map { ($0, nil) } ?? file[key].map { ($0.value, $0.number) }
    return found.flatMap { $0.0.withoutBlanks.isEmpty ? nil : $0 }
  }

  /// All settings that may be set, without their prefix, and their defaults.
  package var known: [(name: String, standard: String?)] {
    var known = program.known
    guard let index = known.firstIndex(where: { $0.name == "EXPORT" }) else { return known }
    known.insert(contentsOf: names(beginningWith: "EXPORT_").map { ($0, nil) }, at: index + 1)
    return known
  }

  /// The sorted names of the settings that begin so, without their prefix.
  package func names(beginningWith start: String) -> [String] {
    let keys = Set(environment.keys).union(file.keys).filter { $0.hasPrefix(program.prefix + start) }
    return keys.map { String($0.dropFirst(program.prefix.count)) }.sorted()
  }

  /// The name of a setting with its prefix.
  package func key(_ name: String) -> String { program.prefix + name }

  /// All variables in a settings file, as systemd passes them to a service.
  package static func variables(in path: String) throws -> [String: String] { try read(path).mapValues(\.value) }

  private static func read(_ path: String) throws -> [String: Line] {
    guard access(path, F_OK) == 0 else { return [:] }
    var values: [String: Line] = [:]
    for (number, line) in try File.read(path, limit: 1 << 20).split(separator: 10, omittingEmptySubsequences: false)
      .enumerated()
    {
      let text = String(decoding: line, as: UTF8.self).withoutBlanks
      guard !text.isEmpty, !text.hasPrefix("#") else { continue }
      guard let equals = text.firstIndex(of: "=") else {
        throw Failure(SettingError.notASetting(path: path, line: number + 1))
      }
      let value = unquoted(String(text[equals...].dropFirst().withoutBlanks))
      values[String(text[..<equals].withoutBlanks)] = Line(number: number + 1, value: value)
    }
    return values
  }

  /// The value without enclosing quotes. Quotes around single words in it stay.
  private static func unquoted(_ value: String) -> String {
    guard value.count >= 2, let quote = value.first, quote == "\"" || quote == "'" else { return value }
    let rest = value.dropFirst()
    guard rest.firstIndex(of: quote) == rest.indices.last else { return value }
    return String(rest.dropLast())
  }
}

/// The settings of a program.
package struct SettingNames: Sendable {
  /// The prefix of the names: `METUBE_RSS_`.
  package let prefix: String
  /// All settings as in the docs, without the prefix, and their defaults.
  package let known: [(name: String, standard: String?)]
  /// Secrets: never shown, and passed to no other program.
  package let secrets: [String]
  /// The command that shows them.
  package let command: String

  /// Those of metube-rss: docs/reference/settings.md.
  package static let terminal = SettingNames(
    prefix: "METUBE_RSS_", known: Settings.known, secrets: ["API_KEY", "GOOGLE_CLIENT_SECRET", "HUB_TOKEN"],
    command: "metube-rss config")

  /// Those of metube-hub: docs/reference/hub-settings.md.
  package static let hub = SettingNames(
    prefix: "METUBE_HUB_",
    known: [
      ("HOME", nil), ("DATA", nil), ("DATABASE", nil), ("SCHEMA", "metube"), ("CONNECTIONS", "8"),
      ("LISTEN", "127.0.0.1:5057"), ("PUBLIC_URL", nil), ("TRUSTED_PROXY", nil),
      ("POLL", "yes"), ("ADDRESS", nil), ("TIMEOUT", "30"), ("LOG_REQUESTS", "no"), ("WEBSUB_HUB", nil),
      ("METUBE", "no"),
      ("PUSH", "no"), ("WAIT", "60"), ("SUBSCRIPTIONS", "10000"), ("FIRST_USER", nil), ("FIRST_PASSWORD_FILE", nil),
      ("GOOGLE_KEY_FILE", nil),
    ], secrets: ["DATABASE"], command: "metube-hub config")
}

/// The names of settings.
extension Settings {
  /// All settings as in docs/reference/settings.md, without `METUBE_RSS_`, and their defaults.
  package static let known: [(name: String, standard: String?)] = [
    ("HOME", nil), ("EXPORT", nil), ("ON_NEW", nil), ("ON_NEW_SECONDS", "60"),
    ("PLAYER", "mpv {url}, else xdg-open {url}"),
    ("PAGER", "less"), ("READ_MEANS", "watched"), ("ORDER", "newest"), ("ENRICH", nil), ("OEMBED", "yes"),
    ("API_KEY", nil),
    ("API_BUDGET", "5000"), ("API_URL", "https://www.googleapis.com"), ("GOOGLE_CLIENT_ID", nil),
    ("GOOGLE_CLIENT_SECRET", nil), ("GOOGLE_URL", nil), ("GOOGLE_SYNC", "no"), ("HUB", nil), ("HUB_TOKEN", nil),
    ("FEEDS_URL", "https://www.youtube.com"), ("PRIVATE_NETWORKS", "no"), ("PROXY", nil), ("CA_FILE", nil),
    ("IP", nil), ("TIMEOUT", "60"), ("CONNECT_TIMEOUT", "15"), ("STALL_TIMEOUT", "20"),
  ]

  /// Whether a setting is a secret.
  package func isSecret(_ name: String) -> Bool { program.secrets.contains(name) }

  /// What is wrong with the names of settings and with the settings file's mode, for the user.
  package var findings: [String] {
    let unknown = (environment.keys.map { ($0, "the environment") } + lines.map { ($0.key, "\(path):\($0.number)") })
      .sorted { $0 < $1 }.compactMap { key, source in complaint(about: key).map { "\(source): \($0)" } }
    return unknown + writers
  }

  private var lines: [(key: String, number: Int)] { file.map { ($0.key, $0.value.number) } }

  /// Why nothing reads this variable although its name says that it is ours; nil if something does, or it is not ours.
  private func complaint(about key: String) -> String? {
    let parts = key.split(separator: " ", maxSplits: 1).map(String.init)
    guard let last = parts.last, last.hasPrefix(program.prefix) else { return nil }
    guard parts.count == 1 else { return "“\(key)” is not a setting; write \(last)=…" }
    let name = String(key.dropFirst(program.prefix.count))
    let names = program.known.map(\.name)
    let hasExports = names.contains("EXPORT")
    guard !names.contains(name), !(hasExports && name.hasPrefix("EXPORT_") && name != "EXPORT_") else { return nil }
    let hint = Spelling.nearest(to: name, of: names + (hasExports ? ["EXPORT_ALL"] : []))
    return "\(key) is not a setting; \(hint.map { "did you mean \(program.prefix)\($0)?" } ?? "see \(program.command)")"
  }

  /// Who else may write the settings file: it names programs that polls run.
  private var writers: [String] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    var findings: [String] = []
    if status.st_uid != geteuid(), status.st_uid != 0 { findings.append("\(path): owned by user \(status.st_uid)") }
    // A private group of the user's own, as Debian creates, has no other member.
    let others: mode_t = status.st_gid == getegid() ? 0o002 : 0o022
    if status.st_mode & others != 0 {
      findings.append("\(path): writable by other users; chmod go-w makes it yours alone")
    }
    return findings
  }
}

extension Settings {
  /// Whether titles of videos that no feed has shown are requested from YouTube. Throws if the setting is neither.
  package func usesOEmbed() throws(AppError) -> Bool { try isOn("OEMBED", standard: "yes") }

  /// Whether feeds of other sites may be on this machine and in private networks, on any port, or behind a proxy. Throws if
  /// the setting is neither.
  package func allowsPrivateNetworks() throws(AppError) -> Bool { try isOn("PRIVATE_NETWORKS", standard: "no") }

  private func isOn(_ name: String, standard: String) throws(AppError) -> Bool {
    switch self[name] ?? standard {
    case "yes": true
    case "no": false
    case let other: throw .setting(key(name), value: other, choices: ["yes", "no"])
    }
  }
}

/// Server and network settings. An invalid value throws before any request is sent.
extension Settings {
  /// The feed server: scheme, host and port; YouTube's unless a mirror or a test is set.
  package func feedsURL() throws -> String { try server("FEEDS_URL") ?? "https://www.youtube.com" }

  /// The Data API server: scheme, host and port; Google's unless a test is set.
  package func apiURL() throws -> String { try server("API_URL") ?? "https://www.googleapis.com" }

  /// The server of Google's logins: scheme, host and port; nil for Google's own.
  package func googleURL() throws -> String? { try server("GOOGLE_URL") }

  /// The hub of this device: scheme, host, port, and the path below which a proxy serves it; nil if unset.
  package func hubURL() throws -> String? { try self["HUB"].map { try Settings.hub($0, "METUBE_RSS_HUB") } }

  /// The URL of a hub in a text that the user gave under a name.
  package static func hub(_ setting: String, _ name: String) throws -> String {
    let path = setting.firstRange(of: "://").flatMap { setting[$0.upperBound...].firstIndex(of: "/") }
    let server = try server(String(setting[..<(path ?? setting.endIndex)]), name)
    var parts = setting[(path ?? setting.endIndex)...].dropFirst().split(
      separator: "/", omittingEmptySubsequences: false)
    if parts.last == "" { parts.removeLast() }
    guard parts.allSatisfy(isPlainPart) else {
      throw Failure(SettingError.hubAddress(name: name, value: setting))
    }
    return ([server] + parts.map(String.init)).joined(separator: "/")
  }

  /// Whether a part of a path needs no encoding.
  private static func isPlainPart(_ part: Substring) -> Bool {
    !["", ".", ".."].contains(part)
      && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "." || $0 == "_") }
  }

  /// The scheme, host and port in a setting; nil if unset.
  private func server(_ name: String) throws -> String? {
    try self[name].map { try Settings.server($0, "METUBE_RSS_\(name)") }
  }

  /// The scheme, host and port in a text that the user gave under a name.
  package static func server(_ setting: String, _ name: String) throws -> String {
    let url = setting.hasSuffix("/") ? String(setting.dropLast()) : setting
    guard Settings.isServer(url) else {
      // With a user name it may contain a password: do not print it.
      throw Failure(SettingError.server(name: name, value: setting.contains("@") ? nil : setting))
    }
    return url
  }

  /// Whether a URL consists of an HTTP scheme, a host and an optional port only.
  private static func isServer(_ url: String) -> Bool {
    guard WebLink.isSafe(url), let start = url.firstRange(of: "://")?.upperBound else { return false }
    var rest = url[start...]
    if let colon = rest.lastIndex(of: ":"), !rest[colon...].contains("]") {
      let port = rest[colon...].dropFirst()
      guard port.allSatisfy(\.isWholeNumber), (1...65_535).contains(Int(port) ?? 0) else { return false }
      rest = rest[..<colon]
    }
    if rest.hasPrefix("["), rest.hasSuffix("]") {
      return rest.count > 2 && rest.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    return !rest.isEmpty && rest.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" || $0 == "_" }
  }

  /// The proxy URL, nil if unset: CURLOPT_PROXY(3). Without a scheme it is an HTTP proxy.
  package func proxy() throws -> String? {
    guard let proxy = self["PROXY"] else { return nil }
    let parts = proxy.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    let isKnown = parts.count == 1 || Settings.proxySchemes.contains(parts[0].lowercased())
    guard isKnown, parts.last?.isEmpty == false, !proxy.contains(where: \.isWhitespace) else {
      // It may contain a password: do not print it.
      throw Failure(SettingError.proxy(schemes: Settings.proxySchemes))
    }
    return proxy
  }

  private static let proxySchemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// The PEM file of certificate authorities to trust besides the system's; nil if unset.
  package func certificates() throws -> String? {
    guard let path = self["CA_FILE"] else { return nil }
    let text: String
    do { text = String(decoding: try File.read(path, limit: 16 << 20), as: UTF8.self) } catch let failure as Failure {
      throw Failure(SettingError.unreadableCertificates(failure))
    }
    guard text.contains("-----BEGIN CERTIFICATE-----") || text.contains("-----BEGIN TRUSTED CERTIFICATE-----") else {
      throw Failure(SettingError.noCertificate(path: path))
    }
    return path
  }
}

/// HTTP settings from this machine's configuration.
///
/// Besides `METUBE_RSS_PROXY`, `METUBE_RSS_CA_FILE` and `METUBE_RSS_IP` there are three timeouts for slow networks and
/// tests, in seconds such as `90` or `0.5`: `METUBE_RSS_TIMEOUT` for a whole response (60),
/// `METUBE_RSS_CONNECT_TIMEOUT` for connecting (15), `METUBE_RSS_STALL_TIMEOUT` for a response that stalls (20, whole
/// seconds).
extension HTTPSettings {
  /// The settings for `jobs` concurrent requests.
  package init(_ settings: Settings, jobs: Int) throws {
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
    case .some(let other): throw Failure(SettingError.ipVersion(other))
    }
  }

  private static func duration(_ name: String, _ settings: Settings) throws -> Duration? {
    guard let text = settings[name] else { return nil }
    guard let seconds = Double(text), (0.1...3600).contains(seconds) else {
      throw Failure(SettingError.timeout(name: name, value: text))
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
  package convenience init(_ settings: Settings, jobs: Int) throws {
    let settings = try HTTPSettings(settings, jobs: jobs)
    do { try self.init(settings) } catch { throw UserMessages.failure(error) }
  }
}
