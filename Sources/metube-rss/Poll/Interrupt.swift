import Glibc

/// Ctrl-C and SIGTERM, turned into a descriptor that becomes readable, so that the poll can finish what is in hand.
struct Interrupt {
  /// Readable once a signal came.
  var descriptor: Int32 { interruptPipe.reading }

  /// Catches the signals for the rest of the process. Each is caught once: a second Ctrl-C ends the process at once. One
  /// that is ignored, as SIGHUP is under nohup, stays so.
  init() {
    // Made before a handler can need it. Without it a signal ends the process as ever, which loses nothing kept.
    guard interruptPipe.reading >= 0 else { return }
    for number in [SIGINT, SIGTERM, SIGHUP] where !Interrupt.isIgnored(number) {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in
        let problem = errno
        var byte: UInt8 = 0
        _ = write(interruptPipe.writing, &byte, 1)
        errno = problem
      }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
      sigaction(number, &action, nil)
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // Functions cannot be compared in Swift; `SIG_IGN` is an address that no function has.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Whether a signal came since the last time this was asked.
  func hasCome() -> Bool {
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1) == 1
  }
}

/// The two ends of the pipe that the signal handler writes to; a handler can reach nothing but a global.
private let interruptPipe: (reading: Int32, writing: Int32) = {
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { return (-1, -1) }
  for end in ends {  // Neither fails on a descriptor that is open.
    _ = fcntl(end, F_SETFL, O_NONBLOCK)
    _ = fcntl(end, F_SETFD, FD_CLOEXEC)
  }
  return (ends[0], ends[1])
}()
