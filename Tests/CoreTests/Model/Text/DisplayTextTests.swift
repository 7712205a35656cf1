import TestSupport
import Testing

@testable import Core

@Test(
  "Terminal control sequences are removed, the words stay",
  arguments: [
    ("plain", "plain"), ("\u{1b}[31mred\u{7}", "[31mred"), ("\u{1b}]8;;http://x\u{1b}\\y", "]8;;http://x\\y"),
    ("a\u{9b}2Jb\u{90}c", "a2Jbc"), ("nul\u{0}del\u{7f}", "nuldel"),
    ("\u{202e}gnp.exe\u{2066}\u{200f}\u{61c}", "gnp.exe"),
    ("zero\u{200b}\u{200d}\u{2060}\u{feff}width", "zerowidth"), ("soft\u{ad}hyphen", "softhyphen"),
    ("tag\u{e0041}\u{e007f}\u{fe0f}", "tag"), ("\u{fff9}\u{ffff}\u{3164}x", "x"),
  ] as [(String, String)])
func harmless(outside: String, shown: String) { #expect(DisplayText(outside).text == shown) }

@Test("Newlines and tabs of every kind become one space")
func newlines() {
  #expect(DisplayText("\na\r\nb\tc\u{2028}\u{85}d\u{b}").text == "a b c d ")
  #expect(DisplayText("two  spaces").text == "two  spaces")
}

@Test(
  "The width counts columns",
  arguments: [
    ("", 0), ("abc", 3), ("ä", 1), ("a\u{308}", 1), ("日本語", 6), ("한글", 4), ("\u{1112}\u{1161}\u{11ab}", 2),
    ("Ａ", 2), ("🐧", 2), ("👍🏽", 2), ("❤️", 1), ("🇩🇪", 2), ("👩‍🚀", 4), ("เก็บ", 3), ("…", 1), ("\u{601}7", 2),
  ] as [(String, Int)])
func width(text: String, columns: Int) { #expect(DisplayText(text).width == columns) }

@Test("A letter keeps no more combining marks than a script needs")
func marks() {
  let zalgo = "e" + String(repeating: "\u{301}", count: 50) + "x"
  #expect(DisplayText(zalgo).text.unicodeScalars.count == 2 + DisplayText.maxMarks)
}

@Test(
  "A text is cut to its columns and marked as cut",
  arguments: [
    ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 1, "…"),
    ("ae\u{301}\u{301}bc", 3, "ae\u{301}\u{301}…"), ("abc", 0, ""),
  ] as [(String, Int, String)])
func cut(text: String, limit: Int, expected: String) {
  let cut = DisplayText(text).cut(to: limit)
  #expect(cut.text == expected)
  #expect(cut.width <= limit)
  #expect(cut == DisplayText(expected))
}

@Test("A title without visible characters is shown as the ID")
func blankTitles() throws {
  for title in ["", " ", "\u{a0}\u{200b}\u{2060}\u{a0}", "\u{3000}\u{feff}", "\u{1b}\u{7}", "\u{2800}\u{3164}"] {
    #expect(try sampleRow(title: title).shownTitle == "dQw4w9WgXcQ")
  }
  #expect(try sampleRow(title: "\u{a0}a").shownTitle == "\u{a0}a")
}
