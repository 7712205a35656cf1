import FixtureServer
import Testing

@Suite("Shell completion")
struct CompletionTests {
  @Test("Each shell's script is generated, and passes that shell's syntax check", arguments: ["bash", "zsh", "fish"])
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

  @Test("Followed channels and tags are offered, by their prefix in any case")
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

  @Test("bash offers titles and tags unescaped unless it would run them, and runs nothing itself")
  func bash() throws {
    let sandbox = try Sandbox()
    let ran = "\(sandbox.folder.path)/ran"
    let tags = ["x $(touch \(ran))", "x `touch \(ran)`", "x $HOME", "x it's \"so\"", "x back\\slash {a,b}", "x 日本"]
    try sandbox.follow(threeVideos)
    let channel = SyntheticChannel(number: 0)
    _ = try sandbox.program.run(["channel", "set", channel.id] + tags.flatMap { ["--tag", $0] })
    let script = sandbox.folder.write(
      try sandbox.succeed("--generate-completion-script", "bash").utf8, to: "completion")
    let press = """
      . '\(script)'
      COMP_WORDS=('\(sandbox.program.path)' list --tag x) COMP_CWORD=3
      COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
      _metube-rss '\(sandbox.program.path)' x --tag; printf '%s\n' "${COMPREPLY[@]}"
      """
    var bash = Program(environment: sandbox.environment)
    bash.path = "/bin/bash"
    #expect(try bash.run(["-c", press]).lines.sorted() == tags.filter { !$0.contains { "$`".contains($0) } }.sorted())
    #expect(Files.read(ran) == nil)
  }

  @Test("A quoted prefix is parsed as the shell parses it", arguments: [#"two\ w"#, "'two w", "\"TWO w", "two"])
  func quoted(beginning: String) throws {
    let sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
    try sandbox.succeed("channel", "set", SyntheticChannel(number: 0).id, "--tag", "two words")
    let arguments = ["---completion", "list", "--", "--tag", "3", "5", "metube-rss", "list", "--tag", beginning]
    #expect(try sandbox.program.run(arguments).lines == ["two words"])
  }

  @Test("zsh gets colons as literal characters")
  func zsh() throws {
    let sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
    try sandbox.succeed("channel", "set", SyntheticChannel(number: 0).id, "--tag", #"a: b\c"#)
    let arguments = ["---completion", "list", "--", "--tag", "3", "1", "metube-rss", "list", "--tag", "a"]
    var program = sandbox.program
    program.environment["SAP_SHELL"] = "zsh"
    #expect(try program.run(arguments).lines.first == #"a\: b\\c"#)
  }
}
