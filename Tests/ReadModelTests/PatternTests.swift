import Core
import Testing

@testable import ReadModel

private func matches(_ pattern: String, _ text: String) throws -> Bool {
  try Pattern(pattern).match(NormalizedText.bytes(of: text)) == .yes
}

@Suite("Patterns")
struct PatternTests {
  @Test(
    "Each part of the syntax matches what it says and nothing else",
    arguments: [
      ("gear", "Three Quiet Gears", true), ("gear", "ears", false), ("", "anything", true), ("", "", true),
      ("^a.c$", "abc", true), ("^a.c$", "abcd", false), ("^$", "", true), ("^$", "a", false), ("a.c", "a🎉c", true),
      ("[a-cx]y", "by", true), ("[a-cx]y", "dy", false), ("[^a-c]y", "by", false), ("[^a-c]y", "éy", true),
      ("[]x]", "]", true), ("[a-]", "-", true), (#"[\d.]+s"#, "4.2s", true), (#"\d{3}"#, "12", false),
      (#"\d{2,3}$"#, "7123", true), ("^a{2,}$", "aaaa", true), ("^a{2}$", "aaa", false), ("^a{0}b$", "b", true),
      ("a{x}", "a{x}", true), ("a|bc|d", "xbcx", true), ("^(a|bc)+$", "abca", true), ("^(?:ab)?c$", "c", true),
      ("^a*?b$", "aab", true), (#"\bart\b"#, "the art of", true), (#"\bart\b"#, "start", false),
      (#"\bart\b"#, "art", true), (#"\Bart"#, "start", true), (#"\Bart"#, "art", false), (#"a\.b"#, "axb", false),
      (#"\w+\s\W"#, "käse !", true), (#"#\w"#, "see #Shorts", true), ("日.語", "これは日本語", true),
      ("(live|stream)( now)?$", "We LIVE now", true), ("a||b", "", true), ("()", "", true), ("a$", "a\n", false),
      ("a.b", "a\nb", false), ("(?s)a.b", "a\nb", true), ("(?m)^b", "a\nb", true),
      (#"^(ab)\1$"#, "abab", true), ("(?=a)b", "ab", false), (#"^(?<Name>a)\k<Name>$"#, "aa", true),
      (#"^(?P<Name>a)(?P=Name)(?&Name)$"#, "aaa", true), (#"^(?'N'a)\g{N}(?('N')b|c)$"#, "aab", true),
      (#"^\Qa.É\E.$"#, "a.éb", true), (#"[\Qa-z\E]"#, "b", false), (#"^\p{L}\p{Ll}\PL$"#, "aé!", true),
      (#"^[\p{L}[:digit:]]+$"#, "é1", true), ("[[:<:]]art", "start", false), (#"^\x41\x{42}$"#, "ab", true),
      ("(?i:A)(?-i:B)", "ab", true), ("(?#CÉ)a", "a", true), ("(?x) a b # Ç", "ab", true), (#"[!-/]"#, "+", true),
      ("[a&&b]", "&", true), ("(*atomic:a)b", "ab", true),
    ])
  func syntax(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try matches(pattern, text) == isMatch)
  }

  @Test("Case and accents make no difference, in texts, patterns and sets")
  func folding() throws {
    for (pattern, text) in [
      ("crème", "CREME"), ("CREME", "crème"), ("[É]t[A-Z]", "etÀ"), ("straße", "STRASSE"), ("ΆΛΦΑ", "αλφα"),
      ("Ёж", "еж"), ("Việt", "VIET"), (#"\É\ß"#, "ess"), ("[ß]x", "ssx"), (#"[\É]"#, "e"), ("[aß]", "ss"),
      ("i\u{302}le", "île"), ("[à-ý]", "é"), ("ß+", "ßß"), ("[ßæ]", "ae"),
    ] { #expect(try matches("^(?:\(pattern))$", text), "\(pattern) \(text)") }
    #expect(try !matches("^[ß]$", "s") && !matches("^[aß]$", "s") && matches("^[^ß]$", "x"))
    #expect(try !matches(#"^\D$"#, "7") && matches(#"^\S\W$"#, "a!"))
    #expect(try !matches("[\u{302}]", "^a") && matches("^[ß^]$", "^") && matches("^[^\u{302}]$", "a"))
  }

  @Test(
    "What is not a pattern is refused with PCRE2's reason and the position",
    arguments: [
      ("(a", 2), ("a)", 2), ("É[a", 3), ("*a", 1), ("a{3,2}", 6), ("a\\", 2), ("(?<n>a", 6), (#"é(a)\2"#, 6),
      ("(?Q)", 3), (#"\p{Nothing}"#, 11), (#"a\C"#, 3),
    ])
  func refused(pattern: String, position: Int) {
    do throws(PatternError) {
      _ = try Pattern(pattern)
      Issue.record("accepted: \(pattern)")
    } catch {
      guard case .invalid(let found, let reason) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(found == position && !reason.isEmpty, "\(pattern): \(found) \(reason)")
    }
  }

  @Test("Patterns that are too long, too deep, too large or call out are refused")
  func limits() {
    #expect(throws: PatternError.tooLong(limit: 500)) { try Pattern(String(repeating: "a", count: 501)) }
    let deep = String(repeating: "(", count: 60) + String(repeating: ")", count: 60)
    #expect(throws: PatternError.self) { try Pattern(deep) }
    #expect(throws: PatternError.self) { try Pattern("((a{100}){100}){100}") }
    #expect(throws: PatternError.unsupported(position: 4)) { try Pattern("a(?C1)b") }
    #expect(throws: PatternError.unsupported(position: 5)) { try Pattern("(?(?C9)(?=a)b)") }
    // Such an option only lowers the limit.
    #expect(throws: Never.self) { try Pattern("(*LIMIT_MATCH=999999999)(*LIMIT_HEAP=99999999)a") }
  }

  @Test("A pattern that asks for nothing is known to match every text")
  func everywhere() throws {
    for pattern in ["", "|", "a|", "a*", "(a?|b){3}", "()", "^", "$", "(?!a)|a", ".*", ".", "$|x"] {
      #expect(try Pattern(pattern).isEverywhere, "\(pattern)")
    }
    for pattern in ["a", "^$", "a?b", "(a|b)c*d", "^[^q]*$", "^.{0,500}$", #"\b"#] {
      #expect(try !Pattern(pattern).isEverywhere, "\(pattern)")
    }
  }

  @Test("What would take for ever is given up")
  func bounded() throws {
    let hostile = Array((String(repeating: "a", count: 30) + "!").utf8)
    for option in ["", "(*LIMIT_MATCH=999999999)", "(*NO_JIT)"] {
      #expect(try Pattern(option + "(a+)+$").match(hostile) == .limitReached)
    }
    let text = (0..<4000).map { "abcde ".utf8[Array("abcde ".utf8.indices)[$0 * $0 / 7 % 6]] }
    for pattern in [
      "(.*a){30}x", "(a*)*x", "(a|aa)+$", "^(a+)+$", "(.*)(.*)(.*)(.*)x", "(a?){100}a{100}x", "(.?){100}(.?){90}[xy]",
      "((a|b)?(b|c)?){45}[xy]", "(?R)?x", "(a|(?R)b)*x", "(?:(?:.*)*)*x",
    ] { #expect(try Pattern(pattern).match(text) != .yes, "\(pattern)") }
  }

  @Test("Steps count from all positions of a text together, and are shared by all texts")
  func counted() throws {
    let pattern = try Pattern("(?:[a-z ]?){14}[7-9]")
    let text = Array(String(repeating: "the quick brown fox ", count: 40).utf8)
    let start = pattern.stepsLeft
    #expect(pattern.match(text) == .limitReached && start - pattern.stepsLeft == Pattern.maxSteps)
    #expect(pattern.match(Array("a7".utf8)) == .yes)
    pattern.stepsLeft = 500
    #expect(pattern.match(text) == .limitReached && pattern.stepsLeft == 0)
    #expect(pattern.match(Array("a7".utf8)) == .limitReached)
  }

  @Test("Patterns that share steps have none left once one of them took all")
  func shared() throws {
    let text = Array(String(repeating: "the quick brown fox ", count: 40).utf8)
    let steps = Pattern.Steps(3 * Pattern.maxSteps + 500)
    var rule = Rule(id: "00000001-aaaa", verdict: .block)
    (rule.matches, rule.field) = ("(?:[a-z ]?){14}[7-9]", .title)
    let condition = try #require(TextCondition(rule))
    let tests = (0..<5).map { _ in TextTest(condition, steps: steps) }
    func holds(_ test: TextTest, _ text: [UInt8]) -> Bool { test.verdict(title: text, description: { [] }).holds }
    #expect(tests.allSatisfy { holds($0, Array("a7".utf8)) })
    for test in tests { #expect(test.verdict(title: text, description: { [] }).limited == 1) }
    #expect(steps.left == 0)
    for test in tests {
      let verdict = test.verdict(title: Array("a7".utf8), description: { [] })
      #expect(!verdict.holds && verdict.limited == 1)
    }
  }

  @Test(
    "What people write takes a few steps a character",
    arguments: [
      "giveaway", #"#shorts|\bteaser\b"#, ".*foo.*bar", #"\w+@\w+\.com"#, #"[a-z]+ing\b"#, #"\d{3,}"#,
      "(news|daily|weekly) (update|digest)",
    ])
  func ordinary(text: String) throws {
    let pattern = try Pattern(text)
    let line = "subscribe to my channel for more videos about alpha and gamma https://example.com/abc\n"
    let texts = Array(String(repeating: line, count: 8).utf8)
    let start = pattern.stepsLeft
    #expect(pattern.match(texts) == .no)
    #expect(start - pattern.stepsLeft < 4 * texts.count)
  }

  @Test("Any characters make a pattern or an error", arguments: 1...20 as ClosedRange<UInt64>)
  func anyCharacters(seed: UInt64) throws {
    var random = seed &* 0x9e37_79b9_7f4a_7c15
    func number(_ limit: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % limit
    }
    let signs = Array(#"\\\[[]]((()))?*+{},-^$.|<>'P:=!&#QEbdwpxkgNcRaÀß1"#) + ["\u{302}", "東", " "]
    let text = NormalizedText.bytes(of: "aé1 ß 東 a-b (x)")
    for _ in 0..<300 {
      let pattern = String((0..<1 + number(12)).map { _ in signs[number(signs.count)] })
      if let pattern = try? Pattern(pattern) { _ = pattern.match(text) }
    }
  }
}
