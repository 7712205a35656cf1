import FixtureServer
import TestSupport
import Testing

@Suite("Shell completion")
struct CompletionTests {
  private static let shells = ["bash", "zsh", "fish"]

  /// A program's script for a shell, generated once.
  private static func script(_ shell: String, of name: String = "metube-rss") throws -> String {
    try #require(scripts.get()[name]?[shell])
  }

  private static let scripts = Result {
    try Dictionary(
      uniqueKeysWithValues: Help.programs.map { name in
        (name, try Dictionary(uniqueKeysWithValues: shells.map { ($0, try generated($0, of: name)) }))
      })
  }

  private static func generated(_ shell: String, of name: String) throws -> String {
    let outcome = try Help.program(name).run(["--generate-completion-script", shell])
    try #require(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
    return outcome.text
  }

  @Test(
    "Each shell's script is generated with every command and option, and passes that shell's syntax check",
    arguments: shells, Help.programs)
  func scripts(shell: String, name: String) throws {
    let sandbox = try Sandbox()
    let script = try CompletionTests.script(shell, of: name)
    for command in try Help.of(name).commands {
      let options = command.arguments.flatMap { $0.names ?? [] }.filter { $0.kind == "long" }.map(\.name)
      for word in [command.commandName] + options { #expect(script.contains(word), "\(word)") }
    }
    guard Files.read("/usr/bin/\(shell)") != nil || Files.read("/bin/\(shell)") != nil else { return }
    let path = sandbox.folder.write(script.utf8, to: "completion")
    let env = Program(path: "/usr/bin/env", environment: sandbox.environment)
    #expect(try env.run([shell, "-n", path]).status == 0)
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
    let script = sandbox.folder.write(try CompletionTests.script("bash").utf8, to: "completion")
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

  /// What bash offers after these arguments in a folder.
  private func offered(_ arguments: [String], in sandbox: Sandbox) throws -> [String] {
    let script = sandbox.folder.write(try CompletionTests.script("bash").utf8, to: "completion")
    let line = (["metube-rss"] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let press = """
      cd '\(sandbox.folder.path)/files' && . '\(script)'
      metube-rss() { '\(sandbox.program.path)' "$@"; }
      COMP_WORDS=(\(line)) COMP_CWORD=\(arguments.count)
      COMP_LINE="${COMP_WORDS[*]}" COMP_POINT=${#COMP_LINE}
      _metube-rss metube-rss "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"; printf '%s\n' "${COMPREPLY[@]}"
      """
    var bash = Program(environment: sandbox.environment)
    bash.path = "/bin/bash"
    return try bash.run(["-c", press]).lines
  }

  @Test(
    "bash completes files and folders",
    arguments: [
      (["import", "sub"], ["subscriptions.csv"]), (["export", "atom", "--output", "sub"], ["subscriptions.csv"]),
      (["export", "opml", "-o", "sub"], ["subscriptions.csv"]), (["export", "atom", "--all-tags", "pl"], ["place"]),
      (["list", "--home", "pl"], ["place"]), (["--home", "pl"], ["place"]), (["log", "merge", "pl"], ["place"]),
      (["timer", "install", "--writable", "pl"], ["place"]),
    ])
  func files(arguments: [String], wanted: [String]) throws {
    let sandbox = try Sandbox()
    sandbox.folder.write("".utf8, to: "files/subscriptions.csv")
    sandbox.folder.write("".utf8, to: "files/place/x")
    #expect(try offered(arguments, in: sandbox) == wanted)
  }

  @Test("zsh and fish complete files and folders")
  func otherShells() throws {
    let zsh = try CompletionTests.script("zsh").split(separator: "\n")
    for (start, action) in [
      ("':file:", "_files"), ("'--all-tags", "_files -/"), ("'--home", "_files -/"), ("'--writable", "_files -/"),
      ("':dir:", "_files -/"),
    ] {
      let lines = zsh.filter { $0.contains(start) || $0.contains("*" + start.dropFirst()) }
      #expect(!lines.isEmpty && lines.allSatisfy { $0.contains(":\(action)'") }, "\(start) \(lines)")
    }
    let fish = try CompletionTests.script("fish").split(separator: "\n")
    for (option, action) in [("-l 'output'", "-rF"), ("-l 'home'", "-rfa"), ("-l 'all-tags'", "-rfa")] {
      let lines = fish.filter { $0.contains(option) }
      #expect(!lines.isEmpty && lines.allSatisfy { $0.contains(action) }, "\(option) \(lines)")
    }
  }

  @Test("Row numbers and rules are offered, with titles where the shell shows them")
  func numbers() throws {
    let sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
    try sandbox.succeed("rule", "add", "block", "--contains", "bell")
    _ = try sandbox.run("list", "--no-rules", output: .terminal(columns: 80))
    var program = sandbox.program
    let watched = ["---completion", "watched", "--", "positional@0", "2", "0", "metube-rss", "watched", ""]
    #expect(try program.run(watched).lines == ["1", "2", "3"])
    program.environment["SAP_SHELL"] = "zsh"
    #expect(try program.run(watched).lines.contains("2:How to Tune a Bell"))
    program.environment["SAP_SHELL"] = "fish"
    let rule = ["---completion", "rule", "remove", "--", "positional@0", "3", "0", "metube-rss", "rule", "remove", ""]
    #expect(try program.run(rule).lines == ["1\tblock: title or description contains “bell”"])
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
