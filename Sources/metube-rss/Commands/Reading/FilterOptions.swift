import ArgumentParser
import Core

extension VideoQuery.Visibility: ExpressibleByArgument {}

/// The filters that select videos for a command.
struct FilterOptions: ParsableArguments {
  @Option(
    name: .long, help: ArgumentHelp("Only this channel, by ID, address, handle or title.", valueName: "channel"),
    completion: Completion.channels, transform: ArgumentShield.unguarded)
  var channel: [String] = []
  @Option(
    name: .long, help: "Only channels with this tag.", completion: Completion.tags, transform: ArgumentShield.unguarded)
  var tag: [String] = []
  @Option(
    name: .long,
    help: ArgumentHelp("Only with every word in the title, channel or description.", valueName: "words"),
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
    name: .long, help: "Shorts: hide, show or only (default: as set by channel set, else hide).")
  var shorts: VideoQuery.Visibility?
  @Option(name: .long, help: "Known upcoming videos: hide, show or only (default: hide).")
  var upcoming: VideoQuery.Visibility?
  @Flag(name: .long, help: "Only saved videos, including Shorts and videos hidden by rules.")
  var saved = false
  @Flag(name: .long, help: "Only known streams and premieres, live or over; upcoming ones with --upcoming show.")
  var live = false
  @Option(
    name: .long, help: ArgumentHelp("Only with a known length of at least: 90s, 10m, 1:30:00.", valueName: "length"),
    transform: ArgumentShield.unguarded)
  var minDuration: String?
  @Option(
    name: .long, help: ArgumentHelp("Only with a known length of at most: 10m.", valueName: "length"),
    transform: ArgumentShield.unguarded)
  var maxDuration: String?

  @Flag(name: .long, help: "Show videos hidden by rules.")
  var noRules = false

  /// Whether any filter was given.
  var isGiven: Bool {
    !channel.isEmpty || !tag.isEmpty || search != nil || since != nil || until != nil || shorts != nil
      || upcoming != nil || noRules || saved || live || minDuration != nil || maxDuration != nil
  }
}
