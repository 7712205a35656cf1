import FixtureServer
import Testing

@Suite("Completions")
struct CompletionTests {
  @Test("Each shell's script is written, and its own shell finds no fault with it", arguments: ["bash", "zsh", "fish"])
  func scripts(shell: String) throws {
    let sandbox = try Sandbox()
    let script = try sandbox.succeed("--generate-completion-script", shell)
    #expect(script.contains("metube-rss") && script.contains("catch-up") && script.contains("snooze"))
    guard Files.read("/usr/bin/\(shell)") != nil || Files.read("/bin/\(shell)") != nil else { return }
    let path = sandbox.folder.write(script.utf8, to: "completion")
    var program = Program(environment: sandbox.environment)
    program.path = "/usr/bin/env"
    #expect(try program.run([shell, "-n", path]).status == 0)
  }

  @Test("Channels and tags that are followed are offered, by their beginning in any case")
  func offers() throws {
    let sandbox = try Sandbox()
    let channel = SyntheticChannel(number: 0)
    try sandbox.follow(threeVideos)
    try sandbox.succeed("channel", "set", channel.id, "--tag", "science", "--tag", "quiet")
    let tags = try sandbox.run("---completion", "list", "--", "--tag", "3", "2", "metube-rss", "list", "--tag", "S")
    #expect(tags.lines == ["science"])
    let beginning = String(channel.title.prefix(3)).uppercased()
    let channels = try sandbox.run(
      "---completion", "list", "--", "--channel", "3", "2", "metube-rss", "list", "--channel", beginning)
    #expect(channels.lines == [channel.title])
  }
}
