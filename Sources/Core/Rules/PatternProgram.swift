/// An expression as steps of an automaton that may be in many places at once.
struct PatternProgram: Sendable {
  /// One step; numbers are positions in the program.
  enum Step: Sendable {
    /// Takes one character of a set and goes on with the next step.
    case take(ScalarSet)
    /// Goes on at both.
    case fork(Int, Int)
    case jump(Int)
    /// Goes on with the next step where this holds.
    case check(PatternAssertion)
    case match
  }

  private(set) var steps: [Step] = []
  /// Where the classes of characters begin that no step tells apart; the first begins at 0.
  let classStarts: [UInt32]
  /// The class of each ASCII character.
  let asciiClasses: [UInt8]
  /// Whether the characters of a class are of a word.
  let isWordClass: [Bool]

  /// The most steps; with the text's length they bound the time.
  static let mostSteps = 500

  init(_ node: PatternNode) throws(PatternError) {
    var steps: [Step] = []
    try PatternProgram.append(node, to: &steps)
    steps.append(.match)
    self.steps = steps
    var starts: Set<UInt32> = [0]
    for case .take(let set) in steps { PatternProgram.insert(set, into: &starts) }
    PatternProgram.insert(.word, into: &starts)
    let sorted = starts.sorted()
    classStarts = sorted
    asciiClasses = (0..<128).map { value in UInt8((sorted.lastIndex { $0 <= value } ?? 0)) }
    isWordClass = sorted.map { ScalarSet.word.contains($0) }
  }

  private static func insert(_ set: ScalarSet, into starts: inout Set<UInt32>) {
    for range in set.ranges { starts.formUnion([range.lowerBound, range.upperBound + 1]) }
  }

  /// The class of a character.
  func characterClass(_ value: UInt32) -> Int {
    if value < 128 { return Int(asciiClasses[Int(value)]) }
    var (low, high) = (0, classStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if classStarts[middle] <= value { low = middle } else { high = middle }
    }
    return low
  }

  private static func append(_ node: PatternNode, to steps: inout [Step]) throws(PatternError) {
    guard steps.count < mostSteps else { throw .tooLarge(limit: mostSteps) }
    switch node {
    case .empty: break
    case .one(let set): steps.append(.take(set))
    case .assertion(let assertion): steps.append(.check(assertion))
    case .sequence(let parts): for part in parts { try append(part, to: &steps) }
    case .either(let parts): try append(either: parts, to: &steps)
    case .repeated(let part, let least, let most): try append(part, least, most, to: &steps)
    }
  }

  private static func append(either parts: [PatternNode], to steps: inout [Step]) throws(PatternError) {
    var ends: [Int] = []
    for (index, part) in parts.enumerated() {
      guard index < parts.count - 1 else {
        try append(part, to: &steps)
        break
      }
      let fork = steps.count
      steps.append(.fork(fork + 1, 0))
      try append(part, to: &steps)
      ends.append(steps.count)
      steps.append(.jump(0))
      steps[fork] = .fork(fork + 1, steps.count)
    }
    for end in ends { steps[end] = .jump(steps.count) }
  }

  private static func append(
    _ part: PatternNode, _ least: Int, _ most: Int?, to steps: inout [Step]
  ) throws(PatternError) {
    for _ in 0..<least { try append(part, to: &steps) }
    guard let most else {
      let fork = steps.count
      steps.append(.fork(fork + 1, 0))
      try append(part, to: &steps)
      steps.append(.jump(fork))
      steps[fork] = .fork(fork + 1, steps.count)
      return
    }
    var forks: [Int] = []
    for _ in least..<most {
      forks.append(steps.count)
      steps.append(.fork(steps.count + 1, 0))
      try append(part, to: &steps)
    }
    for fork in forks { steps[fork] = .fork(fork + 1, steps.count) }
  }
}
