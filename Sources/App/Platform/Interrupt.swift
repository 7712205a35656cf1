import Glibc
import Synchronization

/// Turns SIGINT, SIGTERM and SIGHUP into a readable descriptor, so that the poll can finish its current work.
package struct Interrupt {
  /// Readable once a signal arrived.
  package var descriptor: Int32 { interruptPipe.reading }
  /// The number of signals that had been reported when this was created.
  private let reportedBefore = reported.load(ordering: .relaxed)

  /// Catches the signals for the rest of the process. Each is caught once: a second Ctrl-C ends the process at once. A
  /// signal that is ignored, such as SIGHUP under nohup, stays ignored. `sigaction`.
  package init() {
    guard !isAdopted.load(ordering: .relaxed) else { return }
    // Create the count and the pipe before a handler needs them. Without a pipe a signal ends the process as usual and
    // loses no saved data.
    guard arrived.load(ordering: .relaxed) >= 0, interruptPipe.reading >= 0 else { return }
    for number in [SIGINT, SIGTERM, SIGHUP] where !Interrupt.isIgnored(number) {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { _ in
        let problem = errno
        arrived.add(1, ordering: .releasing)
        var byte: UInt8 = 0
        _ = write(interruptPipe.writing, &byte, 1)
        errno = problem
      }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND)) | SA_RESTART
      sigaction(number, &action, nil)
    }
  }

  /// Whether the process ignores a signal. `sigaction`.
  package static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // Swift cannot compare functions; `SIG_IGN` is an address that no function has.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Leaves signals to the process, which reports the end with `raise`.
  package static func adopt() { isAdopted.store(true, ordering: .relaxed) }

  /// Ends everything that looks for a signal, now and later: in a process that adopted the signals and ends.
  package static func raise() {
    isEnding.store(true, ordering: .releasing)
    var byte: UInt8 = 0
    _ = write(interruptPipe.writing, &byte, 1)
  }

  /// Whether a signal arrived, or the process ends. Once true it stays true, here and in all that were created before;
  /// what is created after a signal was reported waits for the next one.
  package func isSignalled() -> Bool {
    guard !isEnding.load(ordering: .acquiring) else { return true }
    // Before the count: the handler counts first, so that a signal after this makes the descriptor readable again.
    var byte: UInt8 = 0
    _ = read(descriptor, &byte, 1)
    let count = arrived.load(ordering: .acquiring)
    guard count > reportedBefore else { return false }
    reported.max(count, ordering: .relaxed)
    return true
  }
}

extension Interrupt {
  /// Waits this long; returns false at once on a signal. `poll`.
  package func waits(milliseconds: Int) -> Bool {
    if isSignalled() { return false }
    let end = Clock.steady() + milliseconds
    while case let left = end - Clock.steady(), left > 0 {
      var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&watched, 1, Int32(clamping: left))
      if isSignalled() { return false }
    }
    return true
  }
}

private let isAdopted = Atomic<Bool>(false)
/// Of the process; a byte in the pipe reaches only the first that looks.
private let isEnding = Atomic<Bool>(false)
/// The number of signals that the handler caught, and how many of them were reported.
private let arrived = Atomic<Int>(0)
private let reported = Atomic<Int>(0)

extension Interrupt {
  /// A pipe that neither end waits at and no child inherits; descriptors below 0 on failure. `pipe`.
  package static func pipe() -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return (-1, -1) }
    for end in ends {  // Neither call fails on an open descriptor.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    return (ends[0], ends[1])
  }
}

/// The pipe that the signal handler writes to; a handler can access only globals.
private let interruptPipe: (reading: Int32, writing: Int32) = Interrupt.pipe()
