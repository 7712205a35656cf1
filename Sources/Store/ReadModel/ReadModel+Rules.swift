import Core
import SQLDrivers

/// Rules: which videos they hide, and what each of them does.
extension ReadModel {
  /// Brings hits and blocks up to date with what was applied. Costs one look-up when there are no rules.
  func updateRules(_ projector: inout Projector) throws {
    let known = try database.first("SELECT value FROM meta WHERE key = 'rules'") { $0.blob(0) }
    guard known != nil || projector.areRulesStale else { return }
    let rules = try RuleSet(database, user: user)
    let signature = rules.signature
    var conditions = try TextConditions(database, foldedText: foldedText)
    if !projector.isFirstBuild { try conditions.update(projector.textChanges) }
    guard projector.areRulesStale, signature != known ?? [] else {
      if rules.entries.isEmpty || projector.touched.isEmpty { return }
      return try RuleBlocks(database, user: user, rules, conditions).update(projector.touched.keys)
    }
    try conditions.update()
    try RuleBlocks(database, user: user, rules, conditions).update(&projector)
    if rules.entries.isEmpty {
      try database.run("DELETE FROM meta WHERE key = 'rules'")
    } else {
      try database.run(Schema.setMeta, "rules", signature)
    }
  }

  /// The rules whose patterns took too many steps, with the number of texts that they therefore do not decide.
  package func limitedRules() throws -> [String: Int] {
    try read { (database) throws(DatabaseError) in
      var texts: [String: Int] = [:]
      try database.forEach(
        """
        SELECT r.id, CAST(sum(l.texts) AS bigint) FROM text_limit l JOIN text_condition c ON c.id = l.condition
          JOIN rule r ON r.contains IS NOT DISTINCT FROM c.contains AND r.matches IS NOT DISTINCT FROM c.matches
            AND r.field IS NOT DISTINCT FROM c.field
        WHERE r.owner = ? AND r.verdict IS NOT NULL GROUP BY r.id
        """, user
      ) { texts[$0.text(0)] = Int($0.int(1)) }
      return texts
    }
  }

  /// How many new videos each rule in force hides, or shows though others block them, by its ID. Each of several rules
  /// that block a video hides it; of several that allow it none is the one that shows it.
  package func ruleEffects(at now: Timestamp) throws -> [String: Int] {
    try read { (database) throws(DatabaseError) in
      let (rules, conditions) = try rulesInForce(database)
      var (touched, blocked, allowed, allowedTwice) = (NumberSet(), NumberSet(), NumberSet(), NumberSet())
      var applying: [(rule: Rule, videos: NumberSet)] = []
      for entry in rules.entries {
        let videos = try numbers(database, entry.all(conditions), entry, at: now)
        applying.append((entry.rule, videos))
        touched.formUnion(videos)
        guard entry.rule.verdict == .allow else {
          blocked.formUnion(videos)
          continue
        }
        var again = allowed
        again.formIntersection(videos)
        allowedTwice.formUnion(again)
        allowed.formUnion(videos)
      }
      let candidates = NumberSet(try candidates(database, at: now, among: touched).map(\.n))
      var counts: [String: Int] = [:]
      for (rule, all) in applying {
        var videos = all
        videos.formIntersection(candidates)
        if rule.verdict == .block {
          videos.subtract(allowed)
        } else {
          videos.formIntersection(blocked)
          videos.subtract(allowedTwice)
        }
        if videos.count > 0 { counts[rule.id] = videos.count }
      }
      return counts
    }
  }

  /// The new videos that a rule would hide, or show though others block them, the newest first. It need not be in
  /// force; a rule in force with its ID is left aside. Throws `PatternError.tooSlow` if its pattern takes too many steps.
  package func videosChanged(by rule: Rule, at now: Timestamp) throws -> [VideoID] {
    let (rows, test) = try read { (database) throws(DatabaseError) -> ([ListRow], TextTest?) in
      let (rules, conditions) = try rulesInForce(database)
      let entry = try rules.entry(rule)
      var (blocked, allowed) = (NumberSet(), NumberSet())
      for other in rules.entries where other.rule.id != rule.id {
        let videos = try numbers(database, other.all(conditions), other, at: now)
        if other.rule.verdict == .block { blocked.formUnion(videos) } else { allowed.formUnion(videos) }
      }
      let text = TextCondition(rule)
      let isKnown = text.map { conditions.number(of: $0) != nil } ?? true
      let videos = isKnown ? entry.all(conditions) : "FROM video v WHERE \(entry.condition)"
      var changed = try numbers(database, videos, entry, at: now)
      changed.subtract(allowed)
      if rule.verdict == .block { changed.subtract(blocked) } else { changed.formIntersection(blocked) }
      let rows = try candidates(database, at: now, among: changed)
      return (rows, isKnown ? nil : text.map { TextTest($0, steps: nil) })
    }
    guard let test else { return try ids(of: rows) }
    let tested = NumberSet(rows.lazy.map(\.n))
    var holding = NumberSet()
    try VideoTexts(database, foldedText).forEach(of: tested) { row, title, description in
      if try test.verdict(title: title, description: description).holds { holding.insert(row.n) }
      if test.isSpent { throw PatternError.tooSlow }
    }
    return try ids(of: rows.filter { holding.contains($0.n) })
  }

  /// The IDs of rows, the newest first.
  private func ids(of rows: [ListRow]) throws -> [VideoID] {
    try read { (database) throws(DatabaseError) in
      try ListRow.ids(of: rows.sorted(by: ListRow.isNewer), in: database)
    }
  }

  /// The rules in force that apply to a video, those that block first.
  package func rules(applyingTo video: VideoID, at now: Timestamp) throws -> [Rule] {
    try read { (database) throws(DatabaseError) in
      let (rules, conditions) = try rulesInForce(database)
      var applying: [Rule] = []
      for entry in rules.entries {
        let query: SQL = "SELECT 1 FROM video v WHERE v.id = ? AND \(entry.start) <= ? AND \(entry.test(conditions))"
        if try database.integer(query, video, now) != nil { applying.append(entry.rule) }
      }
      return applying.filter { $0.verdict == .block } + applying.filter { $0.verdict == .allow }
    }
  }

  private func rulesInForce(_ database: Database) throws(DatabaseError) -> (RuleSet, TextConditions) {
    (try RuleSet(database, user: user), try TextConditions(database, foldedText: foldedText))
  }

  private func numbers(
    _ database: Database, _ videos: SQL, _ entry: RuleSet.Entry, at now: Timestamp
  ) throws(DatabaseError) -> NumberSet {
    var numbers = NumberSet()
    try database.forEach("SELECT v.n \(videos) AND \(entry.start) <= ?", now) { numbers.insert($0.int(0)) }
    return numbers
  }

  /// Those of some videos that the default list shows without rules.
  private func candidates(
    _ database: Database, at now: Timestamp, among videos: NumberSet
  ) throws(DatabaseError) -> [ListRow] {
    var query = VideoQuery(
      statuses: [.new], shorts: nil, upcoming: nil, subscriptions: nil, tags: [], since: nil, until: nil,
      order: .published, oldestFirst: false, limit: 0)
    query.ignoresRules = true
    var ignored = VideoSelection()
    var rows: [ListRow] = []
    try ListScan(database, user: user, query, at: now, candidates: videos).forEach(&ignored) { rows.append($0) }
    return rows
  }
}
