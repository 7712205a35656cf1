import TestSupport
import Testing

@Suite("Closed standard streams")
struct StandardStreamsTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(threeVideos)
  }

  /// Runs the program with a shell's redirections.
  private func run(_ arguments: String..., closing redirections: String) throws -> Program.Outcome {
    var shell = sandbox.program
    let ours = shell.path
    shell.path = "/bin/sh"
    return try shell.run(["-c", "exec \"$0\" \"$@\" \(redirections)", ours] + arguments)
  }

  @Test("IDs cannot come from a closed standard input, and nothing else is read instead")
  func ids() throws {
    let log = sandbox.log
    let outcome = try run("watched", "-", closing: "<&-")
    #expect(
      outcome.status == 64 && outcome.errors == "metube-rss: -: standard input is closed; there is nothing to read\n")
    #expect(sandbox.log == log)
  }

  @Test("Nor can a file to import")
  func file() throws {
    let log = sandbox.log
    let outcome = try run("import", "-", closing: "<&-")
    #expect(outcome.status == 65 && outcome.errors.contains("standard input is closed"))
    #expect(sandbox.log == log)
  }

  @Test("A file to import comes through a pipe, which can be read once")
  func pipe() throws {
    let file = sandbox.folder.write("UCsXVk37bltHxD1rDPwtNM8Q\n".utf8, to: "channels.txt")
    let outcome = try run("import", "-", closing: "< /dev/null")
    #expect(outcome.status == 65)
    var shell = sandbox.program
    let ours = shell.path
    shell.path = "/bin/sh"
    let piped = try shell.run(["-c", "cat \"$1\" | \"$0\" import -", ours, file])
    #expect(piped.status == 0 && piped.text.contains("1 read, 1 new"), "\(piped.errors)")
  }

  @Test("A closed standard output is noticed, and nothing is written to the log instead")
  func output() throws {
    #expect(try run("list", closing: ">&-").status == 74)
    let lines = sandbox.log.count
    #expect(try run("watched", threeVideos[0].id, closing: ">&-").status == 74)
    #expect(sandbox.log.count == lines + 1)
    #expect(try sandbox.run("log", "verify").status == 0)
  }

  @Test("With all of them closed a mark is made all the same")
  func all() throws {
    #expect(try run("watched", threeVideos[0].id, closing: "<&- >&- 2>&-").status == 74)
    #expect(try sandbox.list("--watched").map(\.video) == [threeVideos[0].id])
    #expect(try sandbox.run("log", "verify").status == 0)
  }
}
