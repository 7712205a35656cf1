import Core

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
