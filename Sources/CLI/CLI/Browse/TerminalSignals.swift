import Glibc
import Platform

/// Signals to a full-screen program as bytes of a descriptor, so that it gives the terminal back before it stops or ends.
struct TerminalSignals {
  /// Readable once a signal arrived.
  var descriptor: Int32 { signalPipe.reading }

  /// Catches the signals from now on; those that are ignored, such as SIGHUP under nohup, stay ignored.
  init() {
    guard descriptor >= 0 else { return }
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH] { TerminalSignals.catch(number) }
  }

  /// `sigaction`
  private static func `catch`(_ number: Int32) {
    guard !Interrupt.isIgnored(number) else { return }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { number in
      let problem = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(signalPipe.writing, &byte, 1)
      errno = problem
    }
    action.sa_flags = SA_RESTART
    sigaction(number, &action, nil)
  }

  /// The signals that arrived since the last call.
  func arrived() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].map { Int32($0) } : []
  }

  /// Calls `body` while a stop signal stops the process, as while another program uses the terminal.
  static func whileStopping<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard !Interrupt.isIgnored(SIGTSTP) else { return try body() }
    signal(SIGTSTP, SIG_DFL)
    defer { TerminalSignals.catch(SIGTSTP) }
    return try body()
  }

  /// Ends the process as the uncaught signal would.
  static func end(by number: Int32) {
    signal(number, SIG_DFL)
    raise(number)
  }
}

/// The pipe that the signal handler writes to; a handler can access only globals.
private let signalPipe: (reading: Int32, writing: Int32) = Interrupt.pipe()
