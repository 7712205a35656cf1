import Testing

@testable import Core

@Test("A cursor is read as it is written, and nothing else is one")
func cursorText() {
  for text in ["dQw4w9WgXcQ", "-Qw4w9WgXcQ", "0.dQw4w9WgXcQ", "69208d4b.dQw4w9WgXcQ", "-5.-Qw4w9WgXcQ"] {
    #expect(PageCursor(text)?.description == text)
  }
  for text in [
    "", ".", "dQw4w9WgXcQ.", ".dQw4w9WgXcQ", "x.dQw4w9WgXcQ", "a.b.dQw4w9WgXcQ", "dQw4w9WgXc",
    "10000000000000000.dQw4w9WgXcQ",
  ] {
    #expect(PageCursor(text) == nil, "\(text)")
  }
}
