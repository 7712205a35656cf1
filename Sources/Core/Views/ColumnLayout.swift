/// How wide the columns of a table are.
enum ColumnLayout {
  /// Spaces between two columns.
  static let gap = 2

  /// The width of each column, 0 where it is left out.
  ///
  /// A column without any text is left out, and so are others until the minima of the rest have room. What is still
  /// too wide shrinks: the flexible column to twice its minimum, the others to theirs, from the last to the first, then
  /// the flexible one to its own and at the worst to 1. Columns aligned right hold numbers, and a number cut short is
  /// another number: they never shrink. What is left over goes to columns at their maximum, from the first to the last.
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

  /// The width of the whole line.
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
