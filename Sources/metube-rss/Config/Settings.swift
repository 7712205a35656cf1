import Core
import Glibc

/// This machine's settings, from the environment, else the `env` file.
struct Settings {
  private let environment: [String: String]
  private let file: [String: String]

  /// Reads the settings from a file of `KEY=VALUE` lines and an environment. A missing file counts as empty; throws on
  /// an invalid line.
  init(environment: [String: String], file path: String) throws {
    self.environment = environment
    file = try Settings.read(path)
  }

  /// The value of `METUBE_RSS_<name>`; empty counts as unset.
  subscript(name: String) -> String? {
    let key = "METUBE_RSS_\(name)"
    return (environment[key] ?? file[key]).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The sorted names of the settings with a prefix, without `METUBE_RSS_`.
  func names(beginningWith prefix: String) -> [String] {
    let keys = Set(environment.keys).union(file.keys).filter { $0.hasPrefix("METUBE_RSS_\(prefix)") }
    return keys.map { String($0.dropFirst("METUBE_RSS_".count)) }.sorted()
  }

  private static func read(_ path: String) throws -> [String: String] {
    guard access(path, F_OK) == 0 else { return [:] }
    var values: [String: String] = [:]
    for (number, line) in try File.read(path, limit: 1 << 20).split(separator: 10, omittingEmptySubsequences: false)
      .enumerated()
    {
      let text = String(decoding: line, as: UTF8.self).trimmed
      guard !text.isEmpty, !text.hasPrefix("#") else { continue }
      guard let equals = text.firstIndex(of: "=") else {
        throw Failure(.notUnderstood, "\(path):\(number + 1): expected KEY=VALUE or a # comment")
      }
      values[String(text[..<equals]).trimmed] = unquoted(String(text[text.index(after: equals)...]).trimmed)
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

extension String {
  /// The text without leading and trailing whitespace.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else {
      return ""
    }
    return String(self[first...last])
  }
}
