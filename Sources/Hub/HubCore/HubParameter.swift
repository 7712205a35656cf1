import Core
import JSON

/// A parameter of a route: in the query, or a member of a JSON body.
package struct HubParameter: Sendable {
  package enum Kind: Sendable {
    case text
    /// `true` or `false`.
    case flag
    case integer(ClosedRange<Int>)
    case choice([String])
  }

  package var name: String
  package var kind: Kind
  package var isRepeated: Bool
  package var isRequired: Bool
  package var summary: String

  package init(_ name: String, _ kind: Kind, _ summary: String, isRepeated: Bool = false, isRequired: Bool = false) {
    (self.name, self.kind, self.summary) = (name, kind, summary)
    (self.isRepeated, self.isRequired) = (isRepeated, isRequired)
  }

  /// Throws a `HubProblem` if a value is not of the kind.
  fileprivate func check(_ value: String) throws {
    switch kind {
    case .flag: guard ["true", "false"].contains(value) else { throw HubProblem(400, "\(name): takes true or false") }
    case .integer(let range):
      guard let number = Int(value), range.contains(number) else {
        throw HubProblem(400, "\(name): takes a number from \(range.lowerBound) to \(range.upperBound)")
      }
    case .choice(let choices):
      guard choices.contains(value) else { throw HubProblem(400, "\(name): takes \(choices.joined(separator: ", "))") }
    case .text: guard !value.utf8.contains(0) else { throw HubProblem(400, "\(name): contains a NUL character") }
    }
  }

  /// A JSON value as it stands in a query.
  fileprivate func text(_ value: JSONValue) throws -> String {
    switch (kind, value) {
    case (.text, .string(let text)), (.choice, .string(let text)): return text
    case (.flag, .boolean(let value)): return "\(value)"
    case (.integer, .number(let number)) where Int(exactly: number) != nil: return "\(Int(number))"
    case (.text, _), (.choice, _): throw HubProblem(400, "\(name): takes a text")
    case (.flag, _): throw HubProblem(400, "\(name): takes true or false")
    case (.integer, _): throw HubProblem(400, "\(name): takes a whole number")
    }
  }
}

/// The parameters that a request gives, each known to its route and of its kind; what use cases' requests are made of.
package struct HubArguments: Sendable {
  private let values: [(name: String, value: String)]

  /// Throws a `HubProblem` if a parameter is unknown, not of its kind, given twice or missing.
  package init(_ given: [(name: String, value: String)], of known: [HubParameter]) throws {
    var seen: Set<String> = []
    for (name, value) in given {
      guard let parameter = known.first(where: { $0.name == name }) else {
        throw HubProblem(400, "\(name): unknown parameter")
      }
      guard seen.insert(name).inserted || parameter.isRepeated else { throw HubProblem(400, "\(name): given twice") }
      try parameter.check(value)
    }
    for parameter in known where parameter.isRequired && !seen.contains(parameter.name) {
      throw HubProblem(400, "\(parameter.name): missing")
    }
    values = given
  }

  /// The members of a JSON object; null counts as absent.
  package init(_ object: JSONValue?, of known: [HubParameter]) throws {
    guard case .object(let members)? = object else { throw HubProblem(400, "the body is not a JSON object") }
    let given = try members.filter { $0.value != .null }.flatMap { member -> [(name: String, value: String)] in
      guard let parameter = known.first(where: { $0.name == member.name }) else {
        throw HubProblem(400, "\(member.name): unknown parameter")
      }
      guard parameter.isRepeated else { return [(member.name, try parameter.text(member.value))] }
      guard case .array(let elements) = member.value else { throw HubProblem(400, "\(member.name): takes a list") }
      return try elements.map { (member.name, try parameter.text($0)) }
    }
    try self.init(given, of: known)
  }

  /// The value of a parameter; nil if absent.
  package subscript(name: String) -> String? { values.first { $0.name == name }?.value }

  /// The values of a repeated parameter.
  func texts(_ name: String) -> [String] { values.filter { $0.name == name }.map(\.value) }

  /// A flag; nil if absent.
  package func flag(_ name: String) -> Bool? { self[name].map { $0 == "true" } }

  /// A number; nil if absent.
  package func integer(_ name: String) -> Int? { self[name].flatMap { Int($0) } }

  /// A choice; nil if absent.
  func choice<Choice: RawRepresentable<String>>(_ name: String) -> Choice? {
    self[name].flatMap { Choice(rawValue: $0) }
  }

  /// Whether no parameter is given.
  package var isEmpty: Bool { values.isEmpty }

  /// The values by the names of the parameters; of a repeated one the first.
  package var byName: [String: String] { Dictionary(values.map { ($0.name, $0.value) }) { first, _ in first } }
}
