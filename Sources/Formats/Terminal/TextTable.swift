import Core

/// A table for a terminal. The cells contain safe text.
package struct TextTable: Sendable {
  package let columns: [Column]
  package private(set) var rows: [[Cell]] = []
  /// The width of the widest cell of each column.
  package private(set) var natural: [Int]

  /// A column.
  package struct Column: Sendable {
    package var title: DisplayText
    package var alignment: Alignment
    /// The minimum width, in terminal columns.
    package var minimum: Int
    /// The maximum width while other columns need the space; nil for no limit.
    package var maximum: Int?
    /// Whether it shrinks first when space is short.
    package var isFlexible: Bool
    /// The order in which columns are omitted if space is still short: lowest first; nil for never.
    package var leftOut: Int?

    package init(
      _ title: String, alignment: Alignment = .left, minimum: Int, maximum: Int?, isFlexible: Bool = false,
      leftOut: Int? = nil
    ) {
      self.title = DisplayText(title)
      (self.alignment, self.minimum, self.maximum) = (alignment, minimum, maximum)
      (self.isFlexible, self.leftOut) = (isFlexible, leftOut)
    }
  }

  /// The alignment of the cells of a column.
  package enum Alignment: Sendable { case left, right }

  /// A cell.
  package struct Cell: Sendable {
    package var text: DisplayText
    package var tint: Tint?
    /// The URL it links to.
    package var link: String?

    package init(_ outside: String, tint: Tint? = nil, link: String? = nil) {
      text = DisplayText(outside)
      (self.tint, self.link) = (tint, link)
    }
  }

  package init(columns: [Column]) {
    self.columns = columns
    natural = columns.map { _ in 0 }
  }

  /// Adds a row with one cell for each column.
  package mutating func add(_ cells: [Cell]) {
    precondition(cells.count == columns.count, "a row has one cell for each column")
    for (index, cell) in cells.enumerated() { natural[index] = max(natural[index], cell.text.width) }
    rows.append(cells)
  }
}

// MARK: Output

extension TextTable {
  /// Appends the header and the rows, one line each, truncated to `width` columns; nil for no limit. Appends nothing if
  /// there are no rows.
  package func append(to bytes: inout [UInt8], width: Int?, style: TerminalStyle) {
    guard !rows.isEmpty else { return }
    let widths = ColumnLayout.widths(columns, natural: natural, available: width)
    append(columns.map { Cell($0.title) }, widths, style, keepsApart: false, to: &bytes)
    for row in rows {
      let keepsApart = width != nil && row.contains { $0.text.hasRightToLeft }
      append(row, widths, style, keepsApart: keepsApart, to: &bytes)
    }
  }

  private func append(
    _ cells: [Cell], _ widths: [Int], _ style: TerminalStyle, keepsApart: Bool, to bytes: inout [UInt8]
  ) {
    // Before each cell, because the first one may determine the direction of the line.
    let mark = keepsApart ? Array(TextDirection.mark.utf8) : []
    forEachShown(cells, widths) { blanks, text, cell in
      bytes.append(contentsOf: mark)
      bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: blanks))
      style.append(text, tint: cell.tint, link: cell.link, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Calls `body` with each cell of a row that shows text: the blanks before it, its text as far as it fits, the cell.
  private func forEachShown(_ cells: [Cell], _ widths: [Int], _ body: (Int, DisplayText, Cell) -> Void) {
    // Spaces are written only before text, so that no line ends with them.
    var owed = 0
    for (index, width) in widths.enumerated() where width > 0 {
      let text = cells[index].text.cut(to: width + room(beside: index, of: cells, widths))
      let padding = width - text.width
      if columns[index].alignment == .right { owed += padding }
      if text.width > 0 {
        body(owed, text, cells[index])
        owed = 0
      }
      // Negative if the text extends over the empty cells to its right; they compensate for it.
      if columns[index].alignment == .left { owed += padding }
      owed += ColumnLayout.gap
    }
  }

  /// Where the texts of the header and of each row stand on a screen of `width` columns, if the widest cells are at least
  /// as wide as those of parts of the table that were shown before; empty if there were none.
  package func layout(width: Int, widest: [Int]) -> [[Run]] {
    let natural = widest.isEmpty ? natural : zip(natural, widest).map { max($0, $1) }
    let widths = ColumnLayout.widths(columns, natural: natural, available: width)
    return ([columns.map { Cell($0.title) }] + rows).map { row in
      let mark = row.contains { $0.text.hasRightToLeft } ? TextDirection.mark : ""
      var (runs, column) = ([Run](), 0)
      forEachShown(row, widths) { blanks, text, cell in
        column += blanks
        runs.append(Run(column: column, text: mark + text.text, tint: cell.tint))
        column += text.width
      }
      return runs
    }
  }

  /// A text of a row, and the column of a screen where it begins.
  package struct Run: Equatable, Sendable {
    package var column: Int
    package var text: String
    package var tint: Tint?
  }

  /// The width of the empty cells to the right of the flexible column, which is truncated most often.
  private func room(beside index: Int, of cells: [Cell], _ widths: [Int]) -> Int {
    guard columns[index].isFlexible, columns[index].alignment == .left else { return 0 }
    var room = 0
    for next in cells.indices[(index + 1)...] where widths[next] > 0 {
      guard cells[next].text.width == 0 else { break }
      room += ColumnLayout.gap + widths[next]
    }
    return room
  }
}

extension TextTable.Cell {
  fileprivate init(_ title: DisplayText) {
    text = title
    tint = .bold
    link = nil
  }
}

/// Computes the column widths of a table.
enum ColumnLayout {
  /// The number of spaces between two columns.
  static let gap = 2

  /// The width of each column, 0 if it is omitted.
  ///
  /// Empty columns are omitted, and then others until the minimum widths of the rest fit. If that is still too wide,
  /// columns shrink: the flexible column to twice its minimum, the others to their minimum from last to first, then the
  /// flexible column to its minimum, and at worst to 1. Right-aligned columns hold numbers and never shrink, because a
  /// truncated number is a different number. Remaining space goes to columns at their maximum, from first to last.
  static func widths(_ columns: [TextTable.Column], natural: [Int], available: Int?) -> [Int] {
    let wanted = zip(columns, natural).map { column, natural in
      natural == 0 ? 0 : max(natural, column.title.width, column.minimum)
    }
    guard let available else { return wanted }
    var widths = zip(columns, wanted).map { column, wanted in min(wanted, column.maximum ?? .max) }
    leaveOut(columns, &widths, available)
    shrink(columns, &widths, available)
    for index in columns.indices where widths[index] > 0 && widths[index] == columns[index].maximum {
      widths[index] += max(0, min(wanted[index] - widths[index], available - total(widths)))
    }
    return widths
  }

  /// The total width of a line.
  static func total(_ widths: [Int]) -> Int {
    let shown = widths.filter { $0 > 0 }
    return shown.reduce(0, +) + gap * max(0, shown.count - 1)
  }

  private static func leaveOut(_ columns: [TextTable.Column], _ widths: inout [Int], _ available: Int) {
    let order = columns.indices.filter { columns[$0].leftOut != nil }
      .sorted { (columns[$0].leftOut ?? 0) < (columns[$1].leftOut ?? 0) }
    for index in order {
      let least = zip(columns, widths).map { $0.isNumeric ? $1 : min($0.minimum, $1) }
      guard total(least) > available else { return }
      widths[index] = 0
    }
  }

  private static func shrink(_ columns: [TextTable.Column], _ widths: inout [Int], _ available: Int) {
    let flexible = columns.indices.filter { columns[$0].isFlexible }
    let others = columns.indices.reversed().filter { !columns[$0].isFlexible && !columns[$0].isNumeric }
    let steps =
      flexible.map { ($0, 2 * columns[$0].minimum) } + (others + flexible).map { ($0, columns[$0].minimum) }
      + flexible.map { ($0, 1) }
    for (index, least) in steps where widths[index] > least {
      widths[index] = max(least, widths[index] - max(0, total(widths) - available))
    }
  }
}

extension TextTable.Column {
  fileprivate var isNumeric: Bool { alignment == .right }
}
