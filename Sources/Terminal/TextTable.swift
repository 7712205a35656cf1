import Core

/// A table for a terminal. The cells contain safe text.
package struct TextTable: Sendable {
  package let columns: [Column]
  package private(set) var rows: [[Cell]] = []
  /// The width of the widest cell of each column.
  private var natural: [Int]

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
    // Spaces are written only before text, so that no line ends with them.
    var owed = 0
    // Before each cell, because the first one may determine the direction of the line.
    let mark = keepsApart ? Array(TextDirection.mark.utf8) : []
    for (index, width) in widths.enumerated() where width > 0 {
      let text = cells[index].text.cut(to: width + room(beside: index, of: cells, widths))
      let padding = width - text.width
      if columns[index].alignment == .right { owed += padding }
      if text.width > 0 {
        bytes.append(contentsOf: mark)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: owed))
        style.append(text, tint: cells[index].tint, link: cells[index].link, to: &bytes)
        owed = 0
      }
      // Negative if the text extends over the empty cells to its right; they compensate for it.
      if columns[index].alignment == .left { owed += padding }
      owed += ColumnLayout.gap
    }
    bytes.append(UInt8(ascii: "\n"))
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
