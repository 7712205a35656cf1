/// Parses CSV (RFC 4180) row by row: quoted fields with `""` and line ends; LF, CRLF or CR; the last row maybe without
/// one.
///
/// A quote inside an unquoted field is literal. If the quotes of a row do not match, the row is returned as damaged and
/// parsing resumes at the line after its first; otherwise one bad title would swallow every row up to the next quote.
struct CSVReader {
  /// A row of the file.
  enum Row: Equatable {
    case fields([String], line: Int)
    case unmatchedQuote(line: Int)
  }

  private let bytes: [UInt8]
  /// The separator of this file.
  let separator: UInt8
  private var position: Int
  private var line = 1

  /// A reader of a whole file. The separator is `,` unless the first line has more `;` or tabs, as spreadsheets write.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.startIndex
    let first = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let counts = ",;\t".utf8.map { letter in (letter, first.count { $0 == letter }) }
    separator = counts.reduce(counts[0]) { $1.1 > $0.1 ? $1 : $0 }.0
  }

  /// The next non-empty row; nil at the end.
  mutating func next() -> Row? {
    while position < bytes.endIndex, isLineEnd(bytes[position]) { endLine() }
    guard position < bytes.endIndex else { return nil }
    let start = (position: position, line: line)
    if let fields = row() { return .fields(fields, line: start.line) }
    position = start.position
    line = start.line
    skipLine()
    return .unmatchedQuote(line: start.line)
  }

  /// No known file has more columns; the limit keeps a line of a million commas from costing memory.
  private static let fieldLimit = 64

  /// The fields up to the end of the row; nil if a quote is unmatched.
  private mutating func row() -> [String]? {
    var fields: [String] = []
    while true {
      let isQuoted = position < bytes.endIndex && bytes[position] == UInt8(ascii: "\"")
      guard let field = isQuoted ? quotedField() : plainField() else { return nil }
      if fields.count < CSVReader.fieldLimit { fields.append(field) }
      guard position < bytes.endIndex, bytes[position] == separator else {
        endLine()
        return fields
      }
      position += 1
    }
  }

  private mutating func plainField() -> String? {
    let start = position
    while position < bytes.endIndex, !endsField(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func quotedField() -> String? {
    var field: [UInt8] = []
    position += 1
    while position < bytes.endIndex {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "\n") { line += 1 }
      if byte != UInt8(ascii: "\"") {
        field.append(byte)
      } else if position < bytes.endIndex, bytes[position] == UInt8(ascii: "\"") {
        field.append(byte)
        position += 1
      } else {
        let isWhole = position == bytes.endIndex || endsField(bytes[position])
        return isWhole ? String(decoding: field, as: UTF8.self) : nil
      }
    }
    return nil
  }

  private func endsField(_ byte: UInt8) -> Bool {
    byte == separator || isLineEnd(byte)
  }

  private func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

  private mutating func skipLine() {
    while position < bytes.endIndex, !isLineEnd(bytes[position]) { position += 1 }
    endLine()
  }

  private mutating func endLine() {
    guard position < bytes.endIndex else { return }
    let isReturn = bytes[position] == UInt8(ascii: "\r")
    position += 1
    if isReturn, position < bytes.endIndex, bytes[position] == UInt8(ascii: "\n") { position += 1 }
    line += 1
  }
}
