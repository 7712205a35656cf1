import Glibc

/// The program through which a person on a terminal leafs: what `METUBE_RSS_PAGER` says, else `PAGER`, else less.
///
/// Only who asks gets one, by `--pager` or by setting `METUBE_RSS_PAGER`; a pipe or a file never.
///
/// It gets what there is to read as a file once all of it is there, so that nothing is lost with a pager that fails.
struct Pager {
  private let child: ChildProcess
  private let scratch: ScratchFile
  /// Where standard output went before.
  private let terminal: Int32

  /// Has standard output go to the pager that is wished for, from here on; nil where none is to be.
  init?(_ options: PagerOptions, _ common: CommonOptions) throws {
    guard options.pager != false, Output.isTerminal else { return nil }
    var environment = Environment.variables()
    let home = try Home(folder: common.home, environment: environment)
    let setting = try Settings(environment: environment, file: home.settings)["PAGER"]
    guard options.pager == true || setting != nil else { return nil }
    let line = setting ?? environment["PAGER"] ?? "less"
    guard let words = CommandWords.split(line, home: environment["HOME"]), !words.isEmpty else {
      Messages.tell("METUBE_RSS_PAGER: a quote is left open, or it is empty; this is shown without it")
      return nil
    }
    // Colours as they are, no leafing where one screen holds all, and the screen left as it was.
    if environment["LESS"] == nil { environment["LESS"] = "FRX" }
    guard let scratch = ScratchFile(holding: []) else {
      Messages.tell("no room for what a pager is to show; this is shown without one")
      return nil
    }
    terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    guard terminal >= 0 else { return nil }
    _ = Output.columns  // To be looked at while the terminal is still there.
    dup2(scratch.descriptor, STDOUT_FILENO)
    self.scratch = scratch
    child = ChildProcess(words: words, environment: environment)
  }

  /// Gives the pager what was written, and waits until the person has read it; where it fails, shows it without.
  func finish() {
    dup2(terminal, STDOUT_FILENO)
    close(terminal)
    guard lseek(scratch.descriptor, 0, SEEK_END) > 0 else { return }
    lseek(scratch.descriptor, 0, SEEK_SET)
    // Ctrl-C is for the pager.
    signal(SIGINT, SIG_IGN)
    guard let reason = failure() else { return }
    Messages.tell("\(child.words[0]): \(reason); this is shown without it, see METUBE_RSS_PAGER")
    show()
  }

  /// Why the pager did not show it; nil where it did.
  private func failure() -> String? {
    switch child.start(input: scratch.descriptor, output: STDOUT_FILENO) {
    case .failure(let problem): return String(cString: strerror(problem.code))
    case .success(let process):
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      if status & 0x7f != 0 { return "ended by signal \(status & 0x7f)" }
      let code = status >> 8 & 0xff
      return code == 0 ? nil : "it failed (\(code))"
    }
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
    _ = output.end()  // A terminal that is gone needs no message.
  }
}
