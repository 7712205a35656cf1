import Core

/// A regular expression normalised as the texts are that it is matched with: letters without their marks and in lower
/// case, but for letters that mean something in PCRE2's syntax: `\W`, `\p{Lu}`, `(?P<Name>…)`.
struct FoldedPattern {
  /// The expression as PCRE2 gets it.
  private(set) var bytes: [UInt8] = []
  /// For each byte the character of the original that it is made of, from 0.
  private var origins: [Int] = []
  private let scalars: [Unicode.Scalar]
  private var position = 0

  init(_ text: String) throws(PatternError) {
    scalars = Array(text.unicodeScalars)
    while let scalar = next {
      switch scalar {
      case "\\": copyEscape()
      case "(": try copyGroupStart()
      case "[": copySet()
      default:
        append(literal: scalar)
        position += 1
      }
    }
  }

  /// The character of the original, counted from 1, at which PCRE2 stopped at an offset.
  func position(of offset: Int) -> Int {
    offset < origins.count ? origins[offset] + 1 : max(1, scalars.count)
  }

  // MARK: Reading and writing

  private var next: Unicode.Scalar? { scalar(at: position) }

  private func scalar(at position: Int) -> Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private func isNext(_ text: StaticString, at start: Int) -> Bool {
    text.withUTF8Buffer { bytes in
      bytes.indices.allSatisfy { scalar(at: start + $0)?.value == UInt32(bytes[$0]) }
    }
  }

  private mutating func append(_ new: some Sequence<UInt8>) {
    for byte in new {
      bytes.append(byte)
      origins.append(min(position, scalars.count - 1))
    }
  }

  /// Copies characters as they are.
  private mutating func copy(_ count: Int) {
    for _ in 0..<count {
      guard let scalar = next else { return }
      append(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      position += 1
    }
  }

  /// Copies as it is what comes before a sign, and the sign.
  private mutating func copy(through ends: Set<Unicode.Scalar>) {
    while let scalar = next {
      copy(1)
      if ends.contains(scalar) { return }
    }
  }

  /// Whether a character is a letter or digit of ASCII.
  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
  }

  private static func folded(_ scalar: Unicode.Scalar) -> [UInt8] { NormalizedText.bytes(of: String(scalar)) }

  /// What a character is in a normalised text, which may be two characters or none.
  private mutating func append(literal scalar: Unicode.Scalar) {
    let folded = FoldedPattern.folded(scalar)
    let isOne = String(decoding: folded, as: UTF8.self).unicodeScalars.count <= 1
    append(isOne ? folded : Array("(?:".utf8) + folded + Array(")".utf8))
  }

  // MARK: Escapes

  /// Signs behind an escape's letter after which a name follows up to another sign.
  private static let brackets: [Unicode.Scalar: Unicode.Scalar] = ["{": "}", "<": ">", "'": "'"]

  private mutating func copyEscape() {
    guard let sign = scalar(at: position + 1) else { return copy(1) }
    if sign == "Q" { return copyQuote() }
    guard sign.isASCII else {
      position += 1
      append(literal: sign)
      return position += 1
    }
    copy(2)
    if sign == "c" { return copy(1) }
    if "pPxoNgk".unicodeScalars.contains(sign), let start = next, let end = FoldedPattern.brackets[start] {
      copy(1)
      copy(through: [end])
    } else if sign == "p" || sign == "P" {
      copy(1)
    }
  }

  /// `\Q…\E`: everything in between stands for itself.
  private mutating func copyQuote() {
    position += 2
    while let scalar = next, !isNext("\\E", at: position) {
      if scalar.isASCII, !FoldedPattern.isLetterOrDigit(scalar) { append("\\".utf8) }
      append(literal: scalar)
      position += 1
    }
    position += 2
  }

  // MARK: Groups

  private mutating func copyGroupStart() throws(PatternError) {
    copy(1)
    if next == "*" { return copy(through: [":", ")"]) }
    guard next == "?" else { return }
    copy(1)
    switch next {
    case "C": throw .unsupported(position: position + 1)
    case "#", "&": copy(through: [")"])
    case "'":
      copy(1)
      copy(through: ["'"])
    case "P":
      copy(1)
      copy(through: next == "<" ? [">"] : [")"])
    case "<" where !["=", "!", "*"].contains(scalar(at: position + 1)): copy(through: [">"])
    case "(" where isNext("(?C", at: position): throw .unsupported(position: position + 3)
    case "(" where !["?", "*"].contains(scalar(at: position + 1)): copy(through: [")"])
    default:
      while let scalar = next, FoldedPattern.isLetterOrDigit(scalar) || ["^", "+", "-"].contains(scalar) { copy(1) }
    }
  }

  // MARK: Sets

  /// `[…]`; a character that is several in a normalised text becomes an alternative beside the set.
  private mutating func copySet() {
    if isNext("[[:<:]]", at: position) || isNext("[[:>:]]", at: position) { return copy(7) }
    let (start, first) = (bytes.count, origins.count)
    position += 1
    let isInverted = next == "^"
    if isInverted { position += 1 }
    var set = SetContent()
    readSet(&set)
    guard set.isClosed else {
      // PCRE2 says what is wrong with it.
      bytes.removeSubrange(start...)
      origins.removeSubrange(first...)
      position = set.start - (isInverted ? 2 : 1)
      return copy(scalars.count - position)
    }
    let isEmpty = set.bytes.isEmpty
    if isInverted { return append(isEmpty ? Array("(?s:.)".utf8) : Array("[^".utf8) + set.bytes + Array("]".utf8)) }
    let one = isEmpty ? [] : [Array("[".utf8) + set.bytes + Array("]".utf8)]
    let all = one + set.runs
    if all.count == 1, !isEmpty { return append(all[0]) }
    append("(?:".utf8)
    // A set of marks alone has nothing that a normalised text can have.
    append(all.isEmpty ? Array("(?!)".utf8) : Array(all.joined(separator: Array("|".utf8))))
    append(")".utf8)
  }

  private struct SetContent {
    var bytes: [UInt8] = []
    var runs: [[UInt8]] = []
    var start = 0
    var isClosed = false

    mutating func insert(_ scalar: Unicode.Scalar) {
      let folded = FoldedPattern.folded(scalar)
      if String(decoding: folded, as: UTF8.self).unicodeScalars.count > 1 { return runs.append(folded) }
      insert(plain: folded)
    }

    /// Inserts one character; a sign never means anything.
    mutating func insert(plain encoded: some Collection<UInt8>) {
      if let first = encoded.first, (0x21..<0x7f).contains(first),
        !FoldedPattern.isLetterOrDigit(Unicode.Scalar(first))
      {
        bytes.append(UInt8(ascii: "\\"))
      }
      bytes += encoded
    }

    mutating func insert(_ start: Unicode.Scalar, through end: Unicode.Scalar) {
      insert(plain: Array(UTF8.encode(start) ?? UTF8.encodedReplacementCharacter))
      bytes.append(UInt8(ascii: "-"))
      insert(plain: Array(UTF8.encode(end) ?? UTF8.encodedReplacementCharacter))
    }
  }

  private mutating func readSet(_ set: inout SetContent) {
    set.start = position
    while let scalar = next {
      if scalar == "]", position > set.start {
        position += 1
        return set.isClosed = true
      }
      if scalar == "\\" {
        readEscape(&set)
      } else if scalar == "[", let sign = self.scalar(at: position + 1), ":.=".unicodeScalars.contains(sign),
        let end = endOfClass(sign)
      {
        set.bytes += scalars[position..<end].flatMap { UTF8.encode($0) ?? UTF8.encodedReplacementCharacter }
        position = end
      } else if isNext("-", at: position + 1), let end = self.scalar(at: position + 2),
        !"]\\[".unicodeScalars.contains(end)
      {
        insertRange(scalar, end, &set)
        position += 3
      } else {
        set.insert(scalar)
        position += 1
      }
    }
  }

  /// Where `[:alpha:]` ends that begins here; nil if it is not one.
  private func endOfClass(_ sign: Unicode.Scalar) -> Int? {
    var end = position + 2
    while let scalar = scalar(at: end), scalar.isASCII, scalar.properties.isAlphabetic || scalar == "^" { end += 1 }
    return scalar(at: end) == sign && scalar(at: end + 1) == "]" ? end + 2 : nil
  }

  /// The range as it stands, and that between its normalised ends: `[à-ý]` has `é`.
  private func insertRange(_ start: Unicode.Scalar, _ end: Unicode.Scalar, _ set: inout SetContent) {
    set.insert(start, through: end)
    let ends = [start, end].map { Array(String(decoding: FoldedPattern.folded($0), as: UTF8.self).unicodeScalars) }
    if ends[0].count == 1, ends[1].count == 1, ends[0][0] <= ends[1][0] { set.insert(ends[0][0], through: ends[1][0]) }
  }

  private mutating func readEscape(_ set: inout SetContent) {
    guard let sign = scalar(at: position + 1) else { return position += 1 }
    position += 2
    if sign == "E" { return }
    if sign == "Q" {
      while let scalar = next, !isNext("\\E", at: position) {
        set.insert(scalar)
        position += 1
      }
      return
    }
    guard FoldedPattern.isLetterOrDigit(sign) else { return set.insert(sign) }
    var copied: [Unicode.Scalar] = ["\\", sign]
    if "pPxoN".unicodeScalars.contains(sign), next == "{" {
      while let scalar = next {
        copied.append(scalar)
        position += 1
        if scalar == "}" { break }
      }
    } else if "cpP".unicodeScalars.contains(sign), let scalar = next {
      copied.append(scalar)
      position += 1
    }
    set.bytes += copied.flatMap { UTF8.encode($0) ?? UTF8.encodedReplacementCharacter }
  }
}
