/// Looks for a pattern in texts, one character after the other and never back.
///
/// Where the automaton can be after the same character from the same places is remembered as a state of its own, so
/// that most characters cost one look into a table. The table is bounded: when it is full it begins afresh.
package struct PatternMatcher {
  private let program: PatternProgram
  private var states: [Place] = []
  private var numbers: [Place: Int] = [:]
  /// The state behind each state and class; `unknown` where it was not met yet.
  private var table: [Int32] = []
  private let start: Place

  /// Where the automaton is between two characters, before it looks at what comes.
  private struct Place: Hashable {
    /// The steps it may be at, sorted.
    var steps: [Int32]
    var isAtStart: Bool
    var isAfterWord: Bool
    /// Whether the pattern has matched already.
    var hasMatched: Bool
  }

  private static let unknown: Int32 = -1
  /// The most states remembered.
  private static let mostStates = 1000

  package init(_ pattern: Pattern) { self.init(program: pattern.program) }

  /// A matcher for a program of any making.
  init(program: PatternProgram) {
    self.program = program
    start = Place(steps: [0], isAtStart: true, isAfterWord: false, hasMatched: false)
  }

  /// Whether the pattern matches somewhere in a text that `FoldedText` folded.
  package mutating func matches(folded text: Span<UInt8>) -> Bool {
    var state = number(of: start)
    var position = 0
    while position < text.count {
      state = next(state, program.characterClass(PatternMatcher.scalar(in: text, at: &position)))
      if states[state].hasMatched { return true }
    }
    return place(after: states[state], nil).hasMatched
  }

  /// The character at a position of valid UTF-8, which moves behind it.
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

  private mutating func next(_ state: Int, _ characterClass: Int) -> Int {
    let index = state * program.classStarts.count + characterClass
    if table[index] != PatternMatcher.unknown { return Int(table[index]) }
    let place = place(after: states[state], characterClass)
    let isFull = states.count >= PatternMatcher.mostStates && numbers[place] == nil
    if isFull { (states, numbers, table) = ([], [:], []) }
    let number = number(of: place)
    if !isFull { table[index] = Int32(number) }
    return number
  }

  private mutating func number(of place: Place) -> Int {
    if let number = numbers[place] { return number }
    numbers[place] = states.count
    states.append(place)
    table.append(contentsOf: repeatElement(PatternMatcher.unknown, count: program.classStarts.count))
    return states.count - 1
  }

  /// Where the automaton is after a character of a class; nil is the end of the text.
  private func place(after place: Place, _ characterClass: Int?) -> Place {
    let isBeforeWord = characterClass.map { program.isWordClass[$0] } ?? false
    var reached = [Bool](repeating: false, count: program.steps.count)
    var waiting = place.steps.map { Int($0) }
    // The pattern may begin anywhere.
    var isAfter = [Bool](repeating: false, count: program.steps.count)
    isAfter[0] = true
    var hasMatched = place.hasMatched
    while let step = waiting.popLast() {
      guard !reached[step] else { continue }
      reached[step] = true
      switch program.steps[step] {
      case .match: hasMatched = true
      case .jump(let target): waiting.append(target)
      case .fork(let one, let other): waiting += [one, other]
      case .check(let assertion):
        let isEdge = place.isAfterWord != isBeforeWord
        let holds =
          switch assertion {
          case .textStart: place.isAtStart
          case .textEnd: characterClass == nil
          case .wordEdge: isEdge
          case .noWordEdge: !isEdge
          }
        if holds { waiting.append(step + 1) }
      case .take(let set):
        if let characterClass, set.contains(program.classStarts[characterClass]) { isAfter[step + 1] = true }
      }
    }
    let after = isAfter.indices.filter { isAfter[$0] }.map { Int32($0) }
    return Place(steps: after, isAtStart: false, isAfterWord: isBeforeWord, hasMatched: hasMatched)
  }
}
