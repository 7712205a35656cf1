import Core

/// A one-line progress display of an import; shows nothing if standard error is not a terminal or the import is short.
struct ImportProgress {
  private let path: String
  private let began = Clock.steady()
  private var shown = 0

  init(_ path: String) { self.path = path }

  /// Updates the percentage, at most ten times a second and not in the first half second.
  mutating func show(_ what: String, done: Int, of total: Int) {
    guard Messages.isTerminal, total > 0 else { return }
    let now = Clock.steady()
    guard now - began >= 500, now - shown >= 100 else { return }
    shown = now
    Messages.write("\r\u{1B}[K\(DisplayText(path).text): \(what), \(done * 100 / total) %")
  }

  /// Clears the line.
  func clear() {
    if shown > 0 { Messages.write("\r\u{1B}[K") }
  }
}
