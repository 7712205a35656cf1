import ArgumentParser
import HubCore
import Platform

/// How long a process waits when it starts and when it ends.
struct TimeoutOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "At the start, try for this long to reach a database that does not answer [60].", valueName: "seconds"))
  var wait: Int?
  @Option(
    name: .long,
    help: ArgumentHelp("How long the process may take to end.", valueName: "seconds", visibility: .hidden))
  var end = ShutdownLimit.standard

  func validate() throws {
    if let wait, !TimeoutOptions.waits.contains(wait) {
      throw ValidationError("--wait takes 0 to \(TimeoutOptions.waits.upperBound) seconds")
    }
  }

  private static let waits = 0...3600

  /// How long to wait for the database, by the option, else the setting; a command that only does what it can now does
  /// not wait.
  func start(_ settings: HubSettings, isOnce: Bool = false) throws -> DatabaseWait {
    let seconds = try wait ?? settings.value("WAIT") ?? (isOnce ? 0 : 60)
    guard TimeoutOptions.waits.contains(seconds) else {
      throw Failure(.usage, "METUBE_HUB_WAIT: takes 0 to \(TimeoutOptions.waits.upperBound) seconds")
    }
    return DatabaseWait(seconds: seconds)
  }
}
