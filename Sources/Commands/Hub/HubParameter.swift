import ArgumentParser
import JSON

/// A parameter of a route: in the query, or a member of a JSON body. Most are options of a command, so that the API
/// takes what the terminal takes, with the same rules and messages.
package struct HubParameter: Sendable {
  package enum Kind: Sendable {
    case text
    /// `true` is the option, `false` nothing.
    case flag
    /// `false` is the option with `no-`.
    case inverted
    case integer(ClosedRange<Int>)
    case choice([String])
  }

  package var name: String
  package var kind: Kind
  package var isRepeated: Bool
  package var isRequired: Bool
  package var summary: String

  init(_ name: String, _ kind: Kind, _ summary: String, isRepeated: Bool = false, isRequired: Bool = false) {
    (self.name, self.kind, self.summary) = (name, kind, summary)
    (self.isRepeated, self.isRequired) = (isRepeated, isRequired)
  }

  /// The option of a name: `--min-duration` for `minDuration`.
  private var option: String {
    "--" + name.map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
  }

  /// The words of a command line that say the same. Throws a `HubProblem` if the value is not of the kind.
  private func words(_ value: String) throws -> [String] {
    switch (kind, value) {
    case (.flag, "true"), (.inverted, "true"): return [option]
    case (.flag, "false"): return []
    case (.inverted, "false"): return ["--no-" + option.dropFirst(2)]
    case (.flag, _), (.inverted, _): throw HubProblem(400, "\(name): takes true or false")
    case (.integer(let range), _):
      guard let number = Int(value), range.contains(number) else {
        throw HubProblem(400, "\(name): takes a number from \(range.lowerBound) to \(range.upperBound)")
      }
      return ["\(option)=\(number)"]
    case (.choice(let choices), _):
      guard choices.contains(value) else { throw HubProblem(400, "\(name): takes \(choices.joined(separator: ", "))") }
      return ["\(option)=\(value)"]
    case (.text, _):
      guard !value.utf8.contains(0) else { throw HubProblem(400, "\(name): contains a NUL character") }
      return ["\(option)=\(value)"]
    }
  }

  /// The words for the parameters given, each of which must be one of these.
  static func words(_ given: [(name: String, value: String)], of known: [HubParameter]) throws -> [String] {
    var seen: Set<String> = []
    let words = try given.flatMap { name, value in
      guard let parameter = known.first(where: { $0.name == name }) else {
        throw HubProblem(400, "\(name): unknown parameter")
      }
      guard seen.insert(name).inserted || parameter.isRepeated else { throw HubProblem(400, "\(name): given twice") }
      return try parameter.words(value)
    }
    for parameter in known where parameter.isRequired && !seen.contains(parameter.name) {
      throw HubProblem(400, "\(parameter.name): missing")
    }
    return words
  }

  /// The values of a JSON body's members, by name. Throws a `HubProblem` if one is unknown, missing or not of its kind.
  package static func values(of body: [UInt8], _ known: [HubParameter]) throws -> [String: String] {
    guard let object = JSONValue(body) else { throw HubProblem(400, "the body is not a JSON object") }
    let given = try given(object, of: known)
    _ = try words(given, of: known)
    return Dictionary(given.map { ($0.name, $0.value) }) { first, _ in first }
  }

  /// The names and values of a JSON object's members, each of which must be one of these and of its JSON type; null
  /// counts as absent.
  static func given(_ object: JSONValue, of known: [HubParameter]) throws -> [(name: String, value: String)] {
    guard case .object(let members) = object else { throw HubProblem(400, "the body is not a JSON object") }
    return try members.filter { $0.value != .null }.flatMap { member -> [(name: String, value: String)] in
      guard let parameter = known.first(where: { $0.name == member.name }) else {
        throw HubProblem(400, "\(member.name): unknown parameter")
      }
      guard parameter.isRepeated else { return [(member.name, try parameter.text(member.value))] }
      guard case .array(let elements) = member.value else { throw HubProblem(400, "\(member.name): takes a list") }
      return try elements.map { (member.name, try parameter.text($0)) }
    }
  }

  /// A JSON value as it stands in a query.
  private func text(_ value: JSONValue) throws -> String {
    switch (kind, value) {
    case (.text, .string(let text)), (.choice, .string(let text)): return text
    case (.flag, .boolean(let value)), (.inverted, .boolean(let value)): return "\(value)"
    case (.integer, .number(let number)) where Int(exactly: number) != nil: return "\(Int(number))"
    case (.text, _), (.choice, _): throw HubProblem(400, "\(name): takes a text")
    case (.flag, _), (.inverted, _): throw HubProblem(400, "\(name): takes true or false")
    case (.integer, _): throw HubProblem(400, "\(name): takes a whole number")
    }
  }
}

extension ParsableArguments {
  /// The options of a command from its words. Throws a `HubProblem` with the parser's message.
  static func forHub(_ words: [String]) throws -> Self {
    do { return try parse(words) } catch { throw HubProblem(400, HubProblem.words(message(for: error))) }
  }
}

extension HubProblem {
  /// A message of the terminal for someone who types no options.
  static func words(_ message: String) -> String {
    DashIDArguments.removeGuards(from: message).split(separator: "--", omittingEmptySubsequences: false).joined()
  }
}
