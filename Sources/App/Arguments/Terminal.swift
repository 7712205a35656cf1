import App
import Core
import Glibc
import Platform
import ReadModel
import Terminal

/// The terminal that a table is laid out for.
package struct Terminal {
  /// The width in columns; nil if the output is not a terminal, so that nothing is cut.
  package let width: Int?
  package let style: TerminalStyle

  package init(_ color: ColorChoice) {
    let environment = Environment.variables()
    let wantsColor: Bool
    switch color {
    case .always: wantsColor = true
    case .never: wantsColor = false
    case .auto:
      wantsColor = Output.isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }
    style = TerminalStyle(colors: wantsColor, links: wantsColor)
    width = Output.isTerminal ? Terminal.columns(environment) : nil
  }

  private static func columns(_ environment: [String: String]) -> Int {
    let setting = environment["COLUMNS"].flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
    return Output.columns ?? setting ?? 80
  }
}

extension Output {
  /// Appends a table laid out for `terminal`.
  package mutating func write(_ table: TextTable, for terminal: Terminal) {
    var bytes: [UInt8] = []
    table.append(to: &bytes, width: terminal.width, style: terminal.style)
    write(bytes)
  }

  /// Appends `heading` and the table of videos, on a terminal with row numbers, which are stored.
  package mutating func write(_ rows: [VideoRow], heading: String, of session: Session, _ color: ColorChoice) {
    let terminal = Terminal(color)
    // Numbers that were not stored would refer to another table. An empty table has none, so those of the previous
    // one stay valid.
    let isNumbered =
      Output.isTerminal && !rows.isEmpty
      && LastShown.listing(session.home).remember(rows.map(\.video.description), now: session.now)
    for line in DisplayText(heading).lines(within: terminal.width) { write("\(line)\n") }
    write(TextTable.videos(rows, numbered: isNumbered, at: session.local), for: terminal)
  }
}
