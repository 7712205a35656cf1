import ArgumentParser
import Core

extension VideoQuery.Visibility: ExpressibleByArgument {}

/// Which videos a command is about.
struct FilterOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("Only this channel, by id, address, handle or title.", valueName: "channel"),
    completion: Completion.channels, transform: ArgumentShield.unguarded)
  var channel: [String] = []
  @Option(
    name: .long, help: "Only channels with this tag.", completion: Completion.tags, transform: ArgumentShield.unguarded)
  var tag: [String] = []
  @Option(
    name: .long,
    help: ArgumentHelp("Only where every word is in the title, channel or description.", valueName: "words"),
    transform: ArgumentShield.unguarded)
  var search: String?
  @Option(
    name: .long, help: ArgumentHelp("Only published since: 3d, 12h, 2026-11-01.", valueName: "time"),
    transform: ArgumentShield.unguarded)
  var since: String?
  @Option(
    name: .long, help: ArgumentHelp("Only published before: 3d, 12h, 2026-11-01.", valueName: "time"),
    transform: ArgumentShield.unguarded)
  var until: String?
  @Option(
    name: .long, help: "What to do with Shorts: hide, show or only; else what channel set says, which hides them.")
  var shorts: VideoQuery.Visibility?
  @Option(name: .long, help: "What to do with videos proven to be still to come: hide, show or only; else hide.")
  var upcoming: VideoQuery.Visibility?
  @Flag(name: .long, help: "Only videos put aside with save; of them all, Shorts and what rules hide too.")
  var saved = false
  @Flag(name: .long, help: "Only what is proven to be a stream or premiere, on or over; to come with --upcoming show.")
  var live = false
  @Option(
    name: .long, help: ArgumentHelp("Only known to last at least this: 90s, 10m, 1:30:00.", valueName: "length"),
    transform: ArgumentShield.unguarded)
  var minDuration: String?
  @Option(
    name: .long, help: ArgumentHelp("Only known to last at most this.", valueName: "length"),
    transform: ArgumentShield.unguarded)
  var maxDuration: String?

  @Flag(name: .long, help: "Show what rules hide.")
  var noRules = false

  /// Whether any filter was given.
  var isGiven: Bool {
    !channel.isEmpty || !tag.isEmpty || search != nil || since != nil || until != nil || shorts != nil
      || upcoming != nil || noRules || saved || live || minDuration != nil || maxDuration != nil
  }
}
