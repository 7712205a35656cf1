import Testing

@testable import Core

private func wrapped(_ text: String, _ limit: Int) -> [String] { DisplayText(text).wrapped(to: limit).map(\.text) }

@Test("A text is wrapped between words, within the columns, and nothing is lost")
func words() {
  #expect(wrapped("one two three", 13) == ["one two three"])
  #expect(wrapped("one two three", 12) == ["one two", "three"])
  #expect(wrapped("one two three", 4) == ["one", "two", "three"])
  #expect(wrapped("", 4) == [""])
}

@Test("Wide characters count as two, and a word that is too wide gets its own line")
func wide() {
  #expect(wrapped("庭 庭 庭", 5) == ["庭 庭", "庭"])
  #expect(
    wrapped("see https://example.com/a/long/address now", 12) == ["see", "https://example.com/a/long/address", "now"])
}

@Test("Spaces between words stay within a line and are dropped at a break; leading ones stay")
func blanks() {
  #expect(wrapped("time  device  what", 14) == ["time  device", "what"])
  #expect(wrapped("  - a list entry", 10) == ["  - a list", "entry"])
}
