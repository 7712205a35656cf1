import Core
import Terminal

extension BrowseState {
  /// The screen as it is to be shown at a moment; keeps the widths of columns.
  mutating func picture(at now: LocalTime) -> BrowsePicture {
    var picture = BrowsePicture(lines: Array(repeating: [], count: size.rows))
    // The first line is that above the rows.
    let body: [[BrowsePicture.Text]]
    switch panel {
    case nil, .prompt, .question: body = list(at: now)
    case .text(let text): body = self.text(text)
    case .filters(let number): body = filterPanel(number)
    case .choices(let choices): body = self.choices(choices)
    }
    let lines = ([headingLine] + body.prefix(1)).prefix(size.listTop) + body.dropFirst()
    for (row, line) in lines.prefix(size.rows).enumerated() { picture.lines[row] = line }
    let bottom = bottomLine
    picture.lines[size.rows - 1] = [Text(column: 0, text: bottom.text)]
    if case .prompt = panel {
      picture.cursor = BrowsePicture.Position(row: size.rows - 1, column: min(bottom.width, size.columns - 1))
    }
    return picture
  }

  private typealias Text = BrowsePicture.Text

  // MARK: The heading

  private var headingLine: [Text] {
    let position = total > 0 ? "\(cursor + 1)/\(total)" : "0"
    let caption = DisplayText((filters.summary + heading).joined(separator: ", "))
    let room = size.columns - position.utf8.count - 2
    let text = caption.cut(to: max(0, room))
    let right = Text(column: max(0, size.columns - position.utf8.count), text: position, tint: .bold)
    return [Text(column: 0, text: text.apart, tint: .bold), right]
  }

  // MARK: The list

  private mutating func list(at now: LocalTime) -> [[Text]] {
    guard !ids.isEmpty else {
      return [[]] + DisplayText(emptyText).wrapped(to: size.columns).map { [Text(column: 0, text: $0.text)] }
    }
    // A row that is not there yet leaves its line empty.
    let shown = visible.map { rows[$0] }
    let table = TextTable.videos(shown.compactMap(\.self), numbered: false, at: now)
    // The first column marks the chosen video.
    let runs = table.layout(width: size.columns - 1, widest: widest)
    widest = zip(table.natural, widest.isEmpty ? table.natural : widest).map { max($0, $1) }
    var rest = runs.dropFirst()
    var lines = [(runs.first ?? []).map { Text(column: $0.column + 1, text: $0.text, tint: .bold) }]
    for (number, row) in shown.enumerated() {
      let isChosen = top + number == cursor
      let cells = row == nil ? [] : rest.popFirst() ?? []
      lines.append(
        isChosen ? chosenLine(cells) : cells.map { Text(column: $0.column + 1, text: $0.text, tint: $0.tint) })
    }
    return lines
  }

  /// The line of the chosen video: reversed as a whole, without colours, and marked for screens that cannot reverse.
  private func chosenLine(_ cells: [TextTable.Run]) -> [Text] {
    let bar = Text(column: 0, text: "›" + String(repeating: " ", count: size.columns - 1), isReversed: true)
    return [bar] + cells.map { Text(column: $0.column + 1, text: $0.text, isReversed: true) }
  }

  // MARK: Panels

  private func text(_ text: BrowseText) -> [[Text]] {
    let lines = text.wrapped(to: size.columns)
    let first = min(text.top, max(0, lines.count - size.listHeight))
    return [[Text(column: 0, text: text.title, tint: .bold)]]
      + lines[first..<min(lines.count, first + size.listHeight)].map { [Text(column: 0, text: $0)] }
  }

  private func filterPanel(_ number: Int) -> [[Text]] {
    let fields = BrowseFilters.Field.allCases
    let first = max(0, number - size.listHeight + 1)
    let lines = fields.enumerated().map { index, field in
      let name = field.rawValue + String(repeating: " ", count: 10 - field.rawValue.utf8.count)
      return line(name + filters.value(of: field), isChosen: index == number)
    }
    return [[Text(column: 0, text: "filters", tint: .bold)]] + lines[first...].prefix(size.listHeight)
  }

  private func choices(_ choices: BrowseChoices) -> [[Text]] {
    let shown = choices.shown
    let first = choices.top(in: size)
    let lines = shown.enumerated().dropFirst(first).prefix(size.listHeight).map { index, choice in
      line(choice?.title ?? "any", isChosen: index == choices.cursor)
    }
    let title = "\(choices.field.rawValue): \(choices.typed)"
    return [[Text(column: 0, text: DisplayText(title).cut(to: size.columns).text, tint: .bold)]] + lines
  }

  private func line(_ caption: String, isChosen: Bool) -> [Text] {
    let text = DisplayText(caption).cut(to: size.columns - 1)
    guard isChosen else { return [Text(column: 1, text: text.text)] }
    let blanks = String(repeating: " ", count: max(0, size.columns - 1 - text.width))
    return [Text(column: 0, text: "›" + text.text + blanks, isReversed: true)]
  }

  // MARK: The bottom line

  private var bottomLine: DisplayText {
    let room = size.columns
    switch panel {
    case .prompt(let prompt):
      // The end of a long text, where it grows.
      var text = DisplayText(prompt.text)
      let label = DisplayText(prompt.label).cut(to: room / 2)
      while label.width + text.width >= room, !text.text.isEmpty { text = DisplayText(String(text.text.dropFirst())) }
      return DisplayText(label.text + text.text)
    case .question(let question, _):
      let choice = " [y/N]"
      return DisplayText(DisplayText(question).cut(to: room - choice.utf8.count).apart + choice)
    case .text: return DisplayText(message ?? "j k scroll  q back").cut(to: room)
    case .filters: return DisplayText(message ?? "Enter changes  f back").cut(to: room)
    case .choices: return DisplayText(message ?? "type to narrow  Enter choose  Esc back").cut(to: room)
    case nil: break
    }
    if let message { return DisplayText(message).cut(to: room) }
    if let progress { return DisplayText("polling: \(progress)").cut(to: room) }
    var hints = ""
    for hint in BrowseHelp.hints where hints.utf8.count + hint.utf8.count + 2 <= room {
      hints += hints.isEmpty ? hint : "  \(hint)"
    }
    return DisplayText(hints)
  }
}
