import Core

/// Rows as CSV or TSV, for spreadsheets and scripts: a header line, then one line per row.
///
/// Text is cleaned as for a terminal, because it often ends up in one; `jsonl` has the original. A value that a
/// spreadsheet would take for a formula is prefixed with an apostrophe; in TSV, which scripts read, IDs stay as they are.
package enum SeparatedValues: Sendable {
  /// CSV (RFC 4180, but with `\n` line ends); quotes values only where necessary.
  case commas
  /// TSV: without quotes and escapes, because no value contains a tab or newline.
  case tabs

  /// Appends one line.
  package func append(_ values: [String], to bytes: inout [UInt8]) {
    appendLine(values.map { ($0, false) }, to: &bytes)
  }

  /// Appends the line of a row.
  package func append(_ row: some ExportedRow, to bytes: inout [UInt8]) { appendLine(row.cells, to: &bytes) }

  private func appendLine(_ cells: [(text: String, isID: Bool)], to bytes: inout [UInt8]) {
    for (position, cell) in cells.enumerated() {
      if position > 0 { bytes.append(self == .commas ? UInt8(ascii: ",") : UInt8(ascii: "\t")) }
      append(cell.isID && self == .tabs ? cell.text : SeparatedValues.harmless(cell.text), to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Appends the names of the members, and one line per row.
  package func append<Row: ExportedRow>(_ rows: some Sequence<Row>, to bytes: inout [UInt8]) {
    append(Row.columns, to: &bytes)
    for row in rows { append(row, to: &bytes) }
  }

  private func append(_ value: String, to bytes: inout [UInt8]) {
    let needsQuotes = self == .commas && value.utf8.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") }
    guard needsQuotes else { return bytes.append(contentsOf: value.utf8) }
    bytes.append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      bytes.append(byte)
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func harmless(_ value: String) -> String {
    let cleaned = oneLine(value)
    // A spreadsheet may skip what a terminal does not show.
    let starts = [value.utf8.first, cleaned.utf8.first, DisplayText(value).text.utf8.first].compactMap(\.self)
    return starts.contains(where: formulaStarts.contains) ? "'" + cleaned : cleaned
  }

  /// The text without control characters; line breaks and tabs become a space. Everything else stays: joiners and
  /// variation selectors belong to words and emoji.
  private static func oneLine(_ value: String) -> String {
    guard value.unicodeScalars.contains(where: isControl) else { return value }
    var kept = String.UnicodeScalarView()
    for scalar in value.unicodeScalars {
      let breaksLine = scalar.properties.isWhitespace && isControl(scalar)
      if breaksLine, !kept.isEmpty, kept.last != " " { kept.append(" ") }
      if !isControl(scalar) { kept.append(scalar) }
    }
    return String(kept)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  private static let formulaStarts = Array("=+-@\t\r".utf8)
}
