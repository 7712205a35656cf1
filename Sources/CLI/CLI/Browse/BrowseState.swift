import Core
import Terminal

/// What a key asks the program to do.
indirect enum BrowseAction: Equatable {
  /// A command of the program that marks videos: its arguments.
  case mark([String])
  case play(VideoID)
  case openPage(VideoID)
  case describe(VideoID)
  case undo(isConfirmed: Bool)
  case poll, stopPoll
  /// The filters changed.
  case select
  /// Offer what a filter can be set to.
  case offer(BrowseFilters.Field)
  case redraw, quit
}

/// The full-screen view: what it shows, and what keys do. Knows neither the terminal nor the log.
struct BrowseState {
  var size: Size
  var filters: BrowseFilters
  var panel: BrowsePanel?
  /// The list as far as it was read.
  private(set) var ids: [VideoID] = []
  /// How many videos match.
  private(set) var total = 0
  /// The number of the chosen video, and of the first one on the screen.
  private(set) var cursor = 0
  private(set) var top = 0
  /// The rows of videos near the screen.
  private(set) var rows: [VideoID: VideoRow] = [:]
  /// The widths of the widest cells shown so far, so that columns stay where they are.
  var widest: [Int] = []
  /// The text above the list, after the count.
  var heading: [String] = []
  /// What an empty list says.
  var emptyText = ""
  /// The latest messages, the last one in the bottom line until the next key.
  private(set) var messages: [String] = []
  private var showsMessage = false
  /// The progress of a poll; nil if none runs.
  var progress: String?
  private var lastClick: (row: Int, at: Int)?

  /// The size of the screen: a line for the heading, one for the names of columns and one for messages, the rest for rows.
  /// A screen of three lines has no names of columns, a smaller one no heading.
  struct Size: Equatable {
    var rows: Int
    var columns: Int

    var listHeight: Int { max(1, rows - 3) }
    var listTop: Int { max(0, min(2, rows - 2)) }
  }

  init(size: Size, filters: BrowseFilters) { (self.size, self.filters) = (size, filters) }

  /// The message in the bottom line; nil without one.
  var message: String? { showsMessage ? messages.last : nil }

  /// Adds a message and shows it.
  mutating func note(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline).map { DisplayText(String($0)).text }
    guard !lines.isEmpty else { return }
    messages = (messages + lines).suffix(BrowseState.maxMessages)
    showsMessage = true
  }

  private static let maxMessages = 200

  // MARK: The list

  /// The chosen video; nil if the list is empty.
  var chosen: VideoID? { ids.indices.contains(cursor) ? ids[cursor] : nil }

  /// The videos on the screen and a screen before and after it, whose rows are needed.
  var near: ArraySlice<VideoID> {
    let height = size.listHeight
    let first = min(max(0, top - height), ids.count)
    return ids[first..<min(ids.count, top + 2 * height)]
  }

  /// Those on the screen.
  var visible: ArraySlice<VideoID> {
    ids[min(top, ids.count)..<min(ids.count, top + size.listHeight)]
  }

  /// How many videos the list must hold for the screen: up to the end of it if that was requested.
  var wanted: Int { min(total, max(cursor + 1, top + 2 * size.listHeight)) }

  /// Adds the next page of the list.
  mutating func extend(by more: [VideoID]) { ids += more }

  /// Replaces the list. The cursor stays at its video, or, if that is gone, at the next one that is left, and the video at
  /// its line of the screen; but what is new above the first screen is shown.
  mutating func replace(ids new: [VideoID], total: Int, keeping video: VideoID? = nil) {
    let indices = Dictionary(new.enumerated().map { ($1, $0) }) { first, _ in first }
    let candidates = [video].compactMap(\.self) + (ids.isEmpty ? [] : ids[min(cursor, ids.count)...])
    let line = cursor - top
    let index = candidates.lazy.compactMap { indices[$0] }.first ?? min(cursor, max(0, new.count - 1))
    (ids, self.total, cursor) = (new, total, index)
    rows = [:]
    top = top == 0 && cursor < size.listHeight ? 0 : max(0, cursor - line)
    settle()
  }

  /// Begins a list with other filters at its first video.
  mutating func restart(ids new: [VideoID], total: Int) {
    (ids, self.total, cursor, top) = (new, total, 0, 0)
    (rows, widest) = ([:], [])
  }

  /// Takes the rows of videos near the screen; others are forgotten if there are many.
  mutating func add(_ found: [VideoRow]) {
    if rows.count > BrowseState.maxRows { rows = [:] }
    for row in found { rows[row.video] = row }
  }

  private static let maxRows = 2000

  /// Adopts the size of the screen.
  mutating func resize(to new: Size) {
    size = new
    settle()
  }

  /// Moves cursor and screen into the list, and the cursor onto the screen.
  mutating func settle() {
    cursor = max(0, min(cursor, total - 1))
    let height = size.listHeight
    top = max(0, min(top, total - height))
    if cursor < top { top = cursor }
    if cursor >= top + height { top = cursor - height + 1 }
  }

  private mutating func move(by step: Int) {
    cursor = max(0, min(cursor + step, total - 1))
    settle()
  }

  /// Scrolls the list; the cursor stays on the screen.
  private mutating func scroll(by step: Int) {
    let height = size.listHeight
    top = max(0, min(top + step, total - height))
    cursor = max(top, min(cursor, top + height - 1))
    settle()
  }

  // MARK: Keys

  /// Does what a key means here; returns what is left for the program to do.
  mutating func press(_ key: BrowseKey) -> BrowseAction? {
    if key == .character("\u{0c}") { return .redraw }
    showsMessage = false
    switch panel {
    case .prompt, .choices: break
    case nil, .question, .text, .filters:
      if case .paste = key {
        note("pasted text is ignored; press / first to search for it")
        return nil
      }
    }
    switch panel {
    case nil: return pressInList(key)
    case .prompt(let prompt): return press(key, in: prompt)
    case .question(_, let action):
      panel = nil
      return key == .character("y") ? action : nil
    case .text(var text):
      if text.scroll(key, in: size) { panel = .text(text) } else { panel = nil }
      return nil
    case .filters(let number): return pressInFilters(key, number)
    case .choices(let choices): return press(key, in: choices)
    }
  }

  private mutating func pressInList(_ key: BrowseKey) -> BrowseAction? {
    let page = max(1, size.listHeight - 1)
    switch key {
    case .down, .character("j"): move(by: 1)
    case .up, .character("k"): move(by: -1)
    case .pageDown, .character(" "): move(by: page)
    case .pageUp, .character("b"): move(by: -page)
    case .home, .character("g"): move(by: -total)
    case .end, .character("G"): move(by: total)
    case .wheel(let isUp): scroll(by: isUp ? -3 : 3)
    case .click(let row, let time): return click(row, at: time)
    case .character("/"): panel = .prompt(BrowsePrompt(purpose: .search, text: filters.search))
    case .character("f"): panel = .filters(0)
    case .character("?"): panel = .text(BrowseText(title: "keys", lines: BrowseHelp.lines(width: size.columns)))
    case .character("!"): panel = .text(BrowseText(title: "messages", lines: messages.reversed()))
    case .character("u"): return .undo(isConfirmed: false)
    case .character("r") where progress != nil: panel = .question("Stop the poll?", .stopPoll)
    case .character("r"): return .poll
    case .character("q"), .character("Q"): return .quit
    case .escape where filters != BrowseFilters(others: filters.others):
      filters = BrowseFilters(others: filters.others)
      return .select
    default: return chosen.flatMap { pressOnVideo(key, $0) }
    }
    return nil
  }

  private mutating func pressOnVideo(_ key: BrowseKey, _ id: VideoID) -> BrowseAction? {
    let row = rows[id]
    switch key {
    case .enter: return .play(id)
    case .character("v"): return .openPage(id)
    case .character("d"): return .describe(id)
    case .character("m"): return .mark([row?.status == .watched ? "unwatched" : "watched", id.description])
    case .character("x"): return .mark([row?.status == .skipped ? "unwatched" : "skip", id.description])
    case .character("s"): return .mark([row?.saved == true ? "unsave" : "save", id.description])
    case .character("z"): panel = .prompt(BrowsePrompt(purpose: .snooze(id), text: "1d", isOffered: true))
    case .character("c"):
      guard let row else { return nil }
      let channel = BrowseFilters.Channel(word: row.channel.description, title: row.channelTitle)
      filters.channels = filters.channels.isEmpty ? [channel] : []
      return .select
    default: break
    }
    return nil
  }

  /// Chooses the video at a line; a second click plays it.
  private mutating func click(_ row: Int, at time: Int) -> BrowseAction? {
    let line = row - size.listTop
    guard line >= 0, line < size.listHeight, top + line < total else { return nil }
    cursor = top + line
    defer { lastClick = (row, time) }
    guard let last = lastClick, last.row == row, time - last.at < BrowseState.doubleClick else { return nil }
    return chosen.map { .play($0) }
  }

  /// The maximum time between the clicks of a double click, milliseconds.
  private static let doubleClick = 400

  private mutating func press(_ key: BrowseKey, in prompt: BrowsePrompt) -> BrowseAction? {
    switch key {
    case .escape: panel = nil
    case .enter:
      panel = nil
      let text = prompt.text.trimmingSpaces
      switch prompt.purpose {
      case .search:
        guard filters.search != text else { return nil }
        filters.search = text
        return .select
      case .snooze(let id): return text.isEmpty ? nil : .mark(["snooze", text, id.description])
      }
    default:
      var prompt = prompt
      prompt.edit(key)
      panel = .prompt(prompt)
    }
    return nil
  }

  private mutating func pressInFilters(_ key: BrowseKey, _ number: Int) -> BrowseAction? {
    let fields = BrowseFilters.Field.allCases
    var (number, step) = (number, 0)
    switch key {
    case .down, .character("j"): number = min(number + 1, fields.count - 1)
    case .up, .character("k"): number = max(number - 1, 0)
    case .home: number = 0
    case .end: number = fields.count - 1
    case .click(let row, _) where fields.indices.contains(row - size.listTop):
      // A click on the chosen line changes it.
      step = number == row - size.listTop ? 1 : 0
      number = row - size.listTop
    case .enter, .right, .character(" "), .character("l"): step = 1
    case .left, .character("h"), .backspace: step = -1
    case .escape, .character("f"), .character("q"):
      panel = nil
      return nil
    default: break
    }
    panel = .filters(number)
    guard step != 0 else { return nil }
    if step > 0, [.tag, .channel].contains(fields[number]) { return .offer(fields[number]) }
    filters.step(fields[number], by: step)
    return .select
  }

  private mutating func press(_ key: BrowseKey, in choices: BrowseChoices) -> BrowseAction? {
    let number = BrowseFilters.Field.allCases.firstIndex(of: choices.field) ?? 0
    switch key {
    case .escape: panel = .filters(number)
    case .enter:
      let shown = choices.shown
      let chosen = shown.indices.contains(choices.cursor) ? shown[choices.cursor] : nil
      if choices.field == .tag { filters.tags = chosen.map { [$0.word] } ?? [] }
      if choices.field == .channel { filters.channels = chosen.map { [$0] } ?? [] }
      panel = .filters(number)
      return .select
    default:
      var choices = choices
      choices.take(key, in: size)
      panel = .choices(choices)
    }
    return nil
  }
}

extension String {
  /// The text without spaces at its ends.
  fileprivate var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
