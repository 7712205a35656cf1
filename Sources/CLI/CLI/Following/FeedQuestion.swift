import App
import Arguments
import Core
import HTTPClient
import Messages
import Platform
import PollEngine
import Terminal
import WebFeed

/// Finds the feeds at addresses of other sites than YouTube, and lets the person choose if a page links several.
struct FeedQuestion {
  private let finder: FeedFinder
  /// Whether there is a terminal to ask.
  private let asks: Bool

  init(_ session: Session, _ formatting: FormatOptions) throws {
    finder = try FeedFinder(session.settings)
    asks = Confirmation.isPossible && Output.isTerminal && formatting.format == .table
  }

  /// Whether a text is an address of another site, where a feed may be found.
  static func isAddress(_ text: String) -> Bool {
    do {
      _ = try ChannelReference(text)
      return false
    } catch { return error == .notYouTube && FeedDiscovery.url(typed: text) != nil }
  }

  /// The feeds to follow at an address; nil, with a report, if no feed is there or none was chosen.
  func feeds(at text: String, to output: inout Output) throws -> [FeedCandidate]? {
    switch try finder.find(text) {
    case .feed(let feed): return [feed]
    case .nothing(let reason):
      StandardError.report("\(shown(text)): \(UserMessages.text(of: reason))")
      return nil
    case .choices(let choices):
      guard asks else {
        StandardError.report(list(choices, at: text))
        return nil
      }
      for (number, choice) in choices.enumerated() {
        output.write("\(number + 1)  \(choice.title.map { "\(DisplayText($0).text)  " } ?? "")\(choice.url.text)\n")
      }
      try output.finish()
      return try chosen(among: choices)
    }
  }

  /// The choices of the person, with their titles; nil if one of them is no feed.
  private func chosen(among choices: [FeedCandidate]) throws -> [FeedCandidate]? {
    var feeds: [FeedCandidate] = []
    var areFeeds = true
    for number in numbers(upTo: choices.count) {
      switch try finder.check(choices[number - 1]) {
      case .feed(let feed): feeds.append(feed)
      case .nothing(let reason):
        areFeeds = false
        StandardError.report("\(choices[number - 1].url.withoutCredentials.text): \(UserMessages.text(of: reason))")
      case .choices: areFeeds = false
      }
    }
    return areFeeds ? feeds : feeds.isEmpty ? nil : feeds
  }

  private func numbers(upTo count: Int) -> [Int] {
    while true {
      let range = count > 1 ? "1-\(count)" : "1"
      guard let line = Confirmation.line("Follow which? [\(range), Enter: none] ")?.lowercased() else { return [] }
      let parts = line.split { $0 == " " || $0 == "," }
      if parts.isEmpty || parts == ["n"] || parts == ["no"] { return [] }
      let numbers = parts.compactMap { Int($0) }.filter { (1...count).contains($0) }
      if numbers.count == parts.count { return numbers }
      StandardError.report("“\(DisplayText(line).text)” is not one of these")
    }
  }

  private func list(_ choices: [FeedCandidate], at text: String) -> String {
    let all = choices.map { choice in
      let title = choice.title.map { "\(DisplayText($0).text): " } ?? ""
      return "\n  \(title)\(choice.url.withoutCredentials.text)"
    }
    let count = UserMessages.count(choices.count, "feed")
    return "\(shown(text)): \(count) found; follow one by its address:\(all.joined())"
  }

  /// What was typed, without a password in it.
  private func shown(_ text: String) -> String {
    guard let url = FeedDiscovery.url(typed: text), url.userInfo != nil else { return DisplayText(text).text }
    return url.withoutCredentials.text
  }
}
