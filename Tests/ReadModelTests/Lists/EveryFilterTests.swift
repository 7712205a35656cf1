import Core
import SlowCheck
import Testing

@testable import ReadModel

/// Every option of `list` alone, with each of its values.
private let options: [(String, @Sendable (inout GeneratedQuery) -> Void)] = [
  ("nothing", { _ in }), ("all", { $0.all = true }), ("saved", { $0.saved = true }),
  ("saved and watched", { ($0.saved, $0.statuses) = (true, [.watched]) }),
  ("channel", { $0.channels = [.channel(RandomLog.channel(1))] }),
  ("channels", { $0.channels = [.channel(RandomLog.channel(0)), .channel(RandomLog.channel(2))] }),
  ("a channel whose order is the oldest first", { $0.channels = [.channel(RandomLog.channel(4))] }),
  ("the same, newest", { ($0.channels, $0.newest) = ([.channel(RandomLog.channel(4))], true) }),
  ("a channel never followed, all", { ($0.channels, $0.all) = ([.channel(RandomLog.channel(3))], true) }),
  ("a channel no longer followed", { $0.channels = [.channel(RandomLog.channel(7))] }),
  ("playlist", { $0.channels = [.playlist(RandomLog.playlist(0))] }),
  ("playlist not followed, all", { ($0.channels, $0.all) = ([.playlist(RandomLog.playlist(1))], true) }),
  ("tag", { $0.tags = ["music"] }), ("tags", { $0.tags = ["science", "lists"] }),
  ("a word", { $0.search = "lantern" }), ("part of a word", { $0.search = "RASS" }),
  ("words", { $0.search = "Ёлка gears" }), ("Greek", { $0.search = "σοφιασ" }), ("Chinese", { $0.search = "京" }),
  ("signs", { $0.search = "c++ g/a" }),
  ("signs between words", { $0.search = "org/a" }), ("three signs of Chinese", { $0.search = "東京駅" }),
  ("since", { $0.since = 1_749_996_000 - 720 * 3600 }),
  ("until", { $0.until = 1_749_996_000 - 720 * 3600 }),
  ("between", { ($0.since, $0.until) = (1_749_996_000 - 288 * 3600, 1_749_996_000 - 144 * 3600) }),
  ("new", { $0.statuses = [.new] }), ("watched", { $0.statuses = [.watched] }),
  ("skipped", { $0.statuses = [.skipped] }), ("snoozed", { $0.statuses = [.snoozed] }),
  ("all four", { $0.statuses = [.new, .watched, .skipped, .snoozed] }), ("live", { $0.live = true }),
  ("live and upcoming", { ($0.live, $0.upcoming) = (true, .show) }),
  ("at least", { $0.minimum = 181 }), ("at most", { $0.maximum = 180 }),
  ("from to", { ($0.minimum, $0.maximum) = (600, 600) }), ("shorts hidden", { $0.shorts = .hide }),
  ("shorts shown", { $0.shorts = .show }), ("shorts only", { $0.shorts = .only }),
  ("upcoming shown", { $0.upcoming = .show }), ("upcoming only", { $0.upcoming = .only }),
  ("no rules", { $0.noRules = true }), ("oldest", { $0.oldest = true }), ("found", { $0.byFound = true }),
  ("found, oldest", { ($0.byFound, $0.oldest) = (true, true) }), ("catch-up", { $0.mode = .catchUp }),
  ("mix", { $0.mode = .mix }),
]

extension GeneratedModel {
  /// Compares what the model selects with the slow check; returns how many videos match, those hidden by rules too.
  @discardableResult
  fileprivate func check(_ question: GeneratedQuery, _ name: String) throws -> Int {
    let question = question
    let wanted = library.result(of: question, at: RandomLog.now, blocked: blocked)
    let selection = try select(question)
    let page = question.limit == 0 ? wanted.videos : Array(wanted.videos.prefix(question.limit))
    let isSame = selection.ids == page
    #expect(isSame, "\(name): \(question.arguments), \(selection.ids.count) for \(page.count)")
    #expect(selection.matching == wanted.videos.count, "\(name): \(question.arguments)")
    #expect(SlowResult.Hidden(selection.hidden) == wanted.hidden, "\(name): \(question.arguments)")
    #expect((selection.next != nil) == (page.count < wanted.videos.count), "\(name): \(question.arguments)")
    return wanted.videos.count + wanted.hidden.rules
  }

  /// Reads a list in some three pages, and compares them together with the slow check.
  fileprivate func checkPages(_ question: GeneratedQuery, _ name: String) throws {
    var question = question
    let wanted = library.result(of: question, at: RandomLog.now, blocked: blocked)
    question.limit = wanted.videos.count / 3 + 1
    var (shown, cursor, pages) = ([VideoID](), PageCursor?.none, 0)
    repeat {
      let page = try select(question, after: cursor)
      shown += page.ids
      cursor = page.next.flatMap { PageCursor($0.description) }
      #expect(cursor == page.next)
      #expect(page.matching == wanted.videos.count && SlowResult.Hidden(page.hidden) == wanted.hidden)
      pages += 1
    } while cursor != nil && pages <= wanted.videos.count
    #expect(shown == wanted.videos, "\(name): \(question.arguments)")
  }
}

@Suite("Every filter and mode, beside a slow check")
struct EveryFilterTests {
  @Test("Each option alone finds what the slow check finds", arguments: GeneratedModel.ways)
  func alone(way: GeneratedModel.Way) throws {
    let made = try GeneratedModel(seed: 5, way)
    for (name, change) in options {
      var question = GeneratedQuery()
      change(&question)
      question.limit = GeneratedModel.isLarge ? 50 : 0
      let count = try made.check(question, "\(way), \(name)")
      try made.checkPages(question, "\(way), \(name)")
      #expect(count > 0 || name == "a channel no longer followed", "\(name) is about something")
    }
  }

  @Test("Options in any combination find what the slow check finds", arguments: GeneratedModel.ways)
  func together(way: GeneratedModel.Way) throws {
    let made = try GeneratedModel(seed: 6, way)
    var numbers = RandomLog(seed: 60, videos: 0)
    var results = 0
    for number in 1...(GeneratedModel.isLarge ? 25 : 80) {
      let question = GeneratedQuery(&numbers)
      if try made.check(question, "\(way), \(number)") > 0 { results += 1 }
      try made.checkPages(question, "\(way), \(number)")
    }
    #expect(results > 8, "the questions are about something")
  }

  @Test(
    "Each condition of a rule, made and removed, changes the list as the slow check says",
    arguments: GeneratedModel.ways)
  func rules(way: GeneratedModel.Way) throws {
    // Each rule is looked at by the slow check twice.
    let made = try GeneratedModel(seed: 7, way, videos: GeneratedModel.isLarge ? 10_000 : 1100)
    var question = GeneratedQuery()
    (question.all, question.shorts, question.upcoming) = (true, .show, .show)
    let before = try made.check(question, "no rule yet")
    for (number, change) in conditions.enumerated() {
      var rule = Rule(id: "9999999\(number % 10)-aaaa", verdict: .block)
      change(&rule)
      made.change { $0.add(.ruleSet(rule)) }
      try made.append()
      try made.check(question, "\(rule)")
      let hidden = made.library.result(of: question, at: RandomLog.now, blocked: made.blocked).hidden.rules
      #expect(hidden > 0, "\(rule) is about something")
      made.change { $0.add(.ruleRemoved(RuleRemoved(rule: rule.id))) }
      try made.append()
    }
    #expect(try made.check(question, "no rule any more") == before)
  }
}

/// Every condition of a rule.
private let conditions: [@Sendable (inout Rule) -> Void] = [
  { $0.contains = "bell" }, { ($0.contains, $0.field) = ("STRASSE", .title) },
  { ($0.contains, $0.field) = ("naive a", .description) }, { $0.matches = "\\bbell\\b" },
  { ($0.matches, $0.field) = ("gears$", .title) }, { ($0.matches, $0.contains) = ("\\d{4}", "of") },
  { $0.minimumLength = 181 }, { $0.maximumLength = 180 }, { ($0.minimumLength, $0.maximumLength) = (600, 600) },
  { $0.short = true }, { $0.short = false }, { $0.live = true }, { $0.live = false }, { $0.tag = "music" },
  { $0.tag = "lists" }, { $0.subscription = .channel(RandomLog.channel(0)) },
  { $0.subscription = .playlist(RandomLog.playlist(0)) },
  // Some were published at that very second.
  { $0.age = Int(RandomLog.now.seconds - (1_749_996_000 - 720 * 3600)) },
]
