import Core

/// What Takeout's history in JSON puts around the title of each video, in the account's language: `Watched …`, or
/// `… angesehen`.
struct TakeoutTitle {
  private let prefix: String
  private let suffix: String

  /// Texts of languages whose histories were seen.
  private static let known = [("Watched ", ""), ("", " angesehen")]
  /// What so many different titles have in common is not a part of them.
  private static let least = 20

  /// What some titles have in common, up to a blank.
  init(of titles: Set<String>) {
    if let known = TakeoutTitle.known.first(where: { known in
      titles.allSatisfy { $0.hasPrefix(known.0) && $0.hasSuffix(known.1) }
    }) {
      (prefix, suffix) = known
      return
    }
    guard titles.count >= TakeoutTitle.least, var start = titles.first.map({ $0[...] }),
      var end = titles.first.map({ $0[...] })
    else {
      (prefix, suffix) = ("", "")
      return
    }
    for title in titles {
      start = start.prefix(zip(start, title).prefix { $0 == $1 }.count)
      end = end.suffix(zip(end.reversed(), title.reversed()).prefix { $0 == $1 }.count)
    }
    prefix = String(start[..<(start.lastIndex(of: " ").map { start.index(after: $0) } ?? start.startIndex)])
    suffix = String(end[(end.firstIndex(of: " ") ?? end.endIndex)...])
  }

  /// The title alone.
  func removed(from title: String) -> String {
    let rest = title.hasPrefix(prefix) ? title.dropFirst(prefix.count) : title[...]
    return String(rest.hasSuffix(suffix) ? rest.dropLast(suffix.count) : rest)
  }
}
