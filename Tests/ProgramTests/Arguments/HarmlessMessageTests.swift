import Testing

@testable import Platform

@Suite("Messages with external text")
struct HarmlessMessageTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  private static let sequence = "x\u{1B}]0;pwn\u{07}\u{9B}31m"

  @Test(
    "No escape sequence reaches the terminal",
    arguments: [
      ["watched", sequence], ["list", "--channel", sequence], ["collection", "show", sequence],
      ["list", "--since", sequence], ["rule", "remove", sequence], ["list", "--limit", sequence],
      ["rule", "add", "block", "--matches", sequence + "("], [sequence], ["list", "--format", sequence],
    ])
  func arguments(arguments: [String]) throws {
    let outcome = try sandbox.program.run(arguments)
    #expect(outcome.status != 0 && outcome.errors.contains("x"))
    #expect(
      !outcome.errors.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7f...0x9f).contains($0.value) })
  }

  @Test("On a terminal messages are wrapped between words; a word that is wider stays whole")
  func wrapping() {
    let text = "metube-rss: see metube-rss collection show saved\nand https://example.org/a/long/address"
    let lines = StandardError.wrapped(text, to: 20).split(separator: "\n").map(String.init)
    #expect(
      lines == [
        "metube-rss: see", "metube-rss", "collection show", "saved", "and", "https://example.org/a/long/address",
      ])
    #expect(StandardError.wrapped(text, to: nil) == text)
  }

  @Test("config cuts no name on a narrow terminal")
  func narrowSettings() throws {
    let text = try sandbox.run("config", output: .terminal(columns: 40)).text
    #expect(text.contains("METUBE_RSS_ON_NEW_SECONDS") && text.contains("  60 (default)") && !text.contains("…"))
  }
}
