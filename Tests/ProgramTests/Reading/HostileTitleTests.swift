import FixtureServer
import FoundationEssentials
import FoundationXML
import Testing

/// Malicious titles, and some that only look malicious.
private let titles = [
  "Quotes \"double\" & 'single'", "Fish &amp; chips &#38; <b>bold</b>", "<script>alert(1)</script>", "]]> <![CDATA[",
  "🔧🔥 Family: 👩‍👩‍👧", "\u{202e}txt.exe\u{202c} \u{2066}isolated\u{2069} \u{200f}mark", "\u{9b}31mRed \u{85}next",
  "=HYPERLINK(\"https://example.com\")", "日本語の題名 and עברית", "Tab\tand  two blanks",
]

@Suite("Hostile titles")
struct HostileTitleTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    let ids = (0..<titles.count).map { "hostile000\(Array("AEIMQUYcgkosw048")[$0])" }
    try sandbox.follow(zip(ids, titles).map { (id: $0, title: $1) })
  }

  @Test("survive completely in jsonl and JSON")
  func json() throws {
    #expect(try sandbox.list().map(\.title) == titles)
    let array = try sandbox.run("list", "--format", "json").output
    #expect(try JSONDecoder().decode([Listed].self, from: Data(array)).map(\.title) == titles)
  }

  @Test("survive completely in Atom for an external reader, except for controls, which XML discourages")
  func atom() throws {
    let feed = try sandbox.run("export", "atom").output
    let document = try XMLDocument(data: Data(feed))
    let read = document.rootElement()?.elements(forName: "entry").map { $0.elements(forName: "title")[0].stringValue }
    #expect(read == titles.map { $0.filter { !["\u{9b}", "\u{85}"].contains($0) } })
    #expect(!String(decoding: feed, as: UTF8.self).contains("<script"))
  }

  @Test("are harmless in a table, on a terminal or off it")
  func table() throws {
    for output in [Program.Output.captured, .terminal(columns: 80), .terminal(columns: 200)] {
      let outcome = try sandbox.program.run(["list", "--color", "never"], output: output)
      #expect(outcome.lines.count == titles.count + 2, "one line per title, the heading and the column names")
      // On a terminal, our own marks stand before the cells of a line to keep its columns apart.
      let isCaptured = if case .captured = output { true } else { false }
      let text = outcome.text.replacing("\n\u{200e}", with: "\n").replacing("\u{200e} ", with: " ")
      for scalar in (isCaptured ? outcome.text : text).unicodeScalars {
        #expect(scalar == "\n" || scalar.value >= 0x20 && !(0x7f...0x9f).contains(scalar.value))
        #expect(!(0x202a...0x202e).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
        #expect(![0x200e, 0x200f, 0x61c].contains(scalar.value))
      }
    }
  }

  @Test("execute nothing in a spreadsheet")
  func csv() throws {
    let text = try sandbox.succeed("list", "--format", "csv")
    #expect(text.contains("\"'=HYPERLINK(\"\"https://example.com\"\")\""))
  }

  @Test("stay unchanged when a video is marked by its number, and are reported harmlessly")
  func reply() throws {
    let reply = try sandbox.succeed("watched", "hostile000c")
    #expect(reply.contains("hostile000c") && !reply.unicodeScalars.contains("\u{9b}"))
  }
}
