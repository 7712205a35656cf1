import App
import ArgumentParser
import Core

extension VideoQuery.Visibility: ExpressibleByArgument {}
extension VideoPlatform: ExpressibleByArgument {}
extension MediaKind: ExpressibleByArgument {}

/// The filters that select videos for a command.
package struct FilterOptions: ParsableArguments {
  @Option(
    text: "Only this channel, by ID, address, handle or title; repeatable: any of them.", value: "channel",
    completion: Completion.channels)
  package var channel: [String] = []
  @Option(text: "Only channels with this tag; repeatable: any of them.", completion: Completion.tags)
  package var tag: [String] = []
  @Option(
    name: .customLong("search"), text: "Only with every word in the title, channel or description; repeatable.",
    value: "words")
  package var searches: [String] = []
  @Option(text: "Only published since: 3d, 12h, 2026-11-01.", value: "time") package var since: String?
  @Option(text: "Only published before: 3d, 12h, 2026-11-01.", value: "time") package var until: String?
  @Option(help: "Shorts: hide, show or only (default: as set by channel set, else hide).")
  package var shorts: VideoQuery.Visibility?
  @Option(help: "Known upcoming videos: hide, show or only (default: hide).") package var upcoming:
    VideoQuery.Visibility?
  @Flag(help: "Only saved videos, including Shorts and videos hidden by rules.") package var saved = false
  @Flag(help: "Only videos that you began, the last played first; watched ones only with --status.")
  package var started = false
  @Flag(help: "Only known streams and premieres, live or over; upcoming ones with --upcoming show.") package var live =
    false
  @Option(text: "Only with a known length of at least: 90s, 10m, 1:30:00.", value: "length") package var minDuration:
    String?
  @Option(text: "Only with a known length of at most: 10m.", value: "length") package var maxDuration: String?

  @Flag(help: "Show videos hidden by rules.") package var noRules = false
  @Option(help: "Only from this platform: youtube, podcast, peertube, vimeo, …; web is the rest.")
  package var platform: VideoPlatform?
  @Option(help: "Only this kind: video, audio or article; repeatable.") package var kind: [MediaKind] = []

  package init() {}

  /// The filter that the options describe.
  package var filter: VideoFilter {
    VideoFilter(
      channel: channel, tag: tag, search: searches.isEmpty ? nil : searches.joined(separator: " "), since: since,
      until: until, shorts: shorts, upcoming: upcoming, saved: saved, started: started, live: live,
      minDuration: minDuration, maxDuration: maxDuration, noRules: noRules, platform: platform, kind: Set(kind))
  }
}

extension Status: ExpressibleByArgument {}

/// Which statuses to include.
package struct StatusOptions: ParsableArguments {
  @Option(help: "Only this status: new, watched, skipped or snoozed; repeatable.") var status: [Status] = []
  @Flag(help: "Short for --status new.") var unwatched = false
  @Flag(help: "Short for --status watched.") var watched = false
  @Flag(help: "Short for --status skipped.") var skipped = false
  @Flag(help: "Short for --status snoozed.") var snoozed = false

  package init() {}

  /// The statuses given by `--status` or a shorthand; empty if none.
  package var given: Set<Status> {
    let short: [(isGiven: Bool, status: Status)] = [
      (unwatched, .new), (watched, .watched), (skipped, .skipped), (snoozed, .snoozed),
    ]
    return Set(status).union(short.filter(\.isGiven).map(\.status))
  }
}

/// The value of `--limit`: the most rows a command shows or writes.
package struct Limit: ExpressibleByArgument, ExpressibleByIntegerLiteral {
  /// The number of rows; 0 is all.
  package let count: Int

  /// A command's default limit, 0 or more.
  package init(integerLiteral count: Int) { self.count = count }

  /// The limit as typed; nil if it is not a number or is negative.
  package init?(argument: String) {
    guard let count = Int(argument), count >= 0 else { return nil }
    self.count = count
  }

  /// The default limit as shown in help.
  package var defaultValueDescription: String { String(count) }
}
