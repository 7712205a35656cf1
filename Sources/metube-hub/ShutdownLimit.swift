import Commands
import Glibc
import ServiceLifecycle

/// Ends the process if its services do not end in time after SIGTERM or Ctrl-C: a thread that waits for a database or a
/// disk cannot be interrupted. What was acknowledged is stored by then; claims of feeds come back to other pollers.
struct ShutdownLimit: Service {
  /// How long the services may take, seconds.
  let seconds: Int

  /// systemd waits for 30 s; the units say so too.
  static let standard = 12

  func run() async throws {
    // Cancelled, the process ends too.
    try? await gracefulShutdown()
    Task.detached { [seconds] in
      try await Task.sleep(for: .seconds(seconds))
      Program.report("ended \(seconds) s after the signal, although something still waits for the database or a file")
      Program.flush()
      _exit(ExitStatus.temporaryFailure.rawValue)
    }
  }
}
