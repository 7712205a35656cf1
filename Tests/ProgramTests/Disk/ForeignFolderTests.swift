import Glibc
import TestSupport
import Testing

/// A folder of another user: messages name it, its owner, who we are, and the command that mends it.
@Suite("Folders of another user", .enabled(if: geteuid() == 0 && Unprivileged.isPossible, "needs root and setpriv"))
struct ForeignFolderTests {
  private let sandbox: Sandbox

  /// Root's folder `hub`, which others may read.
  init() throws {
    sandbox = try Sandbox()
    mkdir(sandbox.hubData, 0o755)
    chmod(sandbox.folder.path, 0o755)
    sandbox.environment["METUBE_RSS_HOME"] = nil
  }

  /// Runs a program as a user without a name.
  private func run(_ program: String, _ arguments: [String]) throws -> Program.Outcome {
    let setpriv = Program(path: "/usr/bin/setpriv", environment: sandbox.environment)
    let user = ["--reuid=65532", "--regid=65532", "--clear-groups", "\(Files.folderOfTests)/\(program)"]
    return try setpriv.run(user + arguments, input: Array("correct horse\n".utf8))
  }

  private func expectOwner(_ outcome: Program.Outcome, _ command: String, _ arguments: [String]) {
    let owner = "belongs to root (uid 0), and this program runs as uid 65532; run: \(command)\n"
    #expect(outcome.status == 74, "\(arguments): \(outcome.status ?? -1) \(outcome.errors)")
    #expect(outcome.errors.hasSuffix(owner) && outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains(sandbox.hubData), "\(outcome.errors)")
  }

  @Test("Commands of the hub say so, also without users")
  func hub() throws {
    let chown = "sudo chown -R 65532:65532 \(sandbox.hubData)"
    for arguments in [
      ["serve", "--listen", "127.0.0.1:0", "--data"], ["user", "add", "ann", "--data"], ["setup", "ann", "--data"],
      ["serve", "--listen", "0.0.0.0:0", "--home"], ["user", "add", "ann", "--home"], ["setup", "ann", "--home"],
      ["user", "list", "--data"],
    ] {
      let outcome = try run("metube-hub", arguments + [sandbox.hubData])
      expectOwner(outcome, chown, arguments)
      #expect(outcome.errors.hasPrefix("metube-hub: "), "\(outcome.errors)")
    }
  }

  @Test("Commands of the terminal say so")
  func terminal() throws {
    let chown = "sudo chown -R 65532:65532 \(sandbox.hubData)"
    for arguments in [["follow", TwoUsers.science], ["rule", "add", "block", "--contains", "x"], ["poll"]] {
      expectOwner(try run("metube-rss", arguments + ["--home", sandbox.hubData]), chown, arguments)
    }
    mkdir(sandbox.hubData + "/log", 0o700)
    expectOwner(try run("metube-rss", ["list", "--home", sandbox.hubData]), chown, ["list"])
  }

  @Test("A folder that is missing is to be made for this user; nothing above it changes its owner")
  func missing() throws {
    let folder = sandbox.hubData + "/new home"
    let make = "sudo install -d -o 65532 -g 65532 -m 700 '\(folder)'"
    expectOwner(try run("metube-hub", ["user", "add", "ann", "--data", folder]), make, ["user", "add"])
    expectOwner(try run("metube-rss", ["follow", TwoUsers.science, "--home", folder]), make, ["follow"])
  }

  @Test("What root made inside this user's folder is named, not the folder")
  func mixed() throws {
    chown(sandbox.hubData, 65_532, 65_532)
    mkdir(sandbox.hubData + "/log", 0o755)
    let arguments = ["follow", TwoUsers.science, "--home", sandbox.hubData]
    expectOwner(try run("metube-rss", arguments), "sudo chown -R 65532:65532 \(sandbox.hubData)/log", arguments)
  }
}
