import Arguments
import Glibc
import Platform
import ServiceLifecycle

/// Ends the process if its services do not end in time after SIGTERM or Ctrl-C: a thread that waits for a database or a
/// disk cannot be interrupted. What was acknowledged is stored by then; claims of feeds come back to other pollers.
struct ShutdownLimit: Service {
  /// How long the services may take, seconds.
  let seconds: Int
  /// Closes what clients keep open: called after two thirds of the time, 8 s at most.
  var closeConnections: @Sendable () -> Void = {}

  /// systemd waits for 30 s; the units say so too.
  static let standard = 12

  func run() async throws {
    // If it is cancelled, the process ends too.
    try? await gracefulShutdown()
    ServiceNotifier.current.stopping()
    Task.detached { [seconds, closeConnections] in
      // What a client has not read or sent by then would hold up everybody's end.
      let open = min(8, seconds - seconds / 3)
      try await Task.sleep(for: .seconds(open))
      closeConnections()
      try await Task.sleep(for: .seconds(seconds - open))
      Program.report("ended \(seconds) s after the signal, although something still waits for the database or a file")
      Program.flush()
      _exit(ExitStatus.temporaryFailure.rawValue)
    }
  }
}
