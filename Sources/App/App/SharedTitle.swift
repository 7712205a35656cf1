import Core

/// The title of a video in the words of a program that shares it: `A title`, `A title - YouTube`,
/// `Watch "A title" on YouTube`, with the video's address or without.
package struct SharedTitle {
  /// On one line, without control characters, at most `longest` characters.
  package let text: String

  /// YouTube allows 100 characters.
  private static let longest = 200
  /// In bytes; whatever is longer is not a title.
  private static let maximum = 4096

  /// nil if no title is in it.
  package init?(_ shared: String) {
    guard shared.utf8.count <= SharedTitle.maximum else { return nil }
    let words = DisplayText(shared).text.split(whereSeparator: \.isWhitespace).filter { !SharedTitle.isAddress($0) }
    let title = SharedTitle.unwrapped(words.joined(separator: " "))
    guard !DisplayText(title).isBlank, title != "YouTube" else { return nil }
    text = String(title.prefix(SharedTitle.longest))
  }

  /// The title in the first of some texts that has one; nil if none has.
  package init?(in texts: [String]) {
    guard let title = texts.lazy.compactMap({ SharedTitle($0) }).first else { return nil }
    self = title
  }

  private static func isAddress(_ word: Substring) -> Bool {
    word.contains("://") || word.contains("/") && (try? VideoID(naming: String(word))) != nil
  }

  private static func unwrapped(_ title: String) -> String {
    if let match = title.wholeMatch(of: /(?:Watch )?["“](.+)["”] on YouTube/) { return String(match.output.1) }
    // A browser's tab, which may begin with a count of messages.
    if let match = title.wholeMatch(of: /(?:\(\d+\) )?(.+) - YouTube/) { return String(match.output.1) }
    return title
  }
}
