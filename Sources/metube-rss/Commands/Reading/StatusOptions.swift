import ArgumentParser
import Core

extension Status: ExpressibleByArgument {}

/// Which statuses to include.
struct StatusOptions: ParsableArguments {
  @Option(name: .long, help: "Only this status: new, watched, skipped or snoozed; repeatable.")
  var status: [Status] = []
  @Flag(name: .long, help: "Short for --status new.")
  var unwatched = false
  @Flag(name: .long, help: "Short for --status watched.")
  var watched = false
  @Flag(name: .long, help: "Short for --status skipped.")
  var skipped = false
  @Flag(name: .long, help: "Short for --status snoozed.")
  var snoozed = false

  /// The statuses given by `--status` or a shorthand; empty if none.
  var given: Set<Status> {
    let short: [(isGiven: Bool, status: Status)] = [
      (unwatched, .new), (watched, .watched), (skipped, .skipped), (snoozed, .snoozed),
    ]
    return Set(status).union(short.filter(\.isGiven).map(\.status))
  }
}
