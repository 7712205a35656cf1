/// Reads an expression from left to right, once.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0

  /// The most a part may be repeated by a number.
  static let mostRepetitions = 100
  private static let deepest = 50

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The whole expression.
  mutating func parse() throws(PatternError) -> PatternNode {
    let node = try alternatives()
    // What stops the alternatives before the end is a bracket that nobody opened.
    guard position == scalars.count else { throw .unbalanced(position: position + 1) }
    return node
  }

  private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private mutating func alternatives() throws(PatternError) -> PatternNode {
    var all = [try sequence()]
    while skip("|") { all.append(try sequence()) }
    return all.count == 1 ? all[0] : .either(all)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var parts: [PatternNode] = []
    while let scalar = next, scalar != "|", scalar != ")" { parts.append(try repetition(of: try part())) }
    return parts.count == 1 ? parts[0] : parts.isEmpty ? .empty : .sequence(parts)
  }

  private mutating func part() throws(PatternError) -> PatternNode {
    let start = position
    guard let scalar = next else { throw .unfinished }
    position += 1
    switch scalar {
    case ".": return .one(.everything)
    case "^": return .assertion(.textStart)
    case "$": return .assertion(.textEnd)
    case "(": return try group(start)
    case "[": return try set(start)
    case "\\": return try escape()
    case "*", "+", "?": throw .badRepetition(position: start + 1)
    default: return PatternParser.literal(scalar)
    }
  }

  /// What a character matches in a folded text: itself folded, which may be two characters or none.
  private static func literal(_ scalar: Unicode.Scalar) -> PatternNode {
    let parts = folded(scalar).map { PatternNode.one(ScalarSet($0)) }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private static func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    var bytes: [UInt8] = []
    NormalizedText.append(scalar, to: &bytes)
    return Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
  }

  private mutating func group(_ start: Int) throws(PatternError) -> PatternNode {
    if skip("?"), !skip(":") { throw .unsupported(position: start + 1) }
    depth += 1
    guard depth <= PatternParser.deepest else { throw .tooLarge(limit: PatternParser.deepest) }
    let node = try alternatives()
    depth -= 1
    guard skip(")") else { throw .unbalanced(position: start + 1) }
    return node
  }

  private mutating func escape() throws(PatternError) -> PatternNode {
    let start = position
    guard let scalar = next else { throw .unfinished }
    position += 1
    switch scalar {
    case "b": return .assertion(.wordEdge)
    case "B": return .assertion(.noWordEdge)
    default:
      if let meant = try PatternParser.meaning(of: scalar, start) { return .one(meant) }
      return PatternParser.literal(scalar)
    }
  }

  /// The set that a sign behind `\` stands for; nil where it stands for itself.
  private static func meaning(of scalar: Unicode.Scalar, _ start: Int) throws(PatternError) -> ScalarSet? {
    switch scalar {
    case "d": .digits
    case "D": ScalarSet.digits.inverted
    case "w": .word
    case "W": ScalarSet.word.inverted
    case "s": .blanks
    case "S": ScalarSet.blanks.inverted
    case "n": ScalarSet("\n")
    case "t": ScalarSet("\t")
    // A letter or digit that means nothing here means something elsewhere.
    case "0"..."9", "a"..."z", "A"..."Z": throw .unsupported(position: start)
    default: nil
    }
  }

  private mutating func set(_ start: Int) throws(PatternError) -> PatternNode {
    let isInverted = skip("^")
    let first = position
    var ranges: [ClosedRange<UInt32>] = []
    // What folds to more than one character is one of the set's as these one after the other.
    var runs: [PatternNode] = []
    func take(_ scalar: Unicode.Scalar) {
      let folded = PatternParser.folded(scalar)
      if folded.count == 1 { ranges.append(folded[0].value...folded[0].value) }
      if folded.count > 1 { runs.append(PatternParser.literal(scalar)) }
    }
    while let scalar = next, scalar != "]" || position == first {
      position += 1
      if scalar == "\\" {
        guard let sign = next else { throw .unfinished }
        position += 1
        if let meant = try PatternParser.meaning(of: sign, position - 1) { ranges += meant.ranges } else { take(sign) }
        continue
      }
      guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
        take(scalar)
        continue
      }
      let end = scalars[position + 1]
      guard end != "\\", end.value >= scalar.value else { throw .badSet(position: position) }
      position += 2
      ranges.append(scalar.value...end.value)
      let ends = (PatternParser.folded(scalar), PatternParser.folded(end))
      if ends.0.count == 1, ends.1.count == 1, ends.0[0] <= ends.1[0] {
        ranges.append(ends.0[0].value...ends.1[0].value)
      }
    }
    guard skip("]") else {
      // `[]` and `[^]` are sets of nothing and of everything elsewhere; here the bracket is the first of the set.
      let isEmpty = first < scalars.count && scalars[first] == "]"
      throw isEmpty ? .badSet(position: start + 1) : .unbalanced(position: start + 1)
    }
    let set = ScalarSet(ranges)
    // A single character is none of a run.
    if isInverted { return .one(set.inverted) }
    return runs.isEmpty ? .one(set) : .either([.one(set)] + runs)
  }

  private mutating func repetition(of part: PatternNode) throws(PatternError) -> PatternNode {
    let start = position
    var node = part
    if skip("*") {
      node = .repeated(part, 0, nil)
    } else if skip("+") {
      node = .repeated(part, 1, nil)
    } else if skip("?") {
      node = .repeated(part, 0, 1)
    } else if next == "{", let (least, most) = try counts() {
      node = .repeated(part, least, most)
    } else {
      return part
    }
    if case .assertion = part { throw .badRepetition(position: start + 1) }
    // Whether as few or as many as possible makes no difference to whether there is a match.
    if skip("?") { return node }
    if let scalar = next, "*+?{".unicodeScalars.contains(scalar) { throw .badRepetition(position: position + 1) }
    return node
  }

  /// The numbers in `{2}`, `{2,}` or `{2,5}`; nil where the bracket is just a bracket.
  private mutating func counts() throws(PatternError) -> (least: Int, most: Int?)? {
    guard let end = scalars[position...].firstIndex(of: "}") else { return nil }
    let inside = scalars[(position + 1)..<end]
    let parts = inside.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = parts.map { part in Int(String(String.UnicodeScalarView(part))) }
    guard let first = numbers.first, let least = first else { return nil }
    if numbers.count == 2, numbers[1] == nil, !parts[1].isEmpty { return nil }
    let most = numbers.count == 1 ? least : numbers[1]
    let isInOrder = least >= 0 && least <= most ?? least
    guard isInOrder, max(least, most ?? 0) <= PatternParser.mostRepetitions else {
      throw .badRepetition(position: position + 1)
    }
    position = end + 1
    return (least, most)
  }
}
