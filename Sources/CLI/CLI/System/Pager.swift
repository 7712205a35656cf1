import App
import Arguments
import Glibc
import Platform

/// The pager for terminal output: `METUBE_RSS_PAGER`, else `PAGER`, else less.
///
/// Used if a person sits at the terminal, as git does, and on request by `--pager` or `METUBE_RSS_PAGER`; never for a
/// pipe or a file, nor with `--no-pager`.
///
/// It receives the complete output as a file, so that nothing is lost if the pager fails.
struct Pager {
  private let child: ChildProcess
  private let scratch: ScratchFile
  /// A duplicate of the original standard output.
  private let terminal: Int32
  /// Whether the user asked for a pager, so that a missing one is reported.
  private let isRequested: Bool

  /// Redirects standard output to the pager; nil if none is wanted.
  init?(_ options: PagerOptions, _ common: CommonOptions) throws {
    guard options.pager != false, Output.isTerminal else { return nil }
    var environment = Environment.withoutSecrets()
    let home = try Home(folder: common.home, environment: environment)
    let setting = try Settings(environment: environment, file: home.settings)["PAGER"]
    isRequested = options.pager == true || setting != nil
    guard isRequested || isatty(STDIN_FILENO) == 1 && !["", "dumb"].contains(environment["TERM"] ?? "") else {
      return nil
    }
    let line = setting ?? environment["PAGER"] ?? "less"
    guard let arguments = ShellWords.split(line, home: environment["HOME"]), !arguments.isEmpty else {
      if isRequested { StandardError.report("\(line): no pager, or an unclosed quote; showing the output without one") }
      return nil
    }
    // F: quit if the output fits one screen. R: pass colours through. X: do not clear the screen.
    if environment["LESS"] == nil { environment["LESS"] = "FRX" }
    // What the program writes is UTF-8, whatever the locale says.
    if environment["LESSCHARSET"] == nil { environment["LESSCHARSET"] = "utf-8" }
    guard let scratch = ScratchFile(holding: []) else {
      StandardError.report("no space for a temporary file in \(ScratchFile.folder); showing the output without a pager")
      return nil
    }
    terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard terminal >= 0 else { return nil }
    _ = Output.columns  // Cache the width while standard output is still the terminal.
    dup2(scratch.descriptor, STDOUT_FILENO)
    self.scratch = scratch
    child = ChildProcess(arguments: arguments, environment: environment)
  }

  /// Runs the pager on the output and waits for it; if it fails, writes the output to the terminal.
  func finish() {
    dup2(terminal, STDOUT_FILENO)
    close(terminal)
    guard lseek(scratch.descriptor, 0, SEEK_END) > 0 else { return }
    lseek(scratch.descriptor, 0, SEEK_SET)
    // Ctrl-C is for the pager.
    signal(SIGINT, SIG_IGN)
    let ending: ChildProcess.Ending
    switch child.start([(scratch.descriptor, STDIN_FILENO)]) {
    case .failure(let problem): ending = .notStarted(problem.code)
    case .success(let process): ending = ChildProcess.wait(for: process)
    }
    guard let reason = ending.complaint else { return }
    if isRequested {
      StandardError.report(
        "\(child.arguments[0]): \(reason); showing the output without a pager; check METUBE_RSS_PAGER")
    }
    show()
  }

  private func show() {
    var output = Output()
    var chunk = [UInt8](repeating: 0, count: 65_536)
    var offset = 0
    while !output.isBroken {
      let count = pread(scratch.descriptor, &chunk, chunk.count, offset)
      guard count > 0 else { break }
      output.write(Array(chunk[..<count]))
      offset += count
    }
    _ = output.end()  // If the terminal is gone, a message cannot be read.
  }
}
