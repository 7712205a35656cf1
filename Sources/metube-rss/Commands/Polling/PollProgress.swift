/// A progress line for a poll on a terminal; silent if standard error is not a terminal.
struct PollProgress {
  private let total: Int
  private let isShown: Bool
  private var shown = 0

  init(total: Int) {
    self.total = total
    isShown = Messages.isTerminal && total > 0
  }

  /// Shows the counts, at most ten times a second.
  mutating func show(checked: Int, new: Int, failed: Int) {
    guard isShown else { return }
    let now = Clock.steady()
    guard now - shown >= 100 else { return }
    shown = now
    let failures = failed > 0 ? ", \(failed) failed" : ""
    Messages.write("\r\u{1B}[K\(checked + failed) of \(total) feeds, \(new) new\(failures)")
  }

  /// Clears the line.
  func clear() {
    if isShown, shown > 0 { Messages.write("\r\u{1B}[K") }
  }
}
