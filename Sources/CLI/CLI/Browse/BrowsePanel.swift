import Core

/// What stands over the list, and gets the keys.
enum BrowsePanel: Equatable {
  case prompt(BrowsePrompt)
  /// A question that only `y` confirms, and what is done then.
  case question(String, BrowseAction)
  case text(BrowseText)
  /// The filters; the number of the chosen one.
  case filters(Int)
  case choices(BrowseChoices)
}

/// A line that the user types.
struct BrowsePrompt: Equatable {
  enum Purpose: Equatable {
    case search
    case snooze(VideoID)
  }

  var purpose: Purpose
  var text: String
  /// Whether the text is only offered: what is typed takes its place.
  var isOffered = false

  /// What stands before the text.
  var label: String {
    switch purpose {
    case .search: "search: "
    case .snooze: "snooze for or until: "
    }
  }

  /// Takes a key that changes the text.
  mutating func edit(_ key: BrowseKey) {
    switch key {
    case .character, .paste: if isOffered { text = "" }
    default: break
    }
    isOffered = false
    switch key {
    case .backspace: _ = text.popLast()
    case .character("\u{15}"): text = ""
    case .character(let character) where character.unicodeScalars.allSatisfy { $0.value >= 32 }:
      if text.utf8.count < BrowsePrompt.maximum { text.append(character) }
    case .paste(let pasted): for character in pasted { edit(.character(character)) }
    default: break
    }
  }

  /// A text of this many bytes is not made longer.
  private static let maximum = 500
}

/// A text to read.
struct BrowseText: Equatable {
  var title: String
  /// Its lines, wrapped when they are shown.
  var lines: [String]
  /// How many lines are above the screen.
  var top = 0

  /// The lines as a screen of `width` columns shows them.
  func wrapped(to width: Int) -> [String] {
    lines.flatMap { line in DisplayText(line).wrapped(to: width).flatMap { $0.split(every: width) } }
  }

  /// Scrolls by a key; false if the key does something else.
  mutating func scroll(_ key: BrowseKey, in size: BrowseState.Size) -> Bool {
    let page = size.listHeight
    switch key {
    case .down, .character("j"), .enter: top += 1
    case .up, .character("k"): top -= 1
    case .pageDown, .character(" "): top += page
    case .pageUp, .character("b"): top -= page
    case .home, .character("g"): top = 0
    case .end, .character("G"): top = .max
    case .wheel(let isUp): top += isUp ? -3 : 3
    default: return false
    }
    top = max(0, min(top, wrapped(to: size.columns).count - page))
    return true
  }
}

extension DisplayText {
  /// The text in pieces of at most `width` columns, for a word that is wider than the screen.
  fileprivate func split(every width: Int) -> [String] {
    guard self.width > width, width > 1 else { return [text] }
    var (pieces, piece, columns) = ([String](), String.UnicodeScalarView(), 0)
    for scalar in text.unicodeScalars {
      let wide = scalar.displayColumns ?? 0
      if columns + wide > width {
        pieces.append(String(piece))
        (piece, columns) = (String.UnicodeScalarView(), 0)
      }
      piece.append(scalar)
      columns += wide
    }
    return pieces + [String(piece)]
  }
}

/// Tags or channels to choose from; typing narrows them.
struct BrowseChoices: Equatable {
  var field: BrowseFilters.Field
  /// What can be chosen: the word for `list`, and the text that is shown.
  var all: [BrowseFilters.Channel]
  var typed = ""
  var cursor = 0

  /// Those whose text contains what was typed; the first stands for any.
  var shown: [BrowseFilters.Channel?] {
    let wanted = NormalizedText.bytes(of: typed)
    return [nil] + all.filter { wanted.isEmpty || NormalizedText.bytes(of: $0.title).contains(wanted) }
  }

  /// How many are above the screen.
  func top(in size: BrowseState.Size) -> Int { max(0, cursor - size.listHeight + 1) }

  /// Takes a key that moves or narrows.
  mutating func take(_ key: BrowseKey, in size: BrowseState.Size) {
    let count = shown.count
    switch key {
    case .down: cursor += 1
    case .up: cursor -= 1
    case .pageDown: cursor += size.listHeight
    case .pageUp: cursor -= size.listHeight
    case .home: cursor = 0
    case .end: cursor = count - 1
    case .wheel(let isUp): cursor += isUp ? -3 : 3
    case .click(let row, _): if row >= size.listTop { cursor = row - size.listTop + top(in: size) }
    case .backspace:
      _ = typed.popLast()
      cursor = typed.isEmpty ? 0 : min(1, shown.count - 1)
    case .character(let character) where character >= " ":
      typed.append(character)
      // The first match, if there is one.
      cursor = min(1, shown.count - 1)
    case .paste(let pasted): for character in pasted { take(.character(character), in: size) }
    default: break
    }
    cursor = max(0, min(cursor, shown.count - 1))
  }
}
