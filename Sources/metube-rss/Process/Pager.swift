import Glibc

/// The program through which a person on a terminal leafs: what `METUBE_RSS_PAGER` says, else `PAGER`, else less.
///
/// Only who asks gets one, by `--pager` or by setting `METUBE_RSS_PAGER`; a pipe or a file never.
struct Pager {
  private let process: pid_t

  /// Starts the pager that is wished for, and has standard output go to it from here on; nil where none is to be.
  init?(_ options: PagerOptions, _ common: CommonOptions) throws {
    guard options.pager != false, Output.isTerminal else { return nil }
    var environment = Environment.variables()
    let home = try Home(folder: common.home, environment: environment)
    let setting = try Settings(environment: environment, file: home.settings)["PAGER"]
    guard options.pager == true || setting != nil else { return nil }
    let line = setting ?? environment["PAGER"] ?? "less"
    guard let words = CommandWords.split(line, home: environment["HOME"]), !words.isEmpty else {
      throw Failure(.usage, "METUBE_RSS_PAGER: a quote is left open, or it is empty")
    }
    // Colours as they are, no leafing where one screen holds all, and the screen left as it was.
    if environment["LESS"] == nil { environment["LESS"] = "FRX" }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure(.disk, "no pipe: \(String(cString: strerror(errno)))") }
    // The pager is to see the end of what we write, so it must not hold the end we write to.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = Output.columns  // To be looked at while the terminal is still there.
    let child = ChildProcess(words: words, environment: environment)
    switch child.start(input: ends[0], output: STDOUT_FILENO) {
    case .success(let process): self.process = process
    case .failure(let problem):
      for end in ends { close(end) }
      throw Failure(.usage, "\(words[0]): \(String(cString: strerror(problem.code))); see METUBE_RSS_PAGER")
    }
    dup2(ends[1], STDOUT_FILENO)
    for end in ends { close(end) }
    // Ctrl-C is for the pager.
    signal(SIGINT, SIG_IGN)
  }

  /// Tells the pager that this was all, and waits until the person has read it.
  func finish() {
    close(STDOUT_FILENO)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }
}
