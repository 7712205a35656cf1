import Glibc
import Testing

@Suite("A log that is not what it should be")
struct OddLogTests {
  private let sandbox: Sandbox
  private let path: String
  private let channel = "UCAAAAAAAAAAAAAAAAAAAAAA"
  private let other = "UCBBBBBBBBBBBBBBBBBBBBBA"

  init() throws {
    sandbox = try Sandbox()
    try sandbox.succeed("follow", channel)
    path = "\(sandbox.folder.path)/log/" + (try #require(sandbox.folder.names(in: "log").first))
  }

  /// What may stand where a file should.
  enum Oddity: String, CaseIterable, CustomTestStringConvertible {
    case fifo, folder, link, device
    var testDescription: String { rawValue }

    func make(at path: String) -> Bool {
      switch self {
      case .fifo: mkfifo(path, 0o600) == 0
      case .folder: mkdir(path, 0o700) == 0
      case .link: symlink("/etc/passwd", path) == 0
      // The null device; only root may make one.
      case .device: mknod(path, S_IFCHR | 0o600, 1 << 8 | 3) == 0
      }
    }
  }

  @Test("is named with 74, waits for nothing, and is whole once it is back", arguments: Oddity.allCases)
  func own(oddity: Oddity) throws {
    rename(path, path + ".away")
    guard oddity.make(at: path) else { return }
    for command in [["list"], ["follow", other], ["log", "verify"], ["log", "compact"], ["poll"]] {
      let outcome = try sandbox.program.run(command, within: 5)
      #expect(outcome.status == 74 || command == ["log", "verify"], "\(command)")
      #expect(outcome.errors.contains("\(path): not an ordinary file; move it away"), "\(command)")
    }
    remove(path)
    rename(path + ".away", path)
    #expect(try sandbox.succeed("channels", "--format", "ids") == channel + "\n")
    try sandbox.succeed("follow", other)
  }

  @Test("is told and stops nothing where it is another device's", arguments: Oddity.allCases)
  func others(oddity: Oddity) throws {
    guard oddity.make(at: "\(sandbox.folder.path)/log/aaaaaaaa.jsonl") else { return }
    let outcome = try sandbox.run("follow", other)
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("/log/aaaaaaaa.jsonl: not an ordinary file; move it away"))
    let log = String(decoding: try #require(Files.read(path)), as: UTF8.self)
    #expect(log.split(separator: "\n").count == 3)
  }

  @Test("may lie in a folder that is a link, as for a program that synchronises it")
  func linkedFolder() throws {
    rename(sandbox.folder.path + "/log", sandbox.folder.path + "/elsewhere")
    symlink("elsewhere", sandbox.folder.path + "/log")
    try sandbox.succeed("follow", other)
    #expect(try sandbox.succeed("channels", "--format", "ids").contains(channel))
  }

  @Test("of another user is told, and written where root may", .enabled(if: geteuid() == 0, "needs root"))
  func ownedByAnother() throws {
    try #require(chown(path, 65_534, 65_534) == 0)
    let outcome = try sandbox.run("follow", other)
    #expect(outcome.status == 0 && outcome.errors.contains("\(path): belongs to user 65534"))
  }

  @Test(
    "of another user is read where that is allowed, and not written: 74, and nothing is changed",
    .enabled(if: Unprivileged.isPossible, "root needs setpriv"))
  func writtenByNobody() throws {
    let nobody = try Unprivileged(sandbox)
    chmod(path, 0o444)
    if geteuid() == 0 { chown(path, 0, 0) }
    let before = sandbox.log
    #expect(try nobody.run(["channels", "--format", "ids"]).text == channel + "\n")
    let outcome = try nobody.run(["follow", other])
    #expect(outcome.status == 74 && outcome.errors.contains("\(path): open: Permission denied"))
    #expect(sandbox.log == before)
  }

  @Test(
    "that may not be read at all is an error that names it",
    .enabled(if: Unprivileged.isPossible, "root needs setpriv"))
  func unreadable() throws {
    let nobody = try Unprivileged(sandbox)
    chmod(path, 0)
    let outcome = try nobody.run(["list"])
    #expect(outcome.status == 74 && outcome.errors.contains("\(path): open: Permission denied"))
  }

  @Test(
    "in a folder that may not be written is read and written, and not begun there",
    .enabled(if: Unprivileged.isPossible, "root needs setpriv"), arguments: ["log", "state"])
  func readOnlyFolder(name: String) throws {
    let nobody = try Unprivileged(sandbox)
    let before = sandbox.log
    chmod("\(sandbox.folder.path)/\(name)", 0o500)
    #expect(try nobody.run(["channels", "--format", "ids"]).text == channel + "\n")
    // The file is there and may be written, whatever its folder.
    #expect(try nobody.run(["follow", other]).status == 0)
    remove("\(sandbox.folder.path)/state/log.lock")
    let outcome = try nobody.run(["unfollow", other])
    #expect(outcome.status == (name == "state" ? 74 : 0))
    if name == "state" { #expect(outcome.errors.contains("state/log.lock: open: Permission denied")) }
    #expect(sandbox.log.starts(with: before))
    chmod("\(sandbox.folder.path)/\(name)", 0o700)
  }
}
