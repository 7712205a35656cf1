import Testing

@testable import Core

private func matches(_ pattern: String, _ text: String) throws -> Bool {
  var matcher = PatternMatcher(try Pattern(pattern))
  return matcher.matches(folded: NormalizedText.bytes(of: text).span)
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
      ("(live|stream)( now)?$", "We LIVE now", true), ("a||b", "", true), ("()", "", true),
    ])
  func syntax(pattern: String, text: String, isMatch: Bool) throws {
    #expect(try matches(pattern, text) == isMatch)
  }

  @Test("Case and accents make no difference, in texts, patterns and sets")
  func folding() throws {
    for (pattern, text) in [
      ("crème", "CREME"), ("CREME", "crème"), ("[É]t[A-Z]", "etÀ"), ("straße", "STRASSE"), ("ΆΛΦΑ", "αλφα"),
      ("Ёж", "еж"), ("Việt", "VIET"), (#"\É\ß"#, "ess"), ("[ß]x", "ssx"), (#"[\É]"#, "e"), ("[aß]", "ss"),
      ("i\u{302}le", "île"), ("[à-ý]", "é"),
    ] { #expect(try matches("^\(pattern)$", text), "\(pattern) \(text)") }
    #expect(try !matches("^[ß]$", "s") && !matches("^[aß]$", "s") && matches("^[^ß]$", "x"))
    #expect(try !matches(#"^\D$"#, "7") && matches(#"^\S\W$"#, "a!"))
  }

  @Test(
    "What is no pattern is refused, with the reason and the place",
    arguments: [
      ("(a", .unbalanced(position: 1)), ("a)", .unbalanced(position: 2)), ("x[a", .unbalanced(position: 2)),
      ("*a", .badRepetition(position: 1)), ("a**", .badRepetition(position: 3)),
      ("a{101}", .badRepetition(position: 2)),
      ("a{3,2}", .badRepetition(position: 2)), ("^*", .badRepetition(position: 2)), ("[z-a]", .badSet(position: 2)),
      ("[]", .badSet(position: 1)),
      ("a[^]", .badSet(position: 2)),
      ("a\\", .unfinished), ("[\\", .unfinished), (#"(a)\1"#, .unsupported(position: 4)),
      ("(?=a)", .unsupported(position: 1)), ("(?<n>a)", .unsupported(position: 1)),
      (#"\pL"#, .unsupported(position: 1)),
      ("((a{100}){100}){100}", .tooLarge(limit: 500)),
      (String(repeating: "a", count: 501), .tooLong(limit: 500)),
      (String(repeating: "(", count: 60), .tooLarge(limit: 50)),
    ] as [(String, PatternError)])
  func refused(pattern: String, error: PatternError) {
    #expect(throws: error) { try Pattern(pattern) }
  }

  @Test("Random patterns match as a slow search that tries everything does", arguments: 1...40 as ClosedRange<UInt64>)
  func slowSearch(seed: UInt64) throws {
    var generated = GeneratedState(seed: seed, videos: 0)
    for _ in 0..<40 {
      let node = randomNode(depth: 3, &generated)
      var matcher = PatternMatcher(program: try PatternProgram(node), needed: node.needed)
      for _ in 0..<20 {
        let text = (0..<generated.number(below: 9)).map { _ in Array("abc ")[Int(generated.number(below: 4))] }
        let expected = (0...text.count).contains { !ends(of: node, in: text, from: $0).isEmpty }
        #expect(matcher.matches(folded: Array(String(text).utf8).span) == expected, "\(node) \(String(text))")
      }
    }
  }

  @Test("A pattern that nothing is enough for is known to match every text")
  func everywhere() throws {
    for pattern in ["", "|", "a|", "a*", "(a?|b){3}", "()"] { #expect(try Pattern(pattern).isEverywhere, "\(pattern)") }
    for pattern in ["a", "^", "^$", "a?b", "(a|b)c*d"] { #expect(try !Pattern(pattern).isEverywhere, "\(pattern)") }
  }

  @Test(
    "What every match has is found out",
    arguments: [
      ("[ao].{40}[ei]zzz", "zzz"), ("a(bc)+d", "abc"), ("(ab|cd)e", "e"), (#"\bSteam engine\b"#, "steam engine"),
      ("a?b*", nil), ("ab{0}cde", "cde"), ("x{2}yy", "yy"), ("Straße.", "strasse"), ("", nil),
    ] as [(String, String?)])
  func needed(pattern: String, expected: String?) throws {
    #expect(try Pattern(pattern).needed.map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test(
    "No pattern takes more for a character than it has places to look up",
    arguments: [
      "[ao].{40}[ei].{40}z?", "(a|b|o|i)*a.{90}q?", "(.*a){30}x?", "(a?){100}(b?){100}", "(.?){100}(.?){90}[xy]",
      "([ab]*[bc]*){60}[xy]", "((a|b)?(b|c)?){45}[xy]", "(.*[ab].*[bc]){40}[xy]", #"(\b.?){90}[xy]"#,
    ])
  func bounded(pattern: String) throws {
    let random = (0..<50_000).map { UInt8(ascii: "a") + UInt8(truncatingIfNeeded: $0 * $0 / 7 % 5) }
    var matcher = PatternMatcher(try Pattern(pattern))
    for start in stride(from: 0, to: random.count, by: 1000) {
      _ = matcher.matches(folded: Array(random[start..<start + 1000]).span)
    }
    #expect(matcher.walked <= random.count + 50 && matcher.lookups <= 50, "\(matcher.walked) \(matcher.lookups)")
  }

  @Test("What makes other engines hang takes time in proportion", .timeLimit(.minutes(1)))
  func linear() throws {
    let text = String(repeating: "a", count: 20_000) + "b"
    for pattern in [
      "(a*)*c", "(a|aa)+$", "(a|a)*c", "^(a+)+$", "(.*)(.*)(.*)(.*)c", "(a?){100}a{100}c", "(a|b)*a(a|b){12}c",
    ] {
      #expect(try !matches(pattern, text), "\(pattern)")
    }
  }
}

private func randomNode(depth: Int, _ random: inout GeneratedState) -> PatternNode {
  guard depth > 0 else {
    let sets: [PatternNode] = [
      .one(ScalarSet("a")), .one(ScalarSet("b")), .one(.word), .one(ScalarSet("a").inverted), .empty,
      .assertion(.wordEdge), .assertion(.noWordEdge), .assertion(.textStart), .assertion(.textEnd),
    ]
    return sets[Int(random.number(below: UInt64(sets.count)))]
  }
  let parts = (0...random.number(below: 3)).map { _ in randomNode(depth: depth - 1, &random) }
  switch random.number(below: 4) {
  case 0: return .either(parts)
  case 1:
    let least = Int(random.number(below: 3))
    return .repeated(parts[0], least, random.number(below: 2) == 0 ? nil : least + Int(random.number(below: 2)))
  default: return .sequence(parts)
  }
}

/// Where a node can end that begins at a place, by trying everything.
private func ends(of node: PatternNode, in text: [Character], from start: Int) -> Set<Int> {
  switch node {
  case .empty: return [start]
  case .one(let set):
    guard start < text.count, let scalar = text[start].unicodeScalars.first, set.contains(scalar.value) else {
      return []
    }
    return [start + 1]
  case .sequence(let parts):
    return parts.reduce([start]) { places, part in Set(places.flatMap { ends(of: part, in: text, from: $0) }) }
  case .either(let parts): return Set(parts.flatMap { ends(of: $0, in: text, from: start) })
  case .repeated(let part, let least, let most):
    var (places, all): (Set<Int>, Set<Int>) = ([start], least == 0 ? [start] : [])
    for count in 1...max(1, most ?? 12) where most != 0 {
      places = Set(places.flatMap { ends(of: part, in: text, from: $0) })
      if count >= least { all.formUnion(places) }
    }
    return all
  case .assertion(let assertion):
    let (before, after) = (start > 0 && text[start - 1] != " ", start < text.count && text[start] != " ")
    switch assertion {
    case .textStart: return start == 0 ? [start] : []
    case .textEnd: return start == text.count ? [start] : []
    case .wordEdge: return before != after ? [start] : []
    case .noWordEdge: return before == after ? [start] : []
    }
  }
}
