import NIOCore
import Platform
import ServiceLifecycle

/// Reports to the service manager that the process works, twice as often as it wants to hear it: only after each event
/// loop and the threads of tasks have run. A log or database that does not respond does not count: a restart would not
/// mend it.
struct WatchdogLoop: Service {
  /// The event loops that serve connections.
  let loops: any EventLoopGroup
  var notifier = ServiceNotifier.current

  func run() async throws {
    guard let interval = notifier.watchdog else {
      // The end of any service ends the program.
      try? await gracefulShutdown()
      return
    }
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        await report()
        // Cancelled, it is over.
        try? await Task.sleep(for: interval / 2)
      }
    }
  }

  /// Waits until each loop has run a task, then reports.
  func report() async {
    for loop in loops.makeIterator() {
      do { try await loop.submit {}.get() } catch { return }
    }
    notifier.isAlive()
  }
}
