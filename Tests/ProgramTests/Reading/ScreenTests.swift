import Core
import FixtureServer
import Testing

@Suite("Screens as a terminal shows them")
struct ScreenTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow([
      (id: "aaaaaaaaaaA", title: "日本語の長い題名：静かな庭を歩く、雨の日の京都と古い時計の話、その二"),
      (id: "bbbbbbbbbbE", title: "جولة في حديقة هادئة"), (id: "ccccccccccI", title: "👩‍🔧 Fixing a clock 🕰️ in Köln"),
    ])
    try sandbox.succeed("save", "ccccccccccI")
  }

  private func screen(_ columns: UInt16) throws -> [String] {
    try sandbox.program.run(["list", "--color", "never"], output: .terminal(columns: columns)).lines
      .map { $0.filter { $0 != "\r" && $0 != "\r\n" } }
  }

  @Test("No line is wider than the terminal, and the titles are aligned", arguments: [40, 80, 200])
  func widths(columns: Int) throws {
    let lines = try screen(UInt16(columns)).drop { !$0.contains("title") }
    #expect(lines.count == 4)
    for line in lines { #expect(DisplayText(line).width <= columns, "\(line)") }
    let titles = ["日本", "جولة", "👩🔧 Fixing"]
    let positions = zip(lines.dropFirst(), titles).map { line, title in
      line.components(before: title).map { DisplayText($0).width }
    }
    #expect(positions[0] != nil && positions.allSatisfy { $0 == positions[0] }, "\(lines)")
  }

  @Test("80 columns cut the long title and keep its marks; 200 show it completely")
  func cut() throws {
    let (narrow, wide) = (try screen(80), try screen(200))
    #expect(narrow[2].contains("…") && !narrow[2].contains("その二") && wide[2].contains("その二"))
    #expect(narrow[4].hasSuffix("saved") && wide[4].hasSuffix("saved"))
    for part in ["#  published   ", "  title", "  marks"] { #expect(narrow[1].contains(part), "\(narrow[1])") }
  }
}

extension String {
  /// The text before another text; nil if the other does not occur.
  fileprivate func components(before other: String) -> String? {
    indices.first { self[$0...].hasPrefix(other) }.map { String(self[..<$0]) }
  }
}
