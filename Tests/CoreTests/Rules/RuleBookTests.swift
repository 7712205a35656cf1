import TestSupport
import Testing

@testable import Core

private let now = Sample.start.adding(seconds: 30 * 86_400)

/// A rule with these conditions.
private func rule(_ verdict: Rule.Verdict = .block, _ narrow: (inout Rule) -> Void) -> Rule {
  var rule = Rule(id: "00000000-aaaa", verdict: verdict)
  narrow(&rule)
  return rule
}

@Suite("Rules")
struct RuleBookTests {
  private let state = GeneratedState(seed: 11, videos: 600).state

  /// Checks the videos hidden by rules against a test of each row.
  private func check(_ rules: [Rule], _ name: Comment, _ isHidden: (VideoRow) -> Bool) {
    let book = RuleBook(rules, knowing: .none)
    var (count, all) = (0, 0)
    state.videos.forEach { video in
      guard let row = VideoRow(video, in: state, at: now) else { return }
      let hides = book.hides(video, in: state, at: now) { NormalizedText.bytes(of: "About \($0.title).") }
      #expect(hides == isHidden(row), name)
      count += hides ? 1 : 0
      all += 1
    }
    #expect(count > 0 && count < all, name)
  }

  @Test("Each condition decides on its own")
  func conditions() {
    check([rule { $0.contains = "TÍTLE 1" }], "words") { $0.title.contains("1") }
    check([rule { ($0.contains, $0.field) = ("title 1", .title) }], "title") { $0.title.contains("1") }
    check([rule { $0.matches = "^title .$" }], "pattern") { $0.title.utf8.count == 7 }
    check([rule { ($0.matches, $0.field) = ("^about.*3", .description) }], "description") { $0.title.contains("3") }
    check([rule { $0.minimumLength = 1800 }], "long") { $0.durationSeconds ?? 0 >= 1800 }
    check([rule { $0.maximumLength = 1800 }], "short") { $0.durationSeconds ?? .max <= 1800 }
    check([rule { $0.short = true }], "Shorts") { $0.short == .yes }
    check([rule { $0.short = false }], "no Shorts") { $0.short != .yes }
    check([rule { $0.live = true }], "streams") { [.upcoming, .live, .ended].contains($0.live) }
    check([rule { $0.age = 5 * 86_400 }], "age") { now.seconds - $0.published.seconds >= 5 * 86_400 }
    check([rule { $0.tag = "music" }], "tag") { $0.tags.contains("music") }
    check([rule { $0.subscription = .channel(Sample.channel(2)) }], "channel") { $0.channel == Sample.channel(2) }
  }

  @Test("All conditions of a rule must hold; one matching rule is enough")
  func combined() {
    let both = rule { ($0.contains, $0.short) = ("1", true) }
    check([both], "both") { $0.title.contains("1") && $0.short == .yes }
    check([both, rule { $0.tag = "science" }], "either") {
      $0.title.contains("1") && $0.short == .yes || $0.tags.contains("science")
    }
  }

  @Test("An allowed video is shown, whatever blocks it")
  func allowed() {
    check([rule(.allow) { $0.contains = "2" }, rule { $0.tag = "science" }], "allowed") {
      $0.tags.contains("science") && !$0.title.contains("2")
    }
  }

  @Test("A rule that this version does not support hides nothing")
  func notUnderstood() {
    let book = RuleBook([rule { $0.matches = "(?<=later)" }], knowing: .none)
    state.videos.forEach { video in #expect(!book.hides(video, in: state, at: now) { _ in [] }) }
  }

  @Test("A removed rule is gone and an undo restores it, in any order of events")
  func removed() {
    let block = rule { $0.contains = "x" }
    var events = [Sample.event(1, .ruleSet(block)), Sample.event(2, .ruleRemoved(RuleRemoved(rule: block.id)))]
    #expect(Sample.state([events[0]]).rules == [block])
    #expect(Sample.state(events).rules.isEmpty && Sample.state(events.reversed()).rules.isEmpty)
    let back = Undo.bodies(takingBack: [events[1]], from: Sample.state(events), to: Sample.state([events[0]]))
    #expect(back == [.ruleSet(block)])
    let gone = Undo.bodies(takingBack: [events[0]], from: Sample.state([events[0]]), to: State())
    #expect(gone == [.ruleRemoved(RuleRemoved(rule: block.id))])
    events.append(Sample.event(3, .ruleSet(block)))
    #expect(Sample.state(events.reversed()).rules == [block])
  }

  @Test("Rules are listed in order of creation, whatever their IDs, and a restored one where it was")
  func order() {
    func made(_ second: Int64, _ id: String) -> Event { Sample.event(second, .ruleSet(Rule(id: id, verdict: .block))) }
    var events = [made(1, "692fd3a0-zzzz"), made(2, "692fd3a0-aaaa"), made(3, "692fd3a0-mmmm")]
    let ids = ["692fd3a0-zzzz", "692fd3a0-aaaa", "692fd3a0-mmmm"]
    #expect(Sample.state(events).rules.map(\.id) == ids && Sample.state(events.reversed()).rules.map(\.id) == ids)
    events += [Sample.event(4, .ruleRemoved(RuleRemoved(rule: ids[0]))), made(5, ids[0])]
    #expect(Sample.state(events).rules.map(\.id) == ids && Sample.state(events.reversed()).rules.map(\.id) == ids)
  }

  @Test("A rule without conditions is invalid")
  func narrow() {
    #expect(!rule { _ in }.isNarrow && !rule { $0.field = .title }.isNarrow)
    #expect(rule { $0.tag = "x" }.isNarrow)
  }
}
