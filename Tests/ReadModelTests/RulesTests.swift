import Core
import SQLDrivers
import SlowCheck
import Testing

@testable import ReadModel

/// A model in memory and the slow check of the same events.
private struct Scene {
  var log: RandomLog
  let model: ReadModel
  var library = SlowLibrary([])
  private var applied = 0

  init(seed: UInt64, videos: Int) throws {
    log = RandomLog(seed: seed, videos: videos)
    model = try ReadModel.empty()
    try append()
  }

  mutating func append() throws {
    let new = log.events[applied...]
    try model.apply(new)
    for event in new { library.take(event) }
    applied = log.events.count
  }

  /// A model of all events at once.
  func rebuilt() throws -> ReadModel {
    let model = try ReadModel.empty()
    _ = try model.update(from: nil) { (apply: (Event, Int, UInt64) throws(DatabaseError) -> Void) in
      for event in log.events { try apply(event, 0, 0) }
      return [1]
    }
    return model
  }

  mutating func changeTags() {
    let tags = log.one(of: [["science"], ["quiet", "music"], [], ["lists"]])
    let id = SubscriptionID.channel(RandomLog.channel(log.number(below: 23)))
    log.add(.channelChanged(ChannelChanged(subscription: id, tags: tags)))
  }
}

private let now = RandomLog.now
private let moments = [now, now.adding(seconds: -50 * 86_400), Timestamp(seconds: 0), now.adding(seconds: 1)]

extension ReadModel {
  fileprivate func everything(_ now: Timestamp, ignoringRules: Bool = false) throws -> Set<VideoID> {
    var query = VideoQuery(
      statuses: nil, shorts: nil, upcoming: .show, subscriptions: nil, tags: [], since: nil, until: nil,
      order: .published, oldestFirst: false, limit: 0)
    query.shorts = .show
    query.ignoresRules = ignoringRules
    return Set(try select(query, at: now).ids)
  }

  fileprivate func blocked(at now: Timestamp) throws -> Set<VideoID> {
    var blocked: Set<VideoID> = []
    try read { (database) throws(DatabaseError) in
      try database.forEach(
        "SELECT v.id FROM block b JOIN video v ON v.n = b.n WHERE since <= ?1 AND until > ?1", now
      ) { blocked.insert(VideoID(column: $0.int(0))) }
    }
    return blocked
  }

  /// What the model keeps of rules, without the numbers that the order of events decides.
  fileprivate func kept() throws -> [String] {
    try read { (database) throws(DatabaseError) in
      var rows: [String] = []
      let queries: [SQL] = [
        "SELECT 'block', v.id, b.since, b.until FROM block b JOIN video v ON v.n = b.n",
        """
        SELECT 'hit', v.id, c.contains || ' ' || coalesce(c.matches, ''), coalesce(c.field, '')
        FROM hit h JOIN text_condition c ON c.id = h.condition JOIN video v ON v.n = h.n
        """, "SELECT 'listing', video, class, open FROM listing",
        "SELECT 'special', video, coalesce(blocked_since, 0), coalesce(blocked_until, 0) FROM special",
        "SELECT 'tally', channel.id, class, count FROM tally JOIN channel ON n = channel",
      ]
      for query in queries {
        try database.forEach(query) { row in rows.append((0..<4).map { row.text($0) }.joined(separator: " ")) }
      }
      return rows.sorted()
    }
  }
}

@Suite("Rules")
struct RulesTests {
  @Test("Rules hide what the slow check says, and the same after a rebuild", arguments: 1...12 as ClosedRange<UInt64>)
  func slowCheck(seed: UInt64) throws {
    var scene = try Scene(seed: seed, videos: 150)
    for round in 0..<8 {
      for _ in 0..<3 { if !scene.log.once(in: 3) { scene.log.addRule() } }
      if round % 2 == 1 { scene.changeTags() }
      for _ in 0..<10 {
        scene.log.find()
        scene.log.add(scene.log.change(scene.log.known()))
        scene.log.add(scene.log.mark(scene.log.known()))
      }
      try scene.append()
      for now in moments {
        #expect(try scene.model.blocked(at: now) == scene.library.blocked(at: now))
        #expect(try scene.model.ruleEffects(at: now) == scene.library.ruleCounts(at: now))
      }
    }
    #expect(try scene.rebuilt().kept() == scene.model.kept())
    let shown = try scene.model.everything(now, ignoringRules: true).subtracting(scene.library.blocked(at: now))
    #expect(try scene.model.everything(now) == shown)
  }

  @Test("After rules hid many videos and ceased to, the tables equal a rebuild", arguments: [1, 2, 3])
  func many(seed: UInt64) throws {
    var scene = try Scene(seed: seed, videos: 900)
    var wide = Rule(id: "00000001-bbbb", verdict: .block)
    wide.matches = "[a-y]"
    var old = Rule(id: "00000002-bbbb", verdict: .allow)
    old.tag = "science"
    var aged = Rule(id: "00000003-bbbb", verdict: .allow)
    aged.age = 100 * 86_400
    let bodies: [EventBody] = [
      .ruleSet(wide), .ruleSet(old), .ruleSet(aged), .ruleRemoved(RuleRemoved(rule: aged.id)),
      .ruleRemoved(RuleRemoved(rule: old.id)), .ruleRemoved(RuleRemoved(rule: wide.id)),
    ]
    for body in bodies {
      scene.log.add(body)
      for _ in 0..<5 { scene.log.add(scene.log.mark(scene.log.known())) }
      try scene.append()
      #expect(try scene.rebuilt().kept() == scene.model.kept())
    }
  }

  @Test("The rules of a video, and what a rule would change, are those of the slow check", arguments: [1, 2, 3, 4])
  func effects(seed: UInt64) throws {
    var scene = try Scene(seed: seed, videos: 200)
    for _ in 0..<6 { scene.log.addRule() }
    try scene.append()
    for video in scene.log.videos.prefix(100) {
      let rules = try scene.model.rules(applyingTo: video, at: now)
      let blocks = rules.contains { $0.verdict == .block } && !rules.contains { $0.verdict == .allow }
      #expect(blocks == scene.library.blocked(at: now).contains(video))
      let verdicts = rules.map(\.verdict.rawValue)
      #expect(verdicts == verdicts.sorted(by: >), "those that block first")
    }
    var question = GeneratedQuery()
    question.noRules = true
    let listed = scene.library.result(of: question, at: now, blocked: []).videos
    for number in 100..<120 {
      let rule = scene.log.rule(number)
      var with = scene.library
      with.take(Event(id: scene.log.events[0].id, action: scene.log.events[0].id, body: .ruleSet(rule)))
      let (before, after) = (scene.library.blocked(at: now), with.blocked(at: now))
      let expected = listed.filter { before.contains($0) != after.contains($0) }
      #expect(try scene.model.videosChanged(by: rule, at: now) == expected, "\(rule)")
    }
  }

  @Test("Without rules nothing is kept, and with the last one everything goes")
  func none() throws {
    var scene = try Scene(seed: 5, videos: 40)
    let before = try scene.model.kept()
    #expect(!before.contains { $0.hasPrefix("block") || $0.hasPrefix("hit") })
    var rule = Rule(id: "00000001-aaaa", verdict: .block)
    rule.contains = "a"
    scene.log.add(.ruleSet(rule))
    try scene.append()
    #expect(try scene.model.kept() != before)
    scene.log.add(.ruleRemoved(RuleRemoved(rule: rule.id)))
    try scene.append()
    #expect(try scene.model.kept() == before)
    let conditions = try scene.model.read { (database) throws(DatabaseError) -> Int64? in
      try database.integer("SELECT count(*) FROM text_condition")
    }
    #expect(conditions == 0)
  }

  @Test("Ages block and allow from their moment on")
  func ages() throws {
    var scene = try Scene(seed: 6, videos: 30)
    var block = Rule(id: "00000001-aaaa", verdict: .block)
    block.age = 1000
    var allow = Rule(id: "00000002-aaaa", verdict: .allow)
    allow.age = 3000
    scene.log.add(.ruleSet(block))
    scene.log.add(.ruleSet(allow))
    try scene.append()
    let video = scene.log.videos[3]
    let found = try #require(try scene.model.video(video))
    for (seconds, isBlocked) in [(999, false), (1000, true), (2999, true), (3000, false)] as [(Int64, Bool)] {
      let moment = found.published.adding(seconds: seconds)
      #expect(try scene.model.blocked(at: moment).contains(video) == isBlocked)
      #expect(try scene.model.everything(moment).contains(video) != isBlocked)
    }
  }

  @Test("A pattern without a verdict blocks nothing and is reported; one of another syntax matches nothing")
  func limited() throws {
    let model = try ReadModel.empty()
    var scene = RandomLog(seed: 7, videos: 0)
    var hostile = Rule(id: "00000001-aaaa", verdict: .block)
    hostile.matches = "(a+)+$"
    var broken = Rule(id: "00000002-aaaa", verdict: .block)
    (broken.matches, broken.contains) = ("(", "a")
    scene.add(.ruleSet(hostile))
    scene.add(.ruleSet(broken))
    scene.find()
    let text = String(repeating: "a", count: 30) + "!"
    scene.add(.videoChanged(VideoChanged(video: scene.videos[0], title: text, description: Description(text))))
    try model.apply(scene.events)
    #expect(try model.limitedRules() == [hostile.id: 2] && model.blocked(at: now).isEmpty)
    let count = scene.events.count
    scene.add(.videoChanged(VideoChanged(video: scene.videos[0], title: "b")))
    try model.apply(scene.events[count...])
    #expect(try model.limitedRules() == [hostile.id: 1])
    scene.add(.videoChanged(VideoChanged(video: scene.videos[0], description: Description("a"))))
    try model.apply(scene.events[(count + 1)...])
    #expect(try model.limitedRules().isEmpty && model.blocked(at: now) == [scene.videos[0]])
  }

  @Test("A description that cannot be read fails the update, and nothing of it is kept")
  func unreadable() throws {
    struct Unreadable: Error {}
    let model = try ReadModel.empty()
    var log = RandomLog(seed: 8, videos: 20)
    try model.apply(log.events)
    let (before, count) = (try model.kept(), log.events.count)
    model.foldedText = { _ in throw Unreadable() }
    var rule = Rule(id: "00000001-aaaa", verdict: .block)
    rule.contains = "lantern"
    log.add(.ruleSet(rule))
    #expect(throws: Unreadable.self) { try model.apply(log.events[count...]) }
    #expect(try model.kept() == before && model.state().rules.isEmpty)
    rule.field = .title
    log.add(.ruleSet(rule))
    try model.apply(log.events[(count + 1)...])
    #expect(try model.state().rules == [rule])
  }
}
