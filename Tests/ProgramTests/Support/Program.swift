import Glibc
import Testing

/// The built program, or another, run as a user or a script runs it.
struct Program {
  /// The path of the program: ours next to the test bundle, in `.build/<configuration>`.
  var path = Files.folderOfTests + "/metube-rss"

  /// The destination of standard output.
  enum Output {
    /// Kept for inspection.
    case captured
    /// An existing file, such as `/dev/full`.
    case file(String)
    /// A pipe with a closed reader, as in `metube-rss list | head -1`.
    case closedPipe
    /// A terminal of this width.
    case terminal(columns: UInt16)
  }

  /// The result of a run.
  struct Outcome {
    /// The exit status; nil if a signal ended it.
    var status: Int32?
    var output: [UInt8]
    var errors: String

    /// Standard output as text.
    var text: String { String(decoding: output, as: UTF8.self) }
    /// The lines of standard output.
    var lines: [String] { text.split(separator: "\n").map(String.init) }
  }

  /// The program's complete environment; nothing is inherited from the test.
  var environment: [String: String]

  /// Runs it to its end. With `isInteractive` its input is the terminal too.
  func run(
    _ arguments: [String], input: [UInt8] = [], output: Output = .captured, isInteractive: Bool = false
  ) throws -> Outcome {
    try start(arguments, input: input, output: output, isInteractive: isInteractive).finish()
  }

  /// Starts it without waiting.
  func start(
    _ arguments: [String], input: [UInt8] = [], output: Output = .captured, isInteractive: Bool = false
  ) throws -> Running {
    let (input, errors) = (try Scratch(holding: input), try Scratch(holding: []))
    let sink = try Sink(output)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let reading = isInteractive ? sink.writing : input.descriptor
    for (number, descriptor) in [reading, sink.writing, errors.descriptor].enumerated() {
      posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
    }
    // Other tests run concurrently: none of their descriptors may leak in.
    for descriptor in 3..<Int32(200) { posix_spawn_file_actions_addclose(&actions, descriptor) }
    // Nor may a signal be blocked, as it is in the test threads.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // In the background of a script these signals are ignored, by every descendant too.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGQUIT, SIGHUP] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let variables = environment.map { "\($0)=\($1)" }
    var process = pid_t()
    let code = withStrings([path] + arguments) { arguments in
      withStrings(variables) { posix_spawn(&process, path, &actions, &attributes, arguments, $0) }
    }
    try #require(code == 0, "\(path): \(String(cString: strerror(code)))")
    return Running(process: process, sink: sink, errors: errors)
  }

  /// Passes texts to C as a null-terminated array of strings.
  private func withStrings<Result>(
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

/// A running program.
struct Running {
  let process: pid_t
  /// Where its output goes.
  let sink: Sink
  private let errors: Scratch

  init(process: pid_t, sink: Sink, errors: Scratch) {
    (self.process, self.sink, self.errors) = (process, sink, errors)
  }

  /// What it has written to standard error so far.
  var reported: String { get throws { String(decoding: try errors.bytes(), as: UTF8.self) } }

  /// Sends it a signal.
  func signal(_ number: Int32) { kill(process, number) }

  /// Whether it has ended; `finish()` still returns its outcome.
  var hasEnded: Bool {
    var information = siginfo_t()
    return waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT) == 0
      && information._sifields._sigchld.si_pid == process
  }

  /// Waits for its end; after five minutes, more than a busy machine needs, kills it and fails the test.
  func finish() throws -> Program.Outcome {
    let deadline = ContinuousClock.now + .seconds(300)
    var status: Int32 = 0
    while waitpid(process, &status, WNOHANG) == 0 {
      sink.drain()
      if ContinuousClock.now >= deadline {
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
        Issue.record("still running after five minutes")
        break
      }
      usleep(1_000)
    }
    // The macros WIFEXITED and WEXITSTATUS, which Swift cannot import.
    let code = status & 0x7f == 0 ? status >> 8 & 0xff : nil
    return Program.Outcome(
      status: code, output: sink.bytes(), errors: String(decoding: try errors.bytes(), as: UTF8.self))
  }
}
