import Glibc
import Testing

@Suite("An export to a named pipe")
struct PipeExportTests {
  private let sandbox: Sandbox
  private var pipe: String { sandbox.folder.path + "/pipe" }

  init() throws {
    sandbox = try Sandbox()
    try sandbox.follow(20)
    try #require(mkfifo(pipe, 0o600) == 0)
  }

  @Test("without a reader fails within seconds, and so the poll that refreshes it finishes")
  func nobody() throws {
    let outcome = try sandbox.program.run(["export", "atom", "--output", pipe], within: 10)
    #expect(outcome.status == 74 && outcome.errors.contains("the pipe has no reader"))
    sandbox.environment["METUBE_RSS_EXPORT"] = "atom --output \(pipe)"
    let polled = try sandbox.program.run(["poll", "--rate", "0"], within: 10)
    #expect(polled.status == 0 && polled.errors.contains("METUBE_RSS_EXPORT: \(pipe): the pipe has no reader"))
  }

  @Test("whose reader consumes nothing fails within seconds")
  func stuck() throws {
    let reader = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    _ = try sandbox.poll()
    let outcome = try sandbox.program.run(["export", "atom", "--limit", "0", "--output", pipe], within: 10)
    #expect(outcome.status == 74 && outcome.errors.contains("the pipe's reader stopped reading"))
  }

  @Test("with a reader arrives completely")
  func reader() throws {
    _ = try sandbox.poll()
    let shell = Program(path: "/bin/sh", environment: sandbox.environment)
    let script = #"cat "$1" & "$0" export atom --limit 0 --output "$1" 2>&2; wait"#
    let outcome = try shell.run(["-c", script, sandbox.program.path, pipe])
    #expect(outcome.output.count > 65_536 && outcome.text.hasSuffix("</feed>\n"))
  }
}
