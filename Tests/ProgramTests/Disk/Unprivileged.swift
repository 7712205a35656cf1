import Glibc
import TestSupport
import Testing

/// The program run as an unprivileged user, because root may do everything.
struct Unprivileged {
  private let program: Program
  private let prefix: [String]
  private static let options = ["--reuid=65534", "--regid=65534", "--clear-groups"]

  /// Whether tests can run without root's rights: root needs `setpriv` (util-linux) and a world-executable program.
  static let isPossible: Bool = {
    if geteuid() != 0 { return true }
    let setpriv = Program(path: "/usr/bin/setpriv", environment: [:])
    return (try? setpriv.run(options + [setpriv.ours, "--version"]).status) == 0
  }()

  /// The sandbox's program; if root runs the tests, the sandbox folder changes its owner to `nobody`.
  init(_ sandbox: Sandbox) throws {
    guard geteuid() == 0 else {
      (program, prefix) = (sandbox.program, [])
      return
    }
    program = Program(path: "/usr/bin/setpriv", environment: sandbox.environment)
    prefix = Unprivileged.options + [program.ours]
    let change = Program(path: "/bin/chown", environment: sandbox.environment)
    try #require(try change.run(["-R", "65534:65534", sandbox.folder.path]).status == 0)
  }

  /// Runs the program to its end.
  func run(_ arguments: [String]) throws -> Program.Outcome { try program.run(prefix + arguments) }
}

extension Program {
  /// The path of our own program, for one that starts it.
  fileprivate var ours: String { Program(environment: environment).path }
}
