import Core
import Testing

@testable import ReadModel

private let now = Sample.start.adding(seconds: 30 * 86_400)

/// A rule with these conditions.
private func rule(_ verdict: Rule.Verdict = .block, _ narrow: (inout Rule) -> Void) -> Rule {
  var rule = Rule(id: "00000000-aaaa", verdict: verdict)
  narrow(&rule)
  return rule
}

/// Videos of some channels, with the rows that views show.
@Suite("Conditions of rules")
struct RuleConditionTests {
  private let log: GeneratedLog
  private let rows: [VideoRow]

  init() throws {
    log = try GeneratedLog(seed: 11, videos: 600)
    for video in log.videos {
      log.add(.videoChanged(VideoChanged(video: video.id, description: Description("About \(video.title)."))))
    }
    try log.commit()
    let state = try log.model.state()
    rows = try log.videos.compactMap { [log] video in
      try log.model.video(video.id).flatMap { VideoRow($0, in: state, at: now) }
    }
  }

  private func shown(ignoringRules: Bool) throws -> Set<VideoID> {
    var query = VideoQuery(
      statuses: nil, shorts: .show, upcoming: .show, subscriptions: nil, tags: [], since: nil, until: nil,
      order: .published, oldestFirst: false, limit: 0)
    query.ignoresRules = ignoringRules
    return Set(try log.model.select(query, at: now).ids)
  }

  /// Checks the videos hidden by rules against a test of each row.
  private func check(_ rules: [Rule], _ name: Comment, _ isHidden: (VideoRow) -> Bool) throws {
    let ids = rules.indices.map { "0000000\($0)-aaaa" }
    for (var rule, id) in zip(rules, ids) {
      rule.id = id
      log.add(.ruleSet(rule))
    }
    try log.commit()
    let (all, shown) = (try shown(ignoringRules: true), try shown(ignoringRules: false))
    #expect(shown == all.subtracting(rows.filter(isHidden).map(\.video)), name)
    #expect(!shown.isEmpty && shown.count < all.count, name)
    for id in ids { log.add(.ruleRemoved(RuleRemoved(rule: id))) }
    try log.commit()
  }

  @Test("Each condition decides on its own")
  func conditions() throws {
    try check([rule { $0.contains = "TÍTLE 1" }], "words") { $0.title.contains("1") }
    try check([rule { ($0.contains, $0.field) = ("title 1", .title) }], "title") { $0.title.contains("1") }
    try check([rule { $0.matches = "^title .$" }], "pattern") { $0.title.utf8.count == 7 }
    try check([rule { ($0.matches, $0.field) = ("^about.*3", .description) }], "description") { $0.title.contains("3") }
    try check([rule { $0.minimumLength = 1800 }], "long") { $0.durationSeconds ?? 0 >= 1800 }
    try check([rule { $0.maximumLength = 1800 }], "short") { $0.durationSeconds ?? .max <= 1800 }
    try check([rule { $0.short = true }], "Shorts") { $0.short == .yes }
    try check([rule { $0.short = false }], "no Shorts") { $0.short != .yes }
    try check([rule { $0.live = true }], "streams") { [.upcoming, .live, .ended].contains($0.live) }
    try check([rule { $0.age = 5 * 86_400 }], "age") { now.seconds - $0.published.seconds >= 5 * 86_400 }
    try check([rule { $0.tag = "music" }], "tag") { $0.tags.contains("music") }
    try check([rule { $0.subscription = .channel(Sample.channel(2)) }], "channel") { $0.channel == Sample.channel(2) }
  }

  @Test("All conditions of a rule must hold; one matching rule is enough")
  func combined() throws {
    let both = rule { ($0.contains, $0.short) = ("1", true) }
    try check([both], "both") { $0.title.contains("1") && $0.short == .yes }
    try check([both, rule { $0.tag = "science" }], "either") {
      $0.title.contains("1") && $0.short == .yes || $0.tags.contains("science")
    }
  }

  @Test("An allowed video is shown, whatever blocks it")
  func allowed() throws {
    try check([rule(.allow) { $0.contains = "2" }, rule { $0.tag = "science" }], "allowed") {
      $0.tags.contains("science") && !$0.title.contains("2")
    }
  }

  @Test("Whatever apostrophe a rule and a title have, they are the same")
  func apostrophes() throws {
    for (words, title) in [("savage's", "Adam Savage’s Tested"), ("savage’s", "Adam Savage's Tested")] {
      let model = try ReadModel.empty()
      let block = rule { ($0.contains, $0.field) = (words, .title) }
      try model.apply([Sample.event(1, Sample.found(1, title: title)), Sample.event(2, .ruleSet(block))])
      #expect(try model.rules(applyingTo: Sample.video(1), at: now) == [block])
    }
  }

  /// A model of videos with titles on which the pattern of `slow` takes all the steps of a text, and last of one with an
  /// easy title, which it matches.
  private func model(slowTitles count: Int) throws -> (ReadModel, easy: VideoID) {
    let model = try ReadModel.empty()
    let long = String(repeating: "the quick brown fox ", count: 40)
    let easy = Sample.video(UInt64(count + 1))
    let titles = (1...count).map { "\(long)\($0 % 6)" } + ["a7"]
    let channel = SubscriptionID.channel(Sample.channel(1))
    try model.apply([
      Sample.event(0, .channelFollowed(ChannelFollowed(subscription: channel, title: nil, tags: nil)))
    ])
    try model.apply(
      titles.enumerated().map { index, title in
        Sample.event(Int64(index + 1), Sample.found(UInt64(index + 1), title: title))
      })
    return (model, easy)
  }

  private static let slow = rule { ($0.matches, $0.field) = ("(?:[a-z ]?){14}[7-9]", .title) }

  @Test("A text on which a pattern takes too many steps is not matched, by a preview or a rule, and is counted")
  func steps() throws {
    let (model, easy) = try model(slowTitles: 3)
    #expect(try model.videosChanged(by: RuleConditionTests.slow, at: now) == [easy])
    try model.apply([Sample.event(10_000, .ruleSet(RuleConditionTests.slow))])
    #expect(try model.rules(applyingTo: easy, at: now) == [RuleConditionTests.slow])
    #expect(try model.limitedRules() == [RuleConditionTests.slow.id: 3])
  }
}
