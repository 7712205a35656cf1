import Arguments
import CCurses
import Core
import Glibc
import Platform
import Terminal

/// What a screen shows: texts at positions, and the cursor's position, if it is shown.
struct BrowsePicture: Equatable {
  /// From the top, each with its texts from the left.
  var lines: [[Text]] = []
  var cursor: Position?

  /// A row and a column, from 0.
  struct Position: Equatable {
    var row: Int
    var column: Int
  }

  /// A text of one colour.
  struct Text: Equatable {
    var column: Int
    var text: String
    var tint: Tint?
    var isReversed = false
  }
}

/// What the user did, as the screen reports it.
enum BrowseKey: Equatable {
  case character(Character)
  case up, down, left, right, pageUp, pageDown, home, end, enter, backspace, escape
  /// The row of the screen, and when, in milliseconds of the steady clock.
  case click(row: Int, at: Int)
  /// The wheel was turned up or down.
  case wheel(isUp: Bool)
  /// A text that was pasted, without control characters.
  case paste(String)
}

/// The full-screen terminal. The only code that calls ncurses.
struct BrowseScreen {
  private let hasColors: Bool
  /// The text that is being pasted; nil if none is.
  private var paste: BrowsePaste?

  /// Takes over the terminal. Throws with exit status 64 if it cannot show a full screen.
  init() throws {
    let terminal = Environment.variables()["TERM"] ?? ""
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw Failure(.usage, "browse needs a terminal for input and output; use metube-rss list instead")
    }
    let advice = "the terminal “\(terminal)” cannot show a full screen; set TERM, or use metube-rss list instead"
    guard terminal != "", terminal != "dumb" else { throw Failure(.usage, advice) }
    if let problem = ccurses_open().map({ String(cString: $0) }) {
      throw Failure(.usage, problem.isEmpty ? advice : "browse needs ncurses: \(problem)")
    }
    let count = ccurses_colors()
    hasColors = count >= 8 && Arguments.Terminal(.auto).style.colors
    for (index, tint) in Tint.allCases.enumerated() {
      guard hasColors, let number = tint.number else { continue }
      ccurses_pair(Int32(index + 1), Int32(count >= 256 ? number.of256 : number.of8))
    }
    adoptSize()
  }

  /// The present size in rows and columns. `ioctl(TIOCGWINSZ)`.
  private(set) var size = BrowseState.Size(rows: 24, columns: 80)

  /// Asks the terminal for its size.
  mutating func adoptSize() {
    var window = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0 else { return }
    size = BrowseState.Size(rows: Int(window.ws_row), columns: Int(window.ws_col))
    ccurses_resize(Int32(window.ws_row), Int32(window.ws_col))
  }

  /// Gives the terminal back.
  func close() { ccurses_close() }

  /// Takes the terminal over again.
  mutating func resume() {
    ccurses_resume()
    adoptSize()
  }

  /// Draws everything anew, after other output.
  func redraw() { ccurses_redraw() }

  func show(_ picture: BrowsePicture) {
    ccurses_erase()
    for (row, line) in picture.lines.enumerated() {
      for text in line { write(text, row) }
    }
    ccurses_show(Int32(picture.cursor?.row ?? -1), Int32(picture.cursor?.column ?? 0))
  }

  private func write(_ text: BrowsePicture.Text, _ row: Int) {
    let index = text.tint.flatMap { $0.number == nil ? nil : Tint.allCases.firstIndex(of: $0) }
    let pair = hasColors ? index.map { $0 + 1 } ?? 0 : 0
    ccurses_write(
      Int32(row), Int32(text.column), text.text, Int32(pair), text.tint == .bold ? 1 : 0, text.isReversed ? 1 : 0)
  }

  /// The next key, without waiting; nil if no key is left. Keys without a meaning are left out.
  mutating func nextKey() -> BrowseKey? {
    while true {
      let event = ccurses_next()
      switch Int(event.kind) {
      case Int(ccurses_nothing): return nil
      case let kind where paste != nil:
        // What looks like a key is part of the text.
        guard kind == Int(ccurses_character), paste?.take(event.character) == true else { continue }
        return paste.take().map { .paste($0.text) }
      case Int(ccurses_other): continue
      case Int(ccurses_character):
        if event.character == BrowseScreen.escape, skipsSequence() { continue }
        if let key = BrowseKey(event.character) { return key }
      case Int(ccurses_click): return .click(row: Int(event.row), at: Clock.steady())
      case Int(ccurses_wheel_up): return .wheel(isUp: true)
      case Int(ccurses_wheel_down): return .wheel(isUp: false)
      default: if let key = BrowseScreen.keys[Int(event.kind)] { return key }
      }
    }
  }

  /// Skips what follows an escape character at once: a key or a report that terminfo does not know, whose letters must not
  /// count as keys. Begins a paste if that is what follows. Returns false if nothing follows, as after the key Esc.
  /// ECMA-48 §5.4.
  private mutating func skipsSequence() -> Bool {
    guard let first = nextCharacter() else { return false }
    guard first == UInt8(ascii: "[") || first == UInt8(ascii: "O") else { return true }
    var sequence = [BrowseScreen.escape, first]
    while let next = nextCharacter() {
      if sequence.count < 16 { sequence.append(next) }
      if (0x40...0x7e).contains(next) { break }
    }
    if sequence == BrowsePaste.start { paste = BrowsePaste() }
    return true
  }

  /// The next character, if it follows within the time that ncurses waits for the rest of a key; nil for other keys.
  private func nextCharacter() -> UInt32? {
    var event = ccurses_next()
    if event.kind == ccurses_nothing {
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, Int32(ccurses_escape_delay)) > 0 else { return nil }
      event = ccurses_next()
    }
    return event.kind == ccurses_character ? event.character : nil
  }

  fileprivate static let escape: UInt32 = 27

  private static let keys: [Int: BrowseKey] = [
    Int(ccurses_up): .up, Int(ccurses_down): .down, Int(ccurses_left): .left, Int(ccurses_right): .right,
    Int(ccurses_page_up): .pageUp, Int(ccurses_page_down): .pageDown, Int(ccurses_home): .home,
    Int(ccurses_end): .end, Int(ccurses_enter): .enter, Int(ccurses_backspace): .backspace,
  ]
}

/// A text that the terminal marks as pasted (xterm's control sequences, “Bracketed Paste Mode”).
struct BrowsePaste {
  private(set) var text = ""
  /// How many characters of the end mark came last.
  private var matched = 0

  static let start = "\u{1b}[200~".unicodeScalars.map(\.value)
  private static let end = "\u{1b}[201~".unicodeScalars.map(\.value)

  /// Takes the next character; returns whether it ends the paste.
  mutating func take(_ code: UInt32) -> Bool {
    if code == BrowsePaste.end[matched] {
      matched += 1
      return matched == BrowsePaste.end.count
    }
    for passed in BrowsePaste.end[..<matched] { append(passed) }
    matched = code == BrowsePaste.end[0] ? 1 : 0
    if matched == 0 { append(code) }
    return false
  }

  /// Line breaks and tabs become spaces; other control characters are left out.
  private mutating func append(_ code: UInt32) {
    guard text.utf8.count < BrowsePaste.maximum, let scalar = Unicode.Scalar(code) else { return }
    if [9, 10, 13].contains(code) {
      text.append(" ")
    } else if scalar.properties.generalCategory != .control {
      text.unicodeScalars.append(scalar)
    }
  }

  /// A text of this many bytes is not made longer.
  private static let maximum = 2000
}

extension BrowseKey {
  /// The key of a character; nil if it cannot be part of a text.
  fileprivate init?(_ code: UInt32) {
    switch code {
    case 10, 13: self = .enter
    case 8, 127: self = .backspace
    case BrowseScreen.escape: self = .escape
    default:
      guard let scalar = Unicode.Scalar(code) else { return nil }
      self = .character(Character(scalar))
    }
  }
}
