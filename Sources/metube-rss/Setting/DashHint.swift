/// What to do where a text that begins with `-` was taken for an option.
enum DashHint {
  /// A line for a complaint of the parser about these arguments; nil where no such text is to blame.
  static func hint(for complaint: String, _ arguments: [String]) -> String? {
    if let option = quoted(after: "Missing value for '", in: complaint)?.split(separator: " ").first.map(String.init),
      let position = arguments.firstIndex(of: option), position + 1 < arguments.count,
      arguments[position + 1].hasPrefix("-")
    {
      return "A value that begins with - is written \(option)='\(arguments[position + 1])'"
    }
    // Of an option of one letter, or with a blank in it, no name is mistyped.
    if let option = quoted(after: "Unknown option '", in: complaint),
      let text = arguments.first(where: { $0 == option || $0.hasPrefix(option) && !$0.hasPrefix("--") }),
      text.contains(where: \.isWhitespace) || !text.hasPrefix("--") && text.utf8.count > 2
    {
      return "A text that begins with - goes behind all options and --: … -- \(quotedForShell(text))"
    }
    return nil
  }

  private static func quotedForShell(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// What stands between a beginning and the next quote, which may be one of the text's own.
  private static func quoted(after beginning: String, in complaint: String) -> String? {
    let line = complaint.prefix { $0 != "\n" }
    guard let start = line.firstRange(of: beginning)?.upperBound else { return nil }
    let rest = line[start...]
    return rest.lastIndex(of: "'").map { String(rest[..<$0]) }
  }
}
