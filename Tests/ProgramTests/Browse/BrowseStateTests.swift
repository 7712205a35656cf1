import Core
import TestSupport
import Testing

@testable import CLI
@testable import HubReaders
@testable import Terminal

@Suite("The full-screen view, without a terminal")
struct BrowseStateTests {
  private let now = LocalTime.utc(Timestamp(seconds: 1_782_914_435))

  /// A view of `count` videos with these titles, or “Video 0” and so on.
  private func state(
    _ count: Int, rows: Int = 13, columns: Int = 60, titles: [String] = []
  ) throws -> BrowseState {
    var state = BrowseState(size: BrowseState.Size(rows: rows, columns: columns), filters: BrowseFilters())
    let ids = (0..<count).map { Sample.video(UInt64($0)) }
    state.restart(ids: ids, total: count)
    state.add(
      try ids.enumerated().map { number, id in
        let title = titles.indices.contains(number) ? titles[number] : "Video \(number)"
        return try sampleRow(video: id.description, title: title)
      })
    state.heading = ["\(count) videos"]
    return state
  }

  private func lines(_ state: inout BrowseState) -> [String] {
    state.picture(at: now).lines.map { texts in
      var (line, end) = ("", 0)
      for text in texts where !(text.isReversed && text.text.hasPrefix("›") && texts.count > 1) {
        line += String(repeating: " ", count: max(0, text.column - end)) + text.text
        end = text.column + DisplayText(text.text).width
      }
      return line
    }
  }

  @discardableResult
  private func press(_ keys: [BrowseKey], _ state: inout BrowseState) -> [BrowseAction] {
    keys.compactMap { state.press($0) }
  }

  private func press(_ text: String, _ state: inout BrowseState) -> [BrowseAction] {
    press(text.map { .character($0) }, &state)
  }

  // MARK: Pasting

  @Test("A paste ends at its mark alone, and has no control characters")
  func pasteMarks() {
    func read(_ text: String) -> (text: String, rest: Int)? {
      var paste = BrowsePaste()
      let codes = text.unicodeScalars.map(\.value)
      guard let end = codes.firstIndex(where: { paste.take($0) }) else { return nil }
      return (paste.text, codes.count - end - 1)
    }
    #expect(read("a\u{1b}[201~b")?.text == "a" && read("a\u{1b}[201~b")?.rest == 1)
    #expect(read("\u{1b}[201~")?.text == "")
    #expect(read("a\u{1b}\u{1b}[20\u{1b}[201~")?.text == "a[20")
    #expect(read("1\r\n2\t3\u{7}\u{9b}\u{7f}\u{0}é日\u{1b}[201~")?.text == "1  2 3é日")
    #expect(read("a\u{1b}[200~") == nil)
    #expect(read(String(repeating: "x", count: 100_000) + "\u{1b}[201~")?.text.utf8.count == 2000)
  }

  @Test("A paste is text where text is typed, and changes nothing elsewhere")
  func pasting() throws {
    var state = try state(3)
    #expect(press([.paste("mxq"), .character("!"), .paste("q")], &state).isEmpty)
    #expect(state.message?.hasPrefix("pasted text is ignored") == true && state.panel != nil)
    press([.escape, .character("/"), .paste("two "), .character("w")], &state)
    #expect(state.panel == .prompt(BrowsePrompt(purpose: .search, text: "two w")))
    state.panel = .question("Stop the poll?", .stopPoll)
    #expect(press([.paste("y")], &state).isEmpty && state.panel == .question("Stop the poll?", .stopPoll))
  }

  // MARK: Moving

  @Test("Keys move the cursor, and the screen follows it")
  func moving() throws {
    var state = try state(100)
    for (keys, cursor, top) in [
      ([BrowseKey.character("j")], 1, 0), ([.down, .down], 3, 0), ([.character("k"), .up], 1, 0),
      ([.pageDown], 10, 1), ([.character(" ")], 19, 10), ([.pageUp], 10, 10), ([.character("G")], 99, 90),
      ([.down], 99, 90), ([.character("g")], 0, 0), ([.up], 0, 0), ([.end], 99, 90), ([.home], 0, 0),
      ([.wheel(isUp: false)], 3, 3), ([.wheel(isUp: true)], 3, 0), ([.wheel(isUp: true)], 3, 0),
    ] {
      press(keys, &state)
      #expect(state.cursor == cursor && state.top == top, "\(keys)")
    }
  }

  @Test("A click chooses a video, and a second one soon after plays it")
  func clicks() throws {
    var state = try state(100)
    #expect(state.press(.click(row: 6, at: 1000)) == nil && state.cursor == 4)
    #expect(state.press(.click(row: 7, at: 1100)) == nil && state.cursor == 5)
    #expect(state.press(.click(row: 7, at: 1600)) == nil)
    #expect(state.press(.click(row: 7, at: 1700)) == .play(Sample.video(5)))
    for row in [0, 1, 12, 50] { #expect(state.press(.click(row: row, at: 9000)) == nil && state.cursor == 5) }
  }

  @Test("Only rows near the screen are needed, and the list is read on as the cursor moves")
  func pages() throws {
    var state = BrowseState(size: BrowseState.Size(rows: 13, columns: 60), filters: BrowseFilters())
    state.restart(ids: (0..<200).map { Sample.video($0) }, total: 100_000)
    #expect(state.wanted <= 20 && state.near.count == 20)
    press([.end], &state)
    #expect(state.wanted == 100_000 && state.chosen == nil && state.visible.isEmpty)
    state.extend(by: (200..<100_000).map { Sample.video($0) })
    #expect(state.chosen == Sample.video(99_999) && state.near.count == 20 && state.visible.count == 10)
  }

  @Test("No size of the screen is too small or too large to draw and to use", arguments: 1...24)
  func sizes(rows: Int) throws {
    for columns in [1, 2, 7, 16, 40, 300] {
      var state = try state(50, rows: 24, columns: 80)
      press([.end], &state)
      state.resize(to: BrowseState.Size(rows: rows, columns: columns))
      for keys in ["", "f", "f?", "q!", "q/abc"] {
        press(keys.map { .character($0) }, &state)
        let picture = state.picture(at: now)
        #expect(picture.lines.count == rows)
        for text in picture.lines.joined() {
          #expect(text.column >= 0 && text.column + DisplayText(text.text).width <= max(columns, 16), "\(text)")
        }
      }
    }
  }

  // MARK: Changes of the list

  @Test("The cursor stays at its video when others come and go, and goes to the next one when it goes")
  func replacing() throws {
    var state = try state(100)
    let ids = state.ids
    press([.pageDown, .pageDown], &state)
    let (cursor, line) = (state.cursor, state.cursor - state.top)
    let come = (500..<503).map { Sample.video($0) }
    state.replace(ids: come + ids, total: 103)
    #expect(state.chosen == ids[cursor] && state.cursor - state.top == line)
    state.replace(ids: ids.filter { $0 != ids[cursor] }, total: 99)
    #expect(state.chosen == ids[cursor + 1] && state.cursor - state.top == line)
    state.replace(ids: ids, total: 100, keeping: ids[cursor])
    #expect(state.chosen == ids[cursor])
    state.replace(ids: [], total: 0)
    #expect(state.chosen == nil && state.cursor == 0)
    state.replace(ids: ids, total: 100)
    #expect(state.cursor == 0 && state.top == 0)
  }

  @Test("What is new shows above the first video without another one being chosen")
  func arrivals() throws {
    var state = try state(100)
    let first = state.chosen
    state.replace(ids: (500..<503).map { Sample.video($0) } + state.ids, total: 103)
    #expect(state.chosen == first && state.top == 0 && state.cursor == 3)
  }

  // MARK: Actions

  @Test("Each key asks for the command of its name; on a video marked so already it takes the mark back")
  func marks() throws {
    var state = try state(3)
    let id = Sample.video(0)
    #expect(press("mxs", &state) == ["watched", "skip", "save"].map { .mark([$0, "\(id)"]) })
    #expect(press("duvr", &state) == [.describe(id), .undo(isConfirmed: false), .openPage(id), .poll])
    #expect(press([.enter, .character("\u{0c}"), .character("q")], &state) == [.play(id), .redraw, .quit])
    var row = try sampleRow(video: "\(id)", title: "Video 0")
    (row.status, row.saved) = (.watched, true)
    state.add([row])
    #expect(press("mxs", &state) == ["unwatched", "skip", "unsave"].map { .mark([$0, "\(id)"]) })
    row.status = .skipped
    state.add([row])
    #expect(press("mx", &state) == ["watched", "unwatched"].map { .mark([$0, "\(id)"]) })
    var none = try self.state(0)
    #expect(press("mxsdvzc", &none).isEmpty && press([.enter], &none).isEmpty && none.panel == nil)
  }

  @Test("Snoozing asks for a time; Esc or an empty one leaves it")
  func snooze() throws {
    var state = try state(3)
    #expect(press("z", &state).isEmpty && lines(&state)[12] == "snooze for or until: 1d")
    #expect(
      press([.backspace, .backspace, .character("2"), .character("w"), .enter], &state)
        == [.mark(["snooze", "2w", "\(Sample.video(0))"])])
    #expect(
      press([.character("z"), .character("3"), .character("d"), .enter], &state)
        == [.mark(["snooze", "3d", "\(Sample.video(0))"])], "the offered time is replaced")
    #expect(press([.character("z"), .enter], &state) == [.mark(["snooze", "1d", "\(Sample.video(0))"])])
    #expect(press([.character("z"), .escape], &state).isEmpty && state.panel == nil)
    #expect(press([.character("z"), .character("\u{15}"), .enter], &state).isEmpty && state.panel == nil)
  }

  @Test("A running poll can be stopped, and only y confirms a question")
  func questions() throws {
    var state = try state(3)
    state.progress = "3 of 20 feeds"
    #expect(lines(&state)[12] == "polling: 3 of 20 feeds")
    #expect(press("r", &state).isEmpty && lines(&state)[12] == "Stop the poll? [y/N]")
    #expect(press("nrqry", &state) == [.stopPoll])
    #expect(state.panel == nil)
  }

  @Test("Messages show until the next key, and ! shows the latest ones")
  func messages() throws {
    var state = try state(3)
    state.note("one\ntwo \u{1b}[31mred")
    #expect(lines(&state)[12] == "two [31mred")
    #expect(press("j", &state).isEmpty && lines(&state)[12].hasPrefix("? help"))
    #expect(press("!", &state).isEmpty && lines(&state)[1...3] == ["messages", "two [31mred", "one"])
    #expect(press("jkq", &state).isEmpty && state.panel == nil)
  }

  // MARK: Filters

  @Test("Filters are the options of list")
  func filters() throws {
    var state = try state(3)
    #expect(press("/", &state).isEmpty)
    #expect(press("two words", &state).isEmpty && press([.enter], &state) == [.select])
    #expect(state.filters.arguments == ["--search=two words"])
    #expect(press("c", &state) == [.select])
    #expect(state.filters.arguments == ["--channel=UCsXVk37bltHxD1rDPwtNM8Q", "--search=two words"])
    #expect(press("c", &state) == [.select] && state.filters.channels.isEmpty)
    #expect(press([.escape], &state) == [.select] && state.filters == BrowseFilters())
    #expect(press([.escape], &state).isEmpty)
    #expect(press("fl", &state) == [.select] && state.filters.arguments == ["--status=watched"])
    #expect(press("hh", &state) == [.select, .select] && state.filters.arguments == ["--all"])
    #expect(press("jl", &state) == [.offer(.tag)])
    let named = BrowseFilters.Channel(word: "-science", title: "-science")
    state.panel = .choices(
      BrowseChoices(field: .tag, all: [BrowseFilters.Channel(word: "art", title: "art"), named]))
    #expect(press("SCI", &state).isEmpty && press([.enter], &state) == [.select])
    #expect(state.filters.arguments == ["--tag=-science", "--all"] && state.panel == .filters(1))
    #expect(press("jjljljljl", &state) == Array(repeating: .select, count: 4))
    #expect(
      state.filters.arguments
        == ["--tag=-science", "--shorts=show", "--upcoming=show", "--all", "--live", "--saved"])
    #expect(press("jljljllll", &state) == Array(repeating: .select, count: 6))
    #expect(state.filters.arguments.suffix(3) == ["--started", "--no-rules", "--mix"])
    #expect(press("f", &state).isEmpty && state.panel == nil)
    #expect(lines(&state)[0].hasPrefix("status: any, also unfollowed, tag: -science, Shorts: s"))
  }

  // MARK: The picture

  @Test("Rows have the columns and colours of list; the chosen one is marked and reversed")
  func picture() throws {
    var state = try state(2, titles: ["日本語の題名", "عنوان"])
    let shown = lines(&state)
    #expect(shown[0] == "2 videos" + String(repeating: " ", count: 49) + "1/2")
    #expect(shown[1].hasPrefix(" published   channel") && shown[1].hasSuffix("length"))
    #expect(shown[2].contains("just now    A channel     日本語の題名") && shown[2].hasSuffix("4:13"))
    let picture = state.picture(at: now)
    #expect(picture.lines[2][0] == .init(column: 0, text: "›" + String(repeating: " ", count: 59), isReversed: true))
    #expect(picture.lines[2].dropFirst().allSatisfy { $0.isReversed && $0.tint == nil })
    #expect(picture.lines[3].map(\.tint).prefix(2) == [.cyan, .green])
    let columns = picture.lines[1...3].map { line in line.map(\.column).filter { $0 > 0 }.prefix(3) }
    #expect(columns[0] == columns[1] && columns[1] == columns[2])
  }

  @Test("Columns stay where they are when rows with shorter texts are shown")
  func stableColumns() throws {
    var state = try state(30, titles: [String(repeating: "long ", count: 6)])
    let first = state.picture(at: now).lines[1]
    press([.end], &state)
    #expect(state.picture(at: now).lines[1] == first)
  }

  @Test("Nothing from outside reaches the screen with a control character")
  func hostile() throws {
    let nasty = "a\u{1b}]0;owned\u{7}\u{202e}b\u{9b}2Jc\nd\te\u{7f}"
    var state = try state(3, titles: [nasty, nasty])
    state.heading = [nasty]
    state.note(nasty)
    var pictures = [state.picture(at: now)]
    state.filters.channels = [BrowseFilters.Channel(word: "x", title: nasty)]
    state.filters.search = nasty
    for panel in [
      BrowsePanel.filters(0), .question(nasty, .poll), .text(BrowseText(title: "t", lines: [nasty])),
      .choices(BrowseChoices(field: .channel, all: [BrowseFilters.Channel(word: nasty, title: nasty)], typed: "")),
      .prompt(BrowsePrompt(purpose: .search, text: nasty)),
    ] {
      state.panel = panel
      pictures.append(state.picture(at: now))
    }
    var none = try self.state(0)
    none.emptyText = nasty
    pictures.append(none.picture(at: now))
    for text in pictures.flatMap({ $0.lines.joined() }) {
      for scalar in text.text.unicodeScalars {
        #expect(scalar.value >= 32 && !(0x7f..<0xa0).contains(scalar.value) && scalar != "\u{202e}", "\(text)")
      }
    }
  }

  @Test("A word that is wider than the screen is broken and not lost")
  func longWords() throws {
    let word = String(repeating: "https://example.com/", count: 10)
    let text = BrowseText(title: "t", lines: ["see " + word + " there"])
    #expect(text.wrapped(to: 30).joined() == "see" + word + "there")
    #expect(text.wrapped(to: 30).allSatisfy { DisplayText($0).width <= 30 })
  }
}

@Suite("What a poll writes for the full-screen view")
struct BrowsePollTests {
  @Test("Progress overwrites itself, and messages end with a newline, however the bytes arrive")
  func stream() {
    let bytes = Array(
      "\r\u{1b}[K1 of 2 feeds\r\u{1b}[K2 of 2 feeds\r\u{1b}[Kmetube-rss: A: HTTP 404\nand more\n\r\u{1b}[K3".utf8)
    for step in 1...bytes.count {
      var (unread, messages, last) = ([UInt8](), [String](), String?.none)
      for start in stride(from: 0, to: bytes.count, by: step) {
        unread += bytes[start..<min(bytes.count, start + step)]
        let news = BrowsePoll.take(&unread)
        messages += news.messages
        last = news.progress ?? last
      }
      #expect(messages == ["A: HTTP 404", "and more"] && last == "3", "\(step)")
    }
  }
}
