import Glibc
import TestSupport
import Testing

@Suite("A log that is not a regular file")
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

  /// Things that may be there instead of a file.
  enum Oddity: String, CaseIterable, CustomTestStringConvertible {
    case fifo, folder, link, device
    var testDescription: String { rawValue }

    func make(at path: String) -> Bool {
      switch self {
      case .fifo: mkfifo(path, 0o600) == 0
      case .folder: mkdir(path, 0o700) == 0
      case .link: symlink("/etc/passwd", path) == 0
      // The null device; only root can create one.
      case .device: mknod(path, S_IFCHR | 0o600, 1 << 8 | 3) == 0
      }
    }
  }

  @Test("is named with 74, blocks nothing, and is intact once restored", arguments: Oddity.allCases)
  func own(oddity: Oddity) throws {
    rename(path, path + ".away")
    guard oddity.make(at: path) else { return }
    for command in [["list"], ["follow", other], ["log", "verify"], ["log", "compact"], ["poll"]] {
      let outcome = try sandbox.program.run(command)
      #expect(outcome.status == 74 || command == ["log", "verify"], "\(command)")
      #expect(outcome.errors.contains("\(path): not a regular file; move it away"), "\(command)")
    }
    remove(path)
    rename(path + ".away", path)
    #expect(try sandbox.succeed("channels", "--format", "ids") == channel + "\n")
    try sandbox.succeed("follow", other)
  }

  @Test("is reported and stops nothing if it belongs to another device", arguments: Oddity.allCases)
  func others(oddity: Oddity) throws {
    guard oddity.make(at: "\(sandbox.folder.path)/log/aaaaaaaa.jsonl") else { return }
    let outcome = try sandbox.run("follow", other)
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("/log/aaaaaaaa.jsonl: not a regular file; move it away"))
    let log = String(decoding: try #require(Files.read(path)), as: UTF8.self)
    #expect(log.split(separator: "\n").count == 3)
  }

  @Test("may have any name: no command writes its escape sequences or line breaks to the terminal")
  func hostileName() throws {
    let name = "evil\u{1b}]0;x\u{7}\n\u{202e}.jsonl"
    sandbox.folder.write("not a log\n".utf8, to: "log/\(name)")
    sandbox.folder.write("not a log\n".utf8, to: "other/\(name)")
    for command in [["list"], ["log", "verify"], ["log", "merge", sandbox.folder.path + "/other"], ["status"]] {
      let outcome = try sandbox.program.run(command)
      let text = outcome.text + outcome.errors
      #expect(!text.unicodeScalars.contains { ["\u{1b}", "\u{7}", "\u{202e}"].contains($0) }, "\(command)")
      #expect(!text.contains("x\n"), "\(command): \(text)")
    }
  }

  @Test("may be in a folder that is a symlink, as with a synchronisation program")
  func linkedFolder() throws {
    rename(sandbox.folder.path + "/log", sandbox.folder.path + "/elsewhere")
    symlink("elsewhere", sandbox.folder.path + "/log")
    try sandbox.succeed("follow", other)
    #expect(try sandbox.succeed("channels", "--format", "ids").contains(channel))
  }

  @Test("owned by another user is reported, and written if root may", .enabled(if: geteuid() == 0, "needs root"))
  func ownedByAnother() throws {
    try #require(chown(path, 65_534, 65_534) == 0)
    let outcome = try sandbox.run("follow", other)
    #expect(outcome.status == 0 && outcome.errors.contains("\(path): owned by user 65534"))
  }

  @Test(
    "owned by another user is read if allowed, but not written: 74, and nothing is changed",
    .enabled(if: Unprivileged.isPossible, "root needs setpriv"))
  func writtenByAnother() throws {
    let unprivileged = try Unprivileged(sandbox)
    chmod(path, 0o444)
    if geteuid() == 0 { chown(path, 0, 0) }
    let before = sandbox.log
    #expect(try unprivileged.run(["channels", "--format", "ids"]).text == channel + "\n")
    let outcome = try unprivileged.run(["follow", other])
    #expect(outcome.status == 74 && outcome.errors.contains("\(path): open: Permission denied"))
    #expect(sandbox.log == before)
  }

  @Test(
    "that cannot be read at all is an error that names it",
    .enabled(if: Unprivileged.isPossible, "root needs setpriv"))
  func unreadable() throws {
    let unprivileged = try Unprivileged(sandbox)
    chmod(path, 0)
    let outcome = try unprivileged.run(["list"])
    #expect(outcome.status == 74 && outcome.errors.contains("\(path): open: Permission denied"))
  }

  @Test(
    "in a read-only folder is read and written, but not created there",
    .enabled(if: Unprivileged.isPossible, "root needs setpriv"), arguments: ["log", "state"])
  func readOnlyFolder(name: String) throws {
    let unprivileged = try Unprivileged(sandbox)
    let before = sandbox.log
    chmod("\(sandbox.folder.path)/\(name)", 0o500)
    #expect(try unprivileged.run(["channels", "--format", "ids"]).text == channel + "\n")
    // The file exists and is writable, whatever its folder.
    #expect(try unprivileged.run(["follow", other]).status == 0)
    remove("\(sandbox.folder.path)/state/log.lock")
    let outcome = try unprivileged.run(["unfollow", other])
    #expect(outcome.status == (name == "state" ? 74 : 0))
    if name == "state" { #expect(outcome.errors.contains("state/log.lock: open: Permission denied")) }
    #expect(sandbox.log.starts(with: before))
    chmod("\(sandbox.folder.path)/\(name)", 0o700)
  }
}
