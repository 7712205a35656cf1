import Core

/// A stream of Google Reader: `feed/12`, `user/-/label/science`, `user/-/state/com.google/reading-list`.
enum ReaderStream: Equatable {
  /// A subscription, by its number or by what `follow` takes.
  case feed(String)
  /// A tag.
  case label(String)
  case all, unread, read, saved
  /// A list or state that the hub does not have, such as friends' shared items.
  case other

  init(_ text: String) {
    if text.hasPrefix("feed/") {
      self = .feed(String(text.dropFirst("feed/".count)))
      return
    }
    // FreshRSS has it, for EasyRSS and FeedMe.
    if text == "reading-list" {
      self = .all
      return
    }
    // The part after `user` is `-` or the user's number.
    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "user" else {
      self = .other
      return
    }
    switch (parts[2], parts[3]) {
    case ("label", let name): self = .label(String(name))
    case ("state", "com.google/reading-list"): self = .all
    case ("state", "com.google/read"): self = .read
    case ("state", "com.google/kept-unread"), ("state", "com.google/fresh"), ("state", "com.google/unread"):
      self = .unread
    case ("state", "com.google/starred"): self = .saved
    default: self = .other
    }
  }

  /// Whether a state only says for statistics what its reader did with an item; clients add it beside the others.
  static func isStatistic(_ text: String) -> Bool { text.contains("/state/com.google/tracking-") }

  static func label(of tag: String) -> String { "user/-/label/\(tag)" }
  static func feed(_ number: Int) -> String { "feed/\(number)" }
  static let readingList = "user/-/state/com.google/reading-list"
  static let readState = "user/-/state/com.google/read"
  static let freshState = "user/-/state/com.google/fresh"
  static let starredState = "user/-/state/com.google/starred"
}

/// The ID of an item in its spellings: `tag:google.com,2005:reader/item/000000000000002a`, there also without zeros,
/// the 16 hexadecimal digits alone, and the number in decimal.
enum ReaderItemID {
  private static let prefix = "tag:google.com,2005:reader/item/"

  static func text(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return prefix + String(repeating: "0", count: max(0, 16 - digits.count)) + digits
  }

  /// The number of an ID; nil if it is not an ID.
  static func number(_ text: String) -> Int? {
    let digits = text.hasPrefix(prefix) ? text.dropFirst(prefix.count) : text[...]
    let isHexadecimal = text.hasPrefix(prefix) || digits.utf8.count == 16
    guard (1...19).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit) else { return nil }
    return Int(digits, radix: isHexadecimal ? 16 : 10)
  }
}
