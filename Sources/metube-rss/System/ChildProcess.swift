import Glibc

/// A child process, run to completion without a shell.
struct ChildProcess {
  /// The program, looked up in PATH, and its arguments.
  let words: [String]
  /// The complete environment.
  let environment: [String: String]

  /// How the child process ended.
  enum Ending: Equatable {
    case exited(Int32)
    /// Killed by a signal that we did not send.
    case killed(signal: Int32)
    /// Terminated when its time limit expired.
    case timedOut
    /// Terminated because the user interrupted us.
    case interrupted
    /// It could not be started; holds the `errno`.
    case notStarted(Int32)
  }

  /// Runs it with these descriptors as standard input and output, and our standard error, until it exits, the time
  /// limit expires or an `interrupt` arrives.
  ///
  /// It has its own process group, which is terminated as a whole: SIGTERM first, two seconds later SIGKILL.
  func run(input: Int32, output: Int32, within seconds: Int, interrupt: Interrupt?) -> Ending {
    var process = pid_t()
    let problem = spawn(&process, input, output, flags: POSIX_SPAWN_SETPGROUP)
    guard problem == 0 else { return .notStarted(problem) }
    let end = Clock.steady() + seconds * 1000
    var isInterrupted = false
    let ending = wait(for: process) {
      isInterrupted = interrupt?.isSignalled() ?? false
      return isInterrupted || Clock.steady() >= end
    }
    if let ending { return ending }
    endGroup(of: process)
    return isInterrupted ? .interrupted : .timedOut
  }

  private func endGroup(of process: pid_t) {
    kill(-process, SIGTERM)
    let end = Clock.steady() + 2000
    guard wait(for: process, until: { Clock.steady() >= end }) == nil else { return }
    kill(-process, SIGKILL)
    _ = wait(for: process) { false }  // The result is known: it was killed.
  }

  /// A failure to start: an `errno`.
  struct Problem: Error { let code: Int32 }

  /// Starts it in our own process group, so that it can use the terminal, and returns without waiting.
  func start(input: Int32, output: Int32) -> Result<pid_t, Problem> {
    var process = pid_t()
    let problem = spawn(&process, input, output, flags: 0)
    return problem == 0 ? .success(process) : .failure(Problem(code: problem))
  }

  /// `posix_spawnp`: returns 0 or an `errno`.
  private func spawn(_ process: inout pid_t, _ input: Int32, _ output: Int32, flags: Int32) -> Int32 {
    guard let program = words.first else { return EINVAL }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Children inherit ignored signals; restore the default.
    var usual = sigset_t()
    sigemptyset(&usual)
    sigaddset(&usual, SIGPIPE)
    sigaddset(&usual, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | flags))
    let variables = environment.map { "\($0)=\($1)" }
    return CStrings.with(words) { arguments in
      CStrings.with(variables) { posix_spawnp(&process, program, &actions, &attributes, arguments, $0) }
    }
  }

  /// Waits until it ends or `isEnough`; nil if it is still running. `waitpid`.
  private func wait(for process: pid_t, until isEnough: () -> Bool) -> Ending? {
    var status: Int32 = 0
    while true {
      let ended = waitpid(process, &status, WNOHANG)
      if ended == process {
        let signal = status & 0x7f
        return signal == 0 ? .exited(status >> 8 & 0xff) : .killed(signal: signal)
      }
      if ended < 0, errno != EINTR { return .notStarted(errno) }
      if isEnough() { return nil }
      usleep(10_000)
    }
  }
}

extension ChildProcess {
  /// Its standard output, up to 1 MiB; nil if it cannot be started or fails.
  func captured(within seconds: Int) -> String? {
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

/// An unlinked temporary file, freed when its last descriptor is closed.
final class ScratchFile {
  /// Open for reading and writing.
  let descriptor: Int32

  /// A file with these bytes, positioned at the start; nil on failure. `mkstemp`, `unlink`.
  init?(holding bytes: [UInt8]) {
    var template = Array("/tmp/metube-rss-XXXXXX".utf8CString)
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { return nil }
    unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    var output = Output(to: descriptor)
    output.write(bytes)
    guard output.end() == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Its first `limit` bytes.
  func bytes(limit: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = 0
      while count < limit {
        let got = pread(descriptor, buffer.baseAddress.map { $0 + count }, limit - count, count)
        guard got > 0 else { return }
        count += got
      }
    }
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
