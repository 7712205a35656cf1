import Glibc
import TestSupport
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

  @Test("is refused, because it would block a poll until somebody reads")
  func refused() throws {
    let outcome = try sandbox.program.run(["export", "atom", "--output", pipe])
    #expect(outcome.status == 64 && outcome.errors.contains("a named pipe"))
    sandbox.environment["METUBE_RSS_EXPORT"] = "atom --output \(pipe)"
    let polled = try sandbox.program.run(["poll", "--rate", "0"])
    #expect(polled.status == 0 && polled.errors.contains("METUBE_RSS_EXPORT: \(pipe): a named pipe"))
  }
}
