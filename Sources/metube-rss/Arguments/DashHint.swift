/// A hint for text beginning with `-` that was parsed as an option.
enum DashHint {
  /// A hint line for the parser's error about these arguments; nil if no such text caused it.
  static func hint(for complaint: String, _ arguments: [String]) -> String? {
    if let option = quoted(after: "Missing value for '", in: complaint)?.split(separator: " ").first.map(String.init),
      let position = arguments.firstIndex(of: option), position + 1 < arguments.count,
      arguments[position + 1].hasPrefix("-")
    {
      return "If the value begins with -, write \(option)='\(arguments[position + 1])'"
    }
    // A one-letter option, or one with a space, is not a mistyped option name.
    if let option = quoted(after: "Unknown option '", in: complaint),
      let text = arguments.first(where: { $0 == option || $0.hasPrefix(option) && !$0.hasPrefix("--") }),
      text.contains(where: \.isWhitespace) || !text.hasPrefix("--") && text.utf8.count > 2
    {
      return "If the text begins with -, put it last, after --: … -- \(quotedForShell(text))"
    }
    return nil
  }

  private static func quotedForShell(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  /// The text between `beginning` and the line's last quote, since the text may contain quotes.
  private static func quoted(after beginning: String, in complaint: String) -> String? {
    let line = complaint.prefix { $0 != "\n" }
    guard let start = line.firstRange(of: beginning)?.upperBound else { return nil }
    let rest = line[start...]
    return rest.lastIndex(of: "'").map { String(rest[..<$0]) }
  }
}
