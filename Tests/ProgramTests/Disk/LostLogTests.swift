import Glibc
import TestSupport
import Testing

@Suite("A log that is gone or went back")
struct LostLogTests {
  private let sandbox: Sandbox
  private let path: String
  private let channel = "UCAAAAAAAAAAAAAAAAAAAAAA"
  private let other = "UCBBBBBBBBBBBBBBBBBBBBBA"

  init() throws {
    sandbox = try Sandbox()
    try sandbox.succeed("follow", channel)
    try sandbox.succeed("list")
    path = "log/" + (try #require(sandbox.folder.names(in: "log").first))
  }

  @Test(
    "is reported by every command, refused by those that write, and restored from a backup or given up",
    arguments: ["missing", "empty", "older"], [true, false])
  func lost(how: String, isRestored: Bool) throws {
    let early = try #require(sandbox.folder.read(path))
    try sandbox.succeed("follow", other)
    let whole = try #require(sandbox.folder.read(path))
    switch how {
    case "missing": remove("\(sandbox.folder.path)/\(path)")
    case "empty": sandbox.folder.write([], to: path)
    default: sandbox.folder.write(early, to: path)
    }
    for command in [["list"], ["channels"], ["log", "verify"], ["poll"], ["follow", other], ["log", "compact"]] {
      let outcome = try sandbox.program.run(command)
      let status: Int32 = command.last == "verify" ? 65 : 74
      #expect(outcome.status == status, "\(command)")
      #expect(outcome.errors.contains("/\(path): missing, or older than this device's last write"), "\(command)")
    }
    if isRestored {
      sandbox.folder.write(whole, to: "backup/\(path.dropFirst(4))")
      try sandbox.succeed("log", "merge", "\(sandbox.folder.path)/backup")
      #expect(sandbox.folder.read(path) == whole)
    } else {
      #expect(try sandbox.run("log", "repair").status == 64)
      #expect(try sandbox.run("log", "repair", "--yes").status == 0)
    }
    try sandbox.succeed("follow", "UCCCCCCCCCCCCCCCCCCCCCCA")
    try sandbox.succeed("log", "verify")
    let count = try sandbox.succeed("channels", "--format", "ids").split(separator: "\n").count
    #expect(count == (isRestored ? 3 : how == "older" ? 2 : 1))
  }
}
