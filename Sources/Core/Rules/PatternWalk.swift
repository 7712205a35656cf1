/// The places an automaton is at: a bit for each character it can take next to have come there, the last for a match.
typealias PatternPlaces = SIMD8<UInt64>

/// Takes an automaton from one character to the next, at all its places at once.
///
/// A place is a character of the expression that was just taken. Most lead to the one behind them alone, and those move
/// together by a shift; where the others lead is looked up eight places at a time. So a character costs at most one
/// look-up for every eight places, however many of them the automaton is at.
///
/// Source: V. M. Glushkov, 1961; G. Navarro and M. Raffinot, "Flexible Pattern Matching in Strings", 2002, chapter 5.
struct PatternWalk {
  /// Between two characters, and where these are at the edge of a word.
  private let inside: Move
  private let atEdge: Move
  /// What the end of the text reaches, by whether a word ends there.
  private let ending: [Move]
  /// What is reached before the first character, by whether a word begins there; nothing was taken yet.
  private let starts: [PatternPlaces]
  /// What is reached in a text without characters.
  private let nowhere: PatternPlaces
  /// The places that can be come to by a character of each class.
  private let taking: [PatternPlaces]

  private static let matchBit = PatternPlaces.scalarCount * 64 - 1

  /// Where places lead in one kind of surroundings.
  fileprivate struct Move {
    /// What is reached from the beginning of the expression.
    var first = PatternPlaces.zero
    /// The places from which the one behind them is reached.
    var toNext = PatternPlaces.zero
    /// Which bytes of the places have some that lead elsewhere.
    var bytes: [Int] = []
    /// Where those lead, for each of those bytes by its value.
    var elsewhere: [PatternPlaces] = []
  }

  /// What the surroundings of the place between two characters are.
  fileprivate struct Surroundings {
    var isTextStart = false
    var isTextEnd = false
    var isWordEdge = false
  }

  init(_ program: PatternProgram) {
    let takes = program.steps.indices.filter { if case .take = program.steps[$0] { true } else { false } }
    precondition(takes.count <= PatternWalk.matchBit, "the steps of a program are bounded")
    let routes = Routes(steps: program.steps, takes: takes)
    func move(_ surroundings: Surroundings) -> Move { PatternWalk.move(routes, surroundings) }
    inside = move(Surroundings())
    atEdge = routes.asksForWords ? move(Surroundings(isWordEdge: true)) : inside
    ending = [false, true].map { move(Surroundings(isTextEnd: true, isWordEdge: $0)) }
    starts = [false, true].map { routes.reached(from: 0, Surroundings(isTextStart: true, isWordEdge: $0)) }
    nowhere = routes.reached(from: 0, Surroundings(isTextStart: true, isTextEnd: true))
    var taking = program.classStarts.map { _ in PatternPlaces.only(PatternWalk.matchBit) }
    for (place, step) in takes.enumerated() {
      guard case .take(let set) = program.steps[step] else { continue }
      for (index, start) in program.classStarts.enumerated() where set.contains(start) {
        taking[index] |= PatternPlaces.only(place)
      }
    }
    self.taking = taking
  }

  /// The most look-ups a character takes.
  var lookups: Int { max(inside.bytes.count, atEdge.bytes.count) }

  /// The places after a first character of a class.
  func places(afterFirst characterClass: Int, beginsWord: Bool) -> PatternPlaces {
    starts[beginsWord ? 1 : 0] & taking[characterClass]
  }

  /// The places after a character of a class that comes after others.
  func places(after places: PatternPlaces, _ characterClass: Int, isWordEdge: Bool) -> PatternPlaces {
    (isWordEdge ? atEdge.reached(from: places) : inside.reached(from: places)) & taking[characterClass]
  }

  /// Whether the pattern has matched at the end of a text that ends at these places.
  func matches(endingAt places: PatternPlaces, endsWord: Bool) -> Bool {
    PatternWalk.hasMatched(ending[endsWord ? 1 : 0].reached(from: places))
  }

  /// Whether the pattern matches a text without characters.
  var matchesNothing: Bool { PatternWalk.hasMatched(nowhere) }

  /// Whether a match is among the places.
  static func hasMatched(_ places: PatternPlaces) -> Bool { places[PatternPlaces.scalarCount - 1] >> 63 != 0 }

  // MARK: Making

  /// The steps of a program, and which place each of those is that take a character.
  private struct Routes {
    let steps: [PatternProgram.Step]
    let takes: [Int]
    let asksForWords: Bool
    private let places: [Int]

    init(steps: [PatternProgram.Step], takes: [Int]) {
      self.steps = steps
      self.takes = takes
      asksForWords = steps.contains {
        switch $0 {
        case .check(.wordEdge), .check(.noWordEdge): true
        default: false
        }
      }
      var places = steps.map { _ in 0 }
      for (place, step) in takes.enumerated() { places[step] = place }
      self.places = places
    }

    /// What is reached from a step without taking a character.
    func reached(from step: Int, _ surroundings: Surroundings) -> PatternPlaces {
      var reached = PatternPlaces.zero
      var isSeen = [Bool](repeating: false, count: steps.count)
      var waiting = [step]
      while let step = waiting.popLast() {
        guard !isSeen[step] else { continue }
        isSeen[step] = true
        switch steps[step] {
        case .match: reached |= .only(PatternWalk.matchBit)
        case .take: reached |= .only(places[step])
        case .jump(let target): waiting.append(target)
        case .fork(let one, let other): waiting += [one, other]
        case .check(let assertion): if surroundings.satisfy(assertion) { waiting.append(step + 1) }
        }
      }
      return reached
    }
  }

  private static func move(_ routes: Routes, _ surroundings: Surroundings) -> Move {
    var move = Move()
    move.first = routes.reached(from: 0, surroundings)
    var others: [Int: PatternPlaces] = [:]
    for (place, step) in routes.takes.enumerated() {
      var reached = routes.reached(from: step + 1, surroundings)
      let next = PatternPlaces.only(place + 1)
      if place + 1 < routes.takes.count, reached & next == next {
        move.toNext |= .only(place)
        reached &= ~next
      }
      if reached != .zero { others[place] = reached }
    }
    move.bytes = Set(others.keys.map { $0 / 8 }).sorted()
    for byte in move.bytes {
      move.elsewhere.append(.zero)
      for value in 1..<256 {
        // What all but the lowest place reach stands before it.
        let rest = move.elsewhere[move.elsewhere.count - (1 << value.trailingZeroBitCount)]
        move.elsewhere.append(rest | (others[byte * 8 + value.trailingZeroBitCount] ?? .zero))
      }
    }
    return move
  }
}

extension PatternWalk.Surroundings {
  fileprivate func satisfy(_ assertion: PatternAssertion) -> Bool {
    switch assertion {
    case .textStart: isTextStart
    case .textEnd: isTextEnd
    case .wordEdge: isWordEdge
    case .noWordEdge: !isWordEdge
    }
  }
}

extension PatternWalk.Move {
  /// What is reached from some places and, for the pattern may begin anywhere, from its beginning.
  @inline(__always)
  fileprivate func reached(from places: PatternPlaces) -> PatternPlaces {
    var reached = (places & toNext).movedByOne | first
    for index in bytes.indices {
      let byte = bytes[index]
      let value = Int(truncatingIfNeeded: places[byte >> 3] &>> UInt64((byte & 7) * 8)) & 0xff
      reached |= elsewhere[index << 8 | value]
    }
    return reached
  }
}

extension PatternPlaces {
  /// The one place of a number.
  fileprivate static func only(_ place: Int) -> PatternPlaces {
    var places = PatternPlaces.zero
    places[place / 64] = 1 << UInt64(place % 64)
    return places
  }

  /// Each place moved to the one behind it.
  @inline(__always)
  fileprivate var movedByOne: PatternPlaces {
    let over = self &>> 63
    return self &<< 1
      | PatternPlaces(0, over[0], over[1], over[2], over[3], over[4], over[5], over[6])
  }
}
