import Core
import SQLDrivers

/// The rules in force, with the numbers of what they name in this database.
struct RuleSet {
  private(set) var entries: [Entry] = []
  private let database: Database
  private let user: Int64

  /// The rules in force in the order in which they were made.
  init(_ database: Database, user: Int64) throws(DatabaseError) {
    (self.database, self.user) = (database, user)
    var rules: [Rule] = []
    try database.forEach("\(Rule.query) AND verdict IS NOT NULL ORDER BY made, changed", user) { row in
      if let rule = Rule(row) { rules.append(rule) }
    }
    var entries: [Entry] = []
    let tagged = try rules.contains { $0.tag != nil } ? RuleSet.sourcesByTag(database, user) : [:]
    for rule in rules { entries.append(try entry(rule, tagged)) }
    self.entries = entries
  }

  /// The entry of a rule that may not be one of the user's: of a preview.
  func entry(_ rule: Rule) throws(DatabaseError) -> Entry {
    try entry(rule, rule.tag == nil ? [:] : RuleSet.sourcesByTag(database, user))
  }

  private func entry(_ rule: Rule, _ tagged: [String: [Int64]]) throws(DatabaseError) -> Entry {
    var entry = Entry(rule: rule)
    if let id = rule.subscription {
      entry.source = try database.integer("SELECT n FROM channel WHERE id = ?", id) ?? 0
      if case .playlist = id { entry.isPlaylist = true }
    }
    if let tag = rule.tag { entry.tagged = tagged[tag] ?? [] }
    return entry
  }

  /// The channels and playlists with each tag, followed or not.
  private static func sourcesByTag(_ database: Database, _ user: Int64) throws(DatabaseError) -> [String: [Int64]] {
    var sources: [String: [Int64]] = [:]
    try database.forEach(
      "SELECT channel, tags FROM subscription WHERE owner = ? AND tags IS NOT NULL AND tags != ''", user
    ) { row in
      for tag in Set(TagList.tags(row.text(1))) { sources[tag, default: []].append(row.int(0)) }
    }
    return sources
  }

  /// What the blocks depend on besides the videos.
  var signature: [UInt8] {
    let text = entries.map { "\($0.rule) \($0.source ?? -1) \($0.tagged ?? [])" }.joined(separator: "\n")
    return Array(text.utf8)
  }
}

extension RuleSet {
  /// The minimum integer as SQL: PostgreSQL reads its literal as a decimal number.
  static let least: SQL = "(\(number: Int64.min + 1) - 1)"

  /// A rule and what it names.
  struct Entry {
    var rule: Rule
    /// The number of the rule's channel or playlist; 0, which no video has, if it was never mentioned.
    var source: Int64?
    var isPlaylist = false
    /// The channels and playlists that have the rule's tag.
    var tagged: [Int64]?

    /// When the rule begins to apply to a video `v` that satisfies the other conditions, as SQL.
    var start: SQL { rule.age.map { "v.published + \(number: min(max($0, -1 << 60), 1 << 60))" } ?? RuleSet.least }

    /// What is asked of a video `v` besides its texts and its age, as SQL.
    var condition: SQL {
      var all: [SQL] = ["v.found IS NOT NULL"]
      if let source {
        all.append(
          isPlaylist
            ? "EXISTS (SELECT 1 FROM playlist_video p WHERE p.video = v.id AND p.playlist = \(number: source))"
            : "v.channel = \(number: source)")
      }
      if let tagged {
        let list: SQL = tagged.isEmpty ? "0" : .joined(tagged.map { "\(number: $0)" })
        all.append(
          """
          (v.channel IN (\(list))
            OR EXISTS (SELECT 1 FROM playlist_video p WHERE p.video = v.id AND p.playlist IN (\(list))))
          """)
      }
      if let short = rule.short { all.append("\("NOT ", if: !short)\(Entry.isShort)") }
      if let live = rule.live { all.append("\("NOT ", if: !live)\(Entry.isStream)") }
      if let minimum = rule.minimumLength { all.append("v.duration >= \(number: minimum)") }
      if let maximum = rule.maximumLength { all.append("v.duration <= \(number: maximum)") }
      return .joined(all, by: " AND ")
    }

    /// As `ShortVerdict` has it.
    private static let isShort: SQL = """
      (v.link = \(number: Link.short.rawValue) OR v.feeds & \(number: FeedForms(.shorts).rawValue) != 0)
      """

    /// As `Video.isStream` has it.
    private static let isStream: SQL = "coalesce(v.live IN ('upcoming', 'live', 'ended'), false)"

    /// The videos `v` it applies to, now or later, as `FROM … WHERE …`. `numbers` is the number of its condition on
    /// texts.
    func all(_ numbers: TextConditions) -> SQL {
      guard let text = TextCondition(rule) else { return "FROM video v WHERE \(condition)" }
      return """
        FROM hit h CROSS JOIN video v ON v.n = h.n
        WHERE h.condition = \(number: numbers.number(of: text) ?? 0) AND \(condition)
        """
    }

    /// Those of them that are in a table.
    func all(_ numbers: TextConditions, in table: SQL) -> SQL {
      """
      FROM \(table) s CROSS JOIN video v ON v.n = s.n WHERE \(test(numbers))
      """
    }

    /// Whether it applies to a video `v`, now or later.
    func test(_ numbers: TextConditions) -> SQL {
      guard let text = TextCondition(rule) else { return condition }
      let number = numbers.number(of: text) ?? 0
      return "\(condition) AND EXISTS (SELECT 1 FROM hit WHERE condition = \(number: number) AND n = v.n)"
    }
  }
}
