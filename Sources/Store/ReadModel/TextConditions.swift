import Core
import SQLDrivers

/// What a rule asks of a text: words that are all in it, a pattern that matches it, or both; in the title, the
/// description or either of them.
struct TextCondition: Hashable {
  let contains: String?
  let matches: String?
  let field: Rule.Field?

  /// What a rule asks of texts; nil if nothing.
  init?(_ rule: Rule) {
    guard rule.contains != nil || rule.matches != nil else { return nil }
    (contains, matches, field) = (rule.contains, rule.matches, rule.field)
  }

  /// Reads the columns of `TextConditions.columns`.
  fileprivate init(_ row: Statement, from column: Int) {
    (contains, matches) = (row.optionalText(column), row.optionalText(column + 1))
    field = row.value(column + 2, Rule.Field.self)
  }
}

/// A condition ready to be tested on many texts, which share the steps of its pattern.
struct TextTest {
  let field: Rule.Field?
  private let words: SearchWords?
  private let pattern: Pattern?
  /// Whether this version knows the pattern's syntax; otherwise no text satisfies the condition.
  private let isUnderstood: Bool

  /// `steps` are those that the patterns of several conditions share; nil for a condition alone.
  init(_ condition: TextCondition, steps: Pattern.Steps?) {
    field = condition.field
    words = condition.contains.map { SearchWords($0) }
    pattern = condition.matches.flatMap { try? Pattern($0) }
    pattern?.shared = steps
    isUnderstood = condition.matches == nil || pattern != nil
  }

  /// Whether the pattern has no steps left, so that further texts do not satisfy the condition.
  var isSpent: Bool { pattern.map { $0.stepsLeft <= 0 } ?? false }

  /// What one or two texts of a video say.
  struct Verdict {
    var holds = false
    /// On how many texts the pattern's steps were not enough; such a text does not satisfy the condition.
    var limited = 0
  }

  /// Whether a title or description satisfies the condition, both normalised.
  func verdict(title: [UInt8], description: () throws -> [UInt8]) rethrows -> Verdict {
    var verdict = Verdict()
    if field != .description { test(title, &verdict) }
    if field != .title, !verdict.holds { test(try description(), &verdict) }
    return verdict
  }

  private func test(_ text: [UInt8], _ verdict: inout Verdict) {
    guard isUnderstood, words?.match(text) ?? true else { return }
    switch pattern?.match(text) ?? .yes {
    case .yes: verdict.holds = true
    case .no: break
    case .limitReached: verdict.limited += 1
    }
  }
}

/// The conditions on texts of the rules in force, and which videos satisfy them: tested once for each condition and
/// video, and again only when a text changes.
struct TextConditions {
  private let database: Database
  private let foldedText: (Description) throws -> [UInt8]
  private var numbers: [TextCondition: Int64] = [:]

  private static let columns: SQL = "contains, matches, field"

  /// The steps of all patterns together on the texts of one update, which writes and so is not interrupted: 40 s of a
  /// core, as ten patterns take that use up their own.
  static let maxSteps = 3000 * Pattern.maxSteps

  /// The conditions that are stored.
  init(_ database: Database, foldedText: @escaping (Description) throws -> [UInt8]) throws(DatabaseError) {
    (self.database, self.foldedText) = (database, foldedText)
    var numbers: [TextCondition: Int64] = [:]
    try database.forEach("SELECT id, \(TextConditions.columns) FROM text_condition") { row in
      numbers[TextCondition(row, from: 1)] = row.int(0)
    }
    self.numbers = numbers
  }

  /// The number under which the hits of a condition are stored; nil if it is not a rule's in force.
  func number(of condition: TextCondition) -> Int64? { numbers[condition] }

  // MARK: Keeping

  /// Drops the conditions of no rule, and tests the new ones on every video.
  mutating func update() throws {
    var wanted: Set<TextCondition> = []
    try database.forEach(
      """
      SELECT DISTINCT \(TextConditions.columns) FROM rule
      WHERE verdict IS NOT NULL AND (contains IS NOT NULL OR matches IS NOT NULL)
      """
    ) { wanted.insert(TextCondition($0, from: 0)) }
    for (condition, number) in numbers where !wanted.contains(condition) {
      try database.send("DELETE FROM text_condition WHERE id = ?", number)
      try database.send("DELETE FROM hit WHERE condition = ?", number)
      try database.send("DELETE FROM text_limit WHERE condition = ?", number)
      numbers[condition] = nil
    }
    var tests: [(Int64, TextTest)] = []
    let steps = Pattern.Steps(TextConditions.maxSteps)
    for condition in wanted where numbers[condition] == nil {
      let number = try database.inserted(
        "INSERT INTO text_condition(\(TextConditions.columns)) VALUES (?, ?, ?) RETURNING id", condition.contains,
        condition.matches, condition.field?.rawValue)
      numbers[condition] = number
      tests.append((number, TextTest(condition, steps: steps)))
    }
    guard !tests.isEmpty else { return }
    let texts = VideoTexts(database, foldedText)
    try texts.forEach { row, title, description in try store(tests, row.n, title, description) }
  }

  /// Tests all conditions again on videos whose texts changed.
  func update(_ videos: some Sequence<VideoID>) throws {
    guard !numbers.isEmpty else { return }
    let steps = Pattern.Steps(TextConditions.maxSteps)
    let tests = numbers.map { ($0.value, TextTest($0.key, steps: steps)) }
    let texts = VideoTexts(database, foldedText)
    for video in videos {
      try texts.read(video) { row, title, description in
        let n = row.n
        for (number, _) in tests {
          try database.send("DELETE FROM hit WHERE condition = ? AND n = ?", number, n)
          try database.send("DELETE FROM text_limit WHERE condition = ? AND n = ?", number, n)
        }
        try store(tests, n, title, description)
      }
    }
  }

  private func store(
    _ tests: [(Int64, TextTest)], _ n: Int64, _ title: [UInt8], _ description: () throws -> [UInt8]
  ) throws {
    for (number, test) in tests {
      let verdict = try test.verdict(title: title, description: description)
      if verdict.holds { try database.send("INSERT INTO hit VALUES (?, ?)", number, n) }
      if verdict.limited > 0 {
        try database.send("INSERT INTO text_limit VALUES (?, ?, ?)", number, n, verdict.limited)
      }
    }
  }
}
