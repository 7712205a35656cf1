/// Rows in columns for a terminal. The cells hold text that is harmless already.
package struct TextTable: Sendable {
  package let columns: [Column]
  package private(set) var rows: [[Cell]] = []
  /// The columns the widest cell of each column takes.
  private var natural: [Int]

  /// One column.
  package struct Column: Sendable {
    package var title: DisplayText
    package var alignment: Alignment
    /// The fewest columns of the terminal it can do with.
    package var minimum: Int
    /// The most it takes while another column wants the room; nil is any number.
    package var maximum: Int?
    /// Whether it gives way first when there is not room for all.
    package var isFlexible: Bool
    /// When it is left out if there is no room even so: the lowest number first, nil never.
    package var leftOut: Int?

    package init(
      _ title: String, alignment: Alignment = .left, minimum: Int, maximum: Int?, isFlexible: Bool = false,
      leftOut: Int? = nil
    ) {
      self.title = DisplayText(title)
      self.alignment = alignment
      self.minimum = minimum
      self.maximum = maximum
      self.isFlexible = isFlexible
      self.leftOut = leftOut
    }
  }

  /// On which side the cells of a column stand.
  package enum Alignment: Sendable { case left, right }

  /// One cell.
  package struct Cell: Sendable {
    package var text: DisplayText
    package var tint: Tint?
    /// The address it leads to.
    package var link: String?

    package init(_ outside: String, tint: Tint? = nil, link: String? = nil) {
      text = DisplayText(outside)
      self.tint = tint
      self.link = link
    }
  }

  package init(columns: [Column]) {
    self.columns = columns
    natural = columns.map { _ in 0 }
  }

  /// Adds a row of one cell for each column.
  package mutating func add(_ cells: [Cell]) {
    precondition(cells.count == columns.count, "a row has one cell for each column")
    for (index, cell) in cells.enumerated() { natural[index] = max(natural[index], cell.text.width) }
    rows.append(cells)
  }
}

// MARK: Writing

extension TextTable {
  /// Appends the titles and the rows, one line each, within the width of a terminal; nil cuts nothing. Without rows
  /// nothing is appended.
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
    // Spaces are written only before something, so that no line ends with them.
    var owed = 0
    // Before each cell, for the first one may decide the direction of the line.
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
      // Less than nothing where the text goes on over the empty cells beside it, which give it back.
      if columns[index].alignment == .left { owed += padding }
      owed += ColumnLayout.gap
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// The columns that empty cells leave to the flexible one on their left, which is cut more often than any other.
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
