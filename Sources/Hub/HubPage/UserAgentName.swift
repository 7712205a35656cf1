/// The browser and the system that a `User-Agent` header names.
enum UserAgentName {
  /// What stands in the header, and its name; the first that is found counts, for most browsers name others too.
  private static let browsers = [
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"), ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
  ]
  private static let systems = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
    ("Mac OS X", "macOS"), ("Linux", "Linux"),
  ]

  /// `Firefox on Linux`; the first word of the header if the browser is unknown.
  static func text(_ agent: String) -> String {
    func name(_ table: [(String, String)]) -> String? { table.first { agent.contains($0.0) }?.1 }
    let system = name(systems).map { " on \($0)" } ?? ""
    if let browser = name(browsers) { return browser + system }
    let word = agent.split(separator: " ").first.map { String($0.prefix(40)) }
    return (word ?? "An unknown program") + system
  }
}
