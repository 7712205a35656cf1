import Core

/// The settings that say where YouTube's servers are and how they are reached. What cannot be is refused before anything is asked.
extension Settings {
  /// Where the feeds are: scheme, host and port; YouTube's unless a mirror or a test says otherwise.
  func feedsURL() throws -> String { try server("FEEDS_URL") ?? "https://www.youtube.com" }

  /// Where the Data API is: scheme, host and port; Google's unless a test says otherwise.
  func apiURL() throws -> String { try server("API_URL") ?? "https://www.googleapis.com" }

  /// The scheme, host and port that a setting puts in the place of a server's; nil where it is not set.
  private func server(_ name: String) throws -> String? {
    guard let setting = self[name] else { return nil }
    let url = setting.hasSuffix("/") ? String(setting.dropLast()) : setting
    guard Settings.isServer(url) else {
      // With a user the whole of it may hold a password.
      let said = setting.contains("@") ? "names a user" : "is \(DisplayText(setting).text)"
      throw Failure(
        .usage, "METUBE_RSS_\(name) \(said): it takes scheme, host and port alone, such as https://mirror.example:8080")
    }
    return url
  }

  /// Whether an address has a scheme of the web, a host and perhaps a port, and nothing more.
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

  /// The proxy, as libcurl takes it: CURLOPT_PROXY(3). Without a scheme it is one of HTTP.
  func proxy() throws -> String? {
    guard let proxy = self["PROXY"] else { return nil }
    let parts = proxy.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    let isKnown = parts.count == 1 || Settings.proxySchemes.contains(parts[0].lowercased())
    guard isKnown, parts.last?.isEmpty == false, !proxy.contains(where: \.isWhitespace) else {
      // The whole of it may hold a password.
      let schemes = Settings.proxySchemes.joined(separator: ", ")
      throw Failure(
        .usage, "METUBE_RSS_PROXY takes an address such as http://proxy.example:3128; its scheme is one of \(schemes)")
    }
    return proxy
  }

  private static let proxySchemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// The file of certificate authorities to trust besides the system's, PEM.
  func authorities() throws -> String? {
    guard let path = self["CA_FILE"] else { return nil }
    let text: String
    do { text = String(decoding: try File.read(path, limit: 16 << 20), as: UTF8.self) } catch let failure as Failure {
      throw Failure(.usage, "METUBE_RSS_CA_FILE: \(failure.message)")
    }
    guard text.contains("-----BEGIN CERTIFICATE-----") || text.contains("-----BEGIN TRUSTED CERTIFICATE-----") else {
      throw Failure(.usage, "METUBE_RSS_CA_FILE: \(path): no certificate in it; it takes a file of them in PEM")
    }
    return path
  }
}
