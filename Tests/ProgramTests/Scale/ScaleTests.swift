import Core
import SlowCheck
import Testing

/// The program itself with invented videos, against the slow check.
@Suite("The program at full scale")
struct ScaleTests {
  @Test("Options as typed give the same result as the slow check")
  func options() throws {
    let made = try GeneratedSandbox(seed: 8)
    made.change { log in for _ in 0..<3 { log.addRule() } }
    var numbers = RandomLog(seed: 80, videos: 0)
    for number in 0..<(GeneratedSandbox.isLarge ? 8 : 40) {
      var question = GeneratedQuery(&numbers)
      if number % 6 == 0 { question = GeneratedQuery() }
      // The program rejects unfollowed channels, unless all are requested.
      question.channels.removeAll { id in [3, 7].contains { id == .channel(RandomLog.channel($0)) } }
      let wanted = made.result(question)
      let shown = try made.list(question)
      let isSame = shown == (question.limit == 0 ? wanted : Array(wanted.prefix(question.limit)))
      #expect(isSame, "\(question.arguments): \(shown.count) of \(wanted.count)")
    }
  }

  @Test("Pages by the cursor in the last line, while much changes")
  func pages() throws {
    let made = try GeneratedSandbox(seed: 9)
    var question = GeneratedQuery()
    question.limit = GeneratedSandbox.isLarge ? 6000 : 60
    let first = made.result(question)
    var (stayed, shown, cursor, pages) = (Set(first), [String](), String?.none, 0)
    repeat {
      let more = cursor.map { ["--after", $0] } ?? []
      let table = try made.sandbox.program.run(["list"] + question.arguments + more)
      cursor = table.lines.last.flatMap { line in
        line.hasPrefix("more: add --after ") ? line.split(separator: " ").last.map(String.init) : nil
      }
      let page = try made.sandbox.program.run(["list", "--format", "ids"] + question.arguments + more)
        .lines
      shown += page
      pages += 1
      made.change { log in
        for _ in 0..<20 { log.find() }
        for id in page where id == page.last || log.once(in: 5) {
          guard let video = VideoID(id) else { continue }
          if log.once(in: 2) {
            log.add(.videoRemoved(VideoRemoved(video: video, removed: true)))
          } else {
            log.add(.statusSet(StatusSet(video: video, status: .watched)))
          }
        }
        if pages == 2 { log.add(.channelUnfollowed(.channel(RandomLog.channel(1)))) }
        if pages == 3 { log.addRule() }
      }
      stayed.formIntersection(made.result(question))
    } while cursor != nil
    let (twice, came, were) = (
      shown.count - Set(shown).count, shown.filter(stayed.contains), first.filter(stayed.contains)
    )
    #expect(twice == 0 && pages > 2 && were.count > 20)
    #expect(came == were, "\(Set(were).subtracting(came).count) left out")
  }

  @Test("A rule created, undone and removed changes lists, counts and reasons of old videos as the slow check does")
  func rules() throws {
    let made = try GeneratedSandbox(seed: 10)
    let added = [
      (["block", "--contains", "BELL"], { (rule: inout Rule) in rule.contains = "bell" }),
      (
        ["block", "--matches", "teaser|#SHORTS", "--in", "title"],
        { rule in (rule.matches, rule.field) = ("teaser|#SHORTS", .title) }
      ),
      (
        ["allow", "--contains", "gears", "--tag", "science"],
        { rule in (rule.contains, rule.tag) = ("gears", "science") }
      ),
    ]
    func check(_ step: String) throws {
      let question = GeneratedQuery()
      let (wanted, shown) = (made.result(question), try made.list(question))
      let isSame = wanted == shown
      #expect(isSame, "\(step): \(shown.count) of \(wanted.count)")
      let counts = made.library.ruleCounts(at: made.now)
      let reported = try made.sandbox.succeed("rule", "list", "--format", "csv").split(whereSeparator: \.isNewline)
        .dropFirst()
        .compactMap { $0.split(separator: ",").last.flatMap { Int($0) } }
      #expect(reported == made.library.rules.keys.sorted().map { counts[$0] ?? 0 }, "\(step)")
      // why explains what the list leaves out.
      var all = question
      all.noRules = true
      let (listed, some) = (Set(wanted), GeneratedSandbox.isLarge ? 1 : 3)
      let hidden = try made.list(all).filter { !listed.contains($0) }
      for id in hidden.prefix(some) {
        #expect(try made.sandbox.succeed("why", id).contains("a rule hides it"), "\(step): \(id)")
      }
      for id in wanted.prefix(some) {
        #expect(try !made.sandbox.succeed("why", id).contains("a rule hides it"), "\(step): \(id)")
      }
    }
    var rules: [Rule] = []
    for (number, (arguments, change)) in added.enumerated() {
      try made.sandbox.succeed(arguments: ["rule", "add"] + arguments)
      var rule = Rule(id: "0000000\(number)", verdict: arguments[0] == "block" ? .block : .allow)
      change(&rule)
      rules.append(rule)
      made.take(.ruleSet(rule))
      try check("rule \(number + 1) added")
    }
    try made.sandbox.succeed("undo")
    made.take(.ruleRemoved(RuleRemoved(rule: rules[2].id)))
    try check("the last taken back")
    try made.sandbox.succeed("rule", "remove", "1")
    made.take(.ruleRemoved(RuleRemoved(rule: rules[0].id)))
    try check("the first removed")
    try made.sandbox.succeed("undo")
    made.take(.ruleSet(rules[0]))
    try check("the removal taken back")
  }
}

extension Sandbox {
  /// Runs the program and expects success.
  fileprivate func succeed(arguments: [String]) throws {
    let outcome = try program.run(arguments)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }
}
