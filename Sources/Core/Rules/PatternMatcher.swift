/// Looks for a pattern in texts, one character after the other and never back.
///
/// Where the automaton comes by a character from its places is remembered as a state of its own, so that most
/// characters cost one look into a table. The table is bounded: once it is full, a text that leaves it is walked to its
/// end, which a `PatternWalk` bounds for each character. A text without what the pattern cannot do without is not
/// looked at that closely.
package struct PatternMatcher {
  private let program: PatternProgram
  private let walk: PatternWalk
  /// What every text that matches has; nil where nothing is certain.
  private let needed: [UInt8]?
  private var states: [State] = []
  private var numbers: [State: Int32] = [:]
  /// The state behind each state and class.
  private var table: [Int32] = []
  private let mostStates: Int
  /// How many characters were not found in the table so far.
  private(set) var walked = 0

  /// Where the automaton is between two characters, before it looks at what comes.
  private struct State: Hashable {
    var places: PatternPlaces
    var isAfterWord: Bool
    var isAtStart: Bool
  }

  /// What the table says of a state and class not met yet.
  private static let unknown: Int32 = -1
  /// What it says where the pattern has matched.
  private static let matched: Int32 = -2
  /// The most numbers in the table.
  private static let mostEntries = 1 << 18

  package init(_ pattern: Pattern) { self.init(program: pattern.program, needed: pattern.needed) }

  /// A matcher for a program of any making, which no text without `needed` satisfies.
  init(program: PatternProgram, needed: [UInt8]?) {
    self.program = program
    self.needed = needed
    walk = PatternWalk(program)
    mostStates = max(16, PatternMatcher.mostEntries / program.classStarts.count)
    _ = number(of: State(places: .zero, isAfterWord: false, isAtStart: true))
  }

  /// The most look-ups a character takes that is not in the table.
  var lookups: Int { walk.lookups }

  /// Whether the pattern matches somewhere in a text that `NormalizedText` folded.
  package mutating func matches(folded text: Span<UInt8>) -> Bool {
    if let needed, !SearchWords.occurs(needed, in: text) { return false }
    var state = 0
    var position = 0
    while position < text.count {
      let before = position
      let characterClass = program.characterClass(PatternMatcher.scalar(in: text, at: &position))
      var next = table[state * program.classStarts.count + characterClass]
      if next == PatternMatcher.unknown {
        guard let learnt = learn(state, characterClass) else { return walks(text, from: states[state], at: before) }
        next = learnt
      }
      if next == PatternMatcher.matched { return true }
      state = Int(next)
    }
    return matches(endingIn: states[state])
  }

  /// The character at a position of valid UTF-8, which moves behind it.
  @inline(__always)
  private static func scalar(in text: Span<UInt8>, at position: inout Int) -> UInt32 {
    let first = UInt32(text[position])
    position += 1
    guard first >= 0x80 else { return first }
    let more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1
    var value = first & (0x3f >> UInt32(more))
    for _ in 0..<more where position < text.count {
      value = value << 6 | UInt32(text[position]) & 0x3f
      position += 1
    }
    return value
  }

  private func state(after state: State, _ characterClass: Int) -> State {
    let isWord = program.isWordClass[characterClass]
    let places =
      state.isAtStart
      ? walk.places(afterFirst: characterClass, beginsWord: isWord)
      : walk.places(after: state.places, characterClass, isWordEdge: isWord != state.isAfterWord)
    return State(places: places, isAfterWord: isWord, isAtStart: false)
  }

  private func matches(endingIn state: State) -> Bool {
    state.isAtStart ? walk.matchesNothing : walk.matches(endingAt: state.places, endsWord: state.isAfterWord)
  }

  /// Enters what comes after a state into the table; nil where it is full.
  private mutating func learn(_ known: Int, _ characterClass: Int) -> Int32? {
    walked += 1
    let after = state(after: states[known], characterClass)
    let next = PatternWalk.hasMatched(after.places) ? PatternMatcher.matched : number(of: after)
    guard let next else { return nil }
    table[known * program.classStarts.count + characterClass] = next
    return next
  }

  private mutating func number(of state: State) -> Int32? {
    if let number = numbers[state] { return number }
    guard states.count < mostStates else { return nil }
    let number = Int32(states.count)
    numbers[state] = number
    states.append(state)
    table.append(contentsOf: repeatElement(PatternMatcher.unknown, count: program.classStarts.count))
    return number
  }

  /// Goes on without the table to the end of the text.
  private mutating func walks(_ text: Span<UInt8>, from known: State, at start: Int) -> Bool {
    var (state, position) = (known, start)
    while position < text.count {
      let characterClass = program.characterClass(PatternMatcher.scalar(in: text, at: &position))
      state = self.state(after: state, characterClass)
      walked += 1
      if PatternWalk.hasMatched(state.places) { return true }
    }
    return matches(endingIn: state)
  }
}
