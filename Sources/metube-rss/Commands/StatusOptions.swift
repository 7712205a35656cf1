import ArgumentParser
import Core

extension Status: ExpressibleByArgument {}

/// Of which statuses the videos are to be.
struct StatusOptions: ParsableArguments {
  @Option(name: .long, help: "Only this status: new, watched, skipped or snoozed; may be given several times.")
  var status: [Status] = []
  @Flag(name: .long, help: "Short for --status new.")
  var unwatched = false
  @Flag(name: .long, help: "Short for --status watched.")
  var watched = false
  @Flag(name: .long, help: "Short for --status skipped.")
  var skipped = false
  @Flag(name: .long, help: "Short for --status snoozed.")
  var snoozed = false

  /// The statuses that were given, in either way; empty where none was.
  var given: Set<Status> {
    let short: [(isGiven: Bool, status: Status)] = [
      (unwatched, .new), (watched, .watched), (skipped, .skipped), (snoozed, .snoozed),
    ]
    return Set(status).union(short.filter(\.isGiven).map(\.status))
  }
}
