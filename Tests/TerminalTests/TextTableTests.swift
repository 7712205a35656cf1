import TestSupport
import Testing

@testable import Core
@testable import Terminal

private func lines(
  _ table: TextTable, width: Int?, style: TerminalStyle = TerminalStyle(colors: false, links: false)
) -> [String] {
  var bytes: [UInt8] = []
  table.append(to: &bytes, width: width, style: style)
  return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    .dropLast().map(String.init)
}

private let hostileTitles = [
  "plain", "日本語のとても長いタイトルです、ここで切れるはず、まだ続きます、まだまだ", "\u{1b}]0;owned\u{7}\u{202e}txt", "👩‍👩‍👧‍👦 family 🇩🇪",
  "a\nb\tc", "\u{9b}2J", String(repeating: "long ", count: 60),
]

private func rows() throws -> [VideoRow] {
  try hostileTitles.enumerated().map { index, title in
    try sampleRow(title: title, channelTitle: index == 1 ? "チャンネル名がとても長いのです" : "Channel \(index)")
  }
}

@Test("No line is wider than the terminal, and columns with wide text are aligned", arguments: [40, 60, 80, 200])
func fits(width: Int) throws {
  let now = Timestamp(seconds: 1_782_914_435)
  let lines = lines(.videos(try rows(), numbered: true, at: .utc(now)), width: width)
  #expect(lines.count == hostileTitles.count + 1)
  for line in lines { #expect(DisplayText(line).width <= width && DisplayText(line).text == line) }
  // The duration is the last column; its right edge is aligned in all lines that have it.
  let ends = lines.dropFirst().filter { $0.hasSuffix("4:13") }.map { DisplayText($0).width }
  #expect(Set(ends).count <= 1)
}

@Test("Texts placed on a screen stand where they are printed, or further right if wider cells were shown before")
func layout() throws {
  let table = TextTable.videos(try rows(), numbered: true, at: .utc(Timestamp(seconds: 1_782_914_435)))
  let printed = lines(table, width: 80).map { $0.filter { $0 != "\u{200e}" } }
  let laidOut = table.layout(width: 80, widest: []).map { runs in
    runs.reduce("") { line, run in
      let blanks = String(repeating: " ", count: run.column - DisplayText(line).width)
      return line + blanks + run.text.filter { $0 != "\u{200e}" }
    }
  }
  #expect(laidOut == printed)
  let wider = table.layout(width: 200, widest: table.natural.map { $0 + 3 })
  #expect(wider[0][1].column == table.layout(width: 200, widest: table.natural)[0][1].column + 3)
}

@Test("Known lengths are shown at 40 columns too, beside a day and a title", arguments: [40, 60, 80])
func lengths(width: Int) throws {
  let row = try sampleRow(title: "A Long Walk Through the Hills, with Every Bridge", channelTitle: "Channel")
  let lines = lines(.videos([row], numbered: true, at: .utc(Timestamp(seconds: 1_782_914_435))), width: width)
  #expect(lines[0].hasSuffix("length") && lines[1].hasSuffix("4:13") && lines[1].contains("A Long Walk"))
  #expect(lines[0].contains("published"))
}

@Test("Output to a pipe is not cut")
func pipe() throws {
  let lines = lines(.videos(try rows(), numbered: false, at: .utc(Timestamp(seconds: 0))), width: nil)
  #expect(lines.last?.contains(String(repeating: "long ", count: 59) + "long") == true)
  #expect(lines[0].hasPrefix("published"))
}

@Test("A narrow terminal shows the number and the title")
func narrow() throws {
  let row = try sampleRow(title: "A title that is a little longer", channelTitle: "Channel")
  let lines = lines(.videos([row], numbered: true, at: .utc(Timestamp(seconds: 0))), width: 24)
  #expect(lines == ["#  title", "1  A title that is a li…"])
}

@Test("Colours and links appear only where supported, and links only for web URLs")
func styles() throws {
  var table = TextTable(columns: [.init("t", minimum: 1, maximum: nil)])
  table.add([.init("x", tint: .green, link: "https://example.com/?a=1")])
  table.add([.init("y", link: "javascript:alert(1)")])
  table.add([.init("z", link: "https://example.com/\u{7}")])
  #expect(lines(table, width: 80) == ["t", "x", "y", "z"])
  #expect(lines(table, width: 80, style: .init(colors: true, links: false))[1] == "\u{1b}[38;5;28mx\u{1b}[0m")
  let linked = lines(table, width: 80, style: .init(colors: false, links: true))
  #expect(linked[1] == "\u{1b}]8;;https://example.com/?a=1\u{1b}\\x\u{1b}]8;;\u{1b}\\")
  #expect(linked[2...] == ["y", "z"])
}

@Test("A link contains only URL characters")
func linkBytes() {
  let allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/?#[]@!$&'()*+,;=%"
  for byte in UInt8.min...UInt8.max { #expect(WebLink.isAddressByte(byte) == allowed.utf8.contains(byte)) }
  #expect(WebLink.isSafe("https://www.youtube.com/watch?v=dQw4w9WgXcQ"))
  #expect(!WebLink.isSafe("https://example.com/a b") && !WebLink.isSafe("HTTPS://x") && !WebLink.isSafe(""))
}

@Test("A right-aligned column is aligned, and no line ends with spaces")
func alignment() {
  var table = TextTable(columns: [
    .init("n", alignment: .right, minimum: 1, maximum: nil), .init("name", minimum: 1, maximum: nil),
    .init("m", alignment: .right, minimum: 1, maximum: nil), .init("none", minimum: 4, maximum: nil),
  ])
  table.add([.init("1"), .init("日本"), .init("10"), .init("")])
  table.add([.init("22"), .init(""), .init(""), .init("")])
  table.add([.init(""), .init("abc"), .init("7"), .init("")])
  #expect(lines(table, width: 80) == [" n  name   m", " 1  日本  10", "22", "    abc    7"])
}

@Test("A long title extends over empty cells beside it, never over used ones")
func overEmptyCells() {
  var table = TextTable(columns: [
    .init("title", minimum: 4, maximum: nil, isFlexible: true), .init("marks", minimum: 5, maximum: nil),
    .init("length", alignment: .right, minimum: 6, maximum: nil),
  ])
  let title = "A title of thirty-two characters"
  table.add([.init(title), .init("saved"), .init("")])
  table.add([.init(title), .init(""), .init("1:02:03")])
  table.add([.init(title), .init(""), .init("")])
  table.add([.init("日本語の題名は広い"), .init(""), .init("9:59")])
  #expect(
    lines(table, width: 30) == [
      "title           marks   length",
      "A title of th…  saved",
      "A title of thirty-tw…  1:02:03",
      "A title of thirty-two charact…",
      "日本語の題名は広い        9:59",
    ])
}

@Test("A column exceeds its maximum if no other needs the room, and is never cut in a pipe")
func roomLeft() {
  var table = TextTable(columns: [
    .init("channel", minimum: 4, maximum: 8), .init("title", minimum: 4, maximum: nil, isFlexible: true),
  ])
  table.add([.init("A long channel"), .init("Short title")])
  #expect(lines(table, width: 80)[1] == "A long channel  Short title")
  #expect(lines(table, width: 24)[1] == "A long cha…  Short title")
  #expect(lines(table, width: 18)[1] == "A long …  Short t…")
  #expect(lines(table, width: nil)[1] == "A long channel  Short title")
}

@Test("Right-to-left text is isolated from its neighbours, on terminals only")
func direction() {
  var table = TextTable(columns: [
    .init("n", alignment: .right, minimum: 1, maximum: nil), .init("channel", minimum: 4, maximum: 8),
    .init("title", minimum: 4, maximum: nil, isFlexible: true), .init("id", minimum: 2, maximum: nil),
  ])
  table.add([.init("1"), .init("ערוץ"), .init("كيف تعمل"), .init("9x")])
  table.add([.init("2"), .init("日本"), .init("Plain"), .init("")])
  let shown = lines(table, width: 80)
  #expect(shown[1] == "\u{200e}1\u{200e}  ערוץ\u{200e}     كيف تعمل\u{200e}  9x")
  #expect(shown[2] == "2  日本     Plain")
  #expect(lines(table, width: nil)[1] == "1  ערוץ     كيف تعمل  9x")
}

@Test("Right-to-left letters are recognised", arguments: ["שלום", "عربي", "ޘ", "ߒ", "ﷺ", "𐤀", "𞤀", "a ב"])
func rightToLeft(text: String) { #expect(DisplayText(text).hasRightToLeft && !DisplayText("日é🎉1").hasRightToLeft) }

@Test("However narrow the terminal, numbers are whole and no line is too wide", arguments: 6...30)
func narrowest(width: Int) throws {
  let row = try sampleRow(title: "日本語 and a longer title", channelTitle: "Channel")
  let table = TextTable.videos(Array(repeating: row, count: 1000), numbered: true, at: .utc(Timestamp(seconds: 0)))
  let lines = lines(table, width: width)
  #expect(lines.last?.hasPrefix("1000") == true)
  #expect(lines.allSatisfy { DisplayText($0).width <= max(width, 7) })
}

@Test("A table without rows is empty")
func noRows() { #expect(lines(.videos([], numbered: true, at: .utc(Timestamp(seconds: 0))), width: 80).isEmpty) }

@Test(
  "Times are short",
  arguments: [
    (0, "just now"), (59 * 60, "59 min ago"), (23 * 3600, "23 h ago"), (6 * 86_400, "6 d ago"),
    (7 * 86_400, "2026-06-24"), (-1, "2026-07-01"),
  ] as [(Int64, String)])
func shortTimes(age: Int64, text: String) {
  let now = Timestamp(seconds: 1_782_914_435)
  #expect(now.adding(seconds: -age).short(at: .utc(now)) == text)
}

@Test("Durations are formatted as players show them")
func playingTimes() {
  #expect(
    [0, 9, 253, 3723, 360_000, -5].map(PlayingTime.text) == ["0:00", "0:09", "4:13", "1:02:03", "100:00:00", "0:00"])
}

@Test("A duration survives a round trip, and nothing else is accepted")
func playingTimesRead() {
  for seconds in [0, 9, 59, 60, 253, 3599, 3600, 3723, 360_000] {
    #expect(PlayingTime.seconds(PlayingTime.text(seconds: seconds)) == seconds)
  }
  #expect(PlayingTime.seconds("754") == 754)
  for text in ["", ":", "1:", ":1", "1:60", "1:2:3:4", "-1", "+1", "1.5", "1000001", "99999999999999999999", "１"] {
    #expect(PlayingTime.seconds(text) == nil, "\(text)")
  }
}
