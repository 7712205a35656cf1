import Glibc

/// A child process, started without a shell. The only code that starts processes and waits for them.
package struct ChildProcess {
  /// The program, looked up in PATH, and its arguments.
  package let arguments: [String]
  /// The complete environment.
  package let environment: [String: String]

  package init(arguments: [String], environment: [String: String]) {
    (self.arguments, self.environment) = (arguments, environment)
  }

  /// How the child process ended.
  package enum Ending: Equatable {
    case exited(Int32)
    /// Killed by a signal that we did not send.
    case killed(signal: Int32)
    /// Terminated when its time limit expired.
    case timedOut
    /// Terminated because the user interrupted us.
    case interrupted
    /// Terminated because it wrote more than this many bytes.
    case wroteTooMuch(limit: Int)
    /// It could not be started; holds the `errno`.
    case notStarted(Int32)

    /// What went wrong, as text; nil if it exited with status 0.
    package var complaint: String? {
      switch self {
      case .exited(0): nil
      case .exited(let status): "exited with status \(status)"
      case .killed(let signal): "was killed by signal \(signal)"
      case .timedOut: "timed out"
      case .interrupted: "was interrupted"
      case .wroteTooMuch(let limit): "wrote more than \(limit >> 20) MiB"
      case .notStarted(let problem): String(cString: strerror(problem))
      }
    }
  }

  /// Runs it with these descriptors as its standard streams until it exits, the time limit expires, an `interrupt`
  /// arrives or `isTooMuch` gives a reason to end it.
  ///
  /// It has its own process group, which is terminated as a whole: SIGTERM first, two seconds later SIGKILL.
  package func run(
    input: Int32, output: Int32, errors: Int32 = STDERR_FILENO, within seconds: Int, interrupt: Interrupt?,
    endedBy isTooMuch: () -> Ending? = { nil }
  ) -> Ending {
    let process: pid_t
    let descriptors = [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO)]
    switch start(descriptors, flags: POSIX_SPAWN_SETPGROUP) {
    case .success(let started): process = started
    case .failure(let problem): return .notStarted(problem.code)
    }
    let end = Clock.steady() + seconds * 1000
    while true {
      if let ending = isTooMuch() {
        ChildProcess.endGroup(of: process)
        return ending
      }
      if let ending = ChildProcess.ending(of: process) { return ending }
      let isInterrupted = interrupt?.isSignalled() ?? false
      if isInterrupted || Clock.steady() >= end {
        ChildProcess.endGroup(of: process)
        return isInterrupted ? .interrupted : .timedOut
      }
      usleep(10_000)
    }
  }

  private static func endGroup(of process: pid_t) {
    kill(-process, SIGTERM)
    let end = Clock.steady() + 2000
    while Clock.steady() < end {
      if ending(of: process) != nil { return }
      usleep(10_000)
    }
    kill(-process, SIGKILL)
    _ = wait(for: process)  // The result is known: it was killed.
  }

  /// A failure to start: an `errno`.
  package struct Problem: Error { package let code: Int32 }

  /// Starts it with some of our descriptors under the given numbers, and returns without waiting. Without flags it
  /// stays in our process group, so that it can use the terminal. `posix_spawnp`.
  package func start(_ descriptors: [(ours: Int32, theirs: Int32)], flags: Int32 = 0) -> Result<pid_t, Problem> {
    guard let program = arguments.first else { return .failure(Problem(code: EINVAL)) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (ours, theirs) in descriptors { posix_spawn_file_actions_adddup2(&actions, ours, theirs) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Children inherit ignored signals; restore the default.
    var usual = sigset_t()
    sigemptyset(&usual)
    for signal in [SIGINT, SIGPIPE, SIGXFSZ] { sigaddset(&usual, signal) }
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | flags))
    var process = pid_t()
    let problem = CStrings.with(arguments) { vector in
      CStrings.with(environment.map { "\($0)=\($1)" }) {
        posix_spawnp(&process, program, &actions, &attributes, vector, $0)
      }
    }
    return problem == 0 ? .success(process) : .failure(Problem(code: problem))
  }

  /// How a process ended; nil if it is still running. `waitpid`.
  package static func ending(of process: pid_t) -> Ending? { ending(of: process, options: WNOHANG) }

  /// Waits until a process ends. `waitpid`.
  package static func wait(for process: pid_t) -> Ending { ending(of: process, options: 0) ?? .notStarted(ECHILD) }

  private static func ending(of process: pid_t, options: Int32) -> Ending? {
    var status: Int32 = 0
    var ended = waitpid(process, &status, options)
    while ended < 0, errno == EINTR { ended = waitpid(process, &status, options) }
    if ended < 0 { return .notStarted(errno) }
    let signal = status & 0x7f
    return ended == 0 ? nil : signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: signal)
  }
}

extension ChildProcess {
  /// Its standard output, up to 1 MiB; nil if it cannot be started or fails.
  package func captured(within seconds: Int) -> String? {
    guard let scratch = ScratchFile(holding: []) else { return nil }
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard nothing >= 0 else { return nil }
    defer { close(nothing) }
    guard run(input: nothing, output: scratch.descriptor, within: seconds, interrupt: nil) == .exited(0) else {
      return nil
    }
    return String(decoding: scratch.bytes(limit: 1 << 20), as: UTF8.self)
  }
}

extension ChildProcess {
  /// What it wrote until it ended.
  package struct Capture {
    package let ending: Ending
    package let output: [UInt8]
    package let errors: [UInt8]
  }

  /// Runs it without input and returns what it wrote to standard output and to standard error; one that writes more than
  /// `limit` bytes to either is terminated.
  package func captured(within seconds: Int, limit: Int, interrupt: Interrupt?) -> Capture {
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(nothing) }
    guard nothing >= 0, let output = Drain(limit: limit), let errors = Drain(limit: limit) else {
      return Capture(ending: .notStarted(errno), output: [], errors: [])
    }
    func isTooMuch() -> Ending? {
      let areFull = (output.isFull(), errors.isFull())
      return areFull.0 || areFull.1 ? .wroteTooMuch(limit: limit) : nil
    }
    let ending = run(
      input: nothing, output: output.writing, errors: errors.writing, within: seconds, interrupt: interrupt,
      endedBy: isTooMuch)
    // What it wrote last.
    let excess = isTooMuch()
    return Capture(ending: excess ?? ending, output: output.bytes, errors: errors.bytes)
  }
}

/// The reading end of a pipe to a child process.
private final class Drain {
  /// The child's end.
  let writing: Int32
  private let reading: Int32
  private let limit: Int
  private(set) var bytes: [UInt8] = []

  /// Nil on failure. `pipe`.
  init?(limit: Int) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    (reading, writing, self.limit) = (ends[0], ends[1], limit)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }  // Neither call fails on an open descriptor.
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Takes what was written so far; returns whether it exceeds the limit.
  func isFull() -> Bool {
    var piece = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit, case let count = read(reading, &piece, piece.count), count > 0 {
      bytes += piece[..<count]
    }
    return bytes.count > limit
  }
}

/// String arrays for C.
private enum CStrings {
  /// Calls `body` with a null-terminated array of C strings. `strdup`, `free`.
  static func with<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    let pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
    defer { pointers.forEach { free($0) } }
    return pointers.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { preconditionFailure("the array ends with a null") }
      return body(base)
    }
  }
}
