import Core

/// The settings that say where the feeds are and how they are reached. What cannot be is refused before anything is asked.
extension Settings {
  /// Where the feeds are: scheme, host and port; YouTube's unless a mirror or a test says otherwise.
  func feedsURL() throws -> String {
    guard let url = self["FEEDS_URL"] else { return "https://www.youtube.com" }
    let parts = url.split(separator: "/", omittingEmptySubsequences: false)
    guard WebLink.isSafe(url), parts.count > 2, let first = parts[2].first, !":?#@".contains(first) else {
      throw Failure(
        .usage, "METUBE_RSS_FEEDS_URL is \(DisplayText(url).text): it takes an address such as https://mirror.example")
    }
    return url.hasSuffix("/") ? String(url.dropLast()) : url
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
