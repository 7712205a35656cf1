import ArgumentParser
import Core

/// The videos a command is about.
struct VideoArguments: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Videos by id, address or the number in the last table; - reads ids from standard input.", valueName: "video"),
    transform: ArgumentShield.unguarded)
  var videos: [String]
}

/// `watched`: marks videos watched.
struct WatchedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watched", abstract: "Mark videos watched.",
    discussion: """
      Examples:
        metube-rss watched 3 4             the numbers of the last list
        metube-rss watched dQw4w9WgXcQ
        metube-rss list --format ids | metube-rss watched -
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var arguments: VideoArguments

  func run() throws { try Marking(status: .watched, word: "watched").run(arguments.videos, common) }
}

/// `skip`: marks videos as not interesting.
struct SkipCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "skip", abstract: "Mark videos as not interesting, which is no claim to have seen them.",
    discussion: """
      Examples:
        metube-rss skip 7
        metube-rss skip https://youtu.be/dQw4w9WgXcQ
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var arguments: VideoArguments

  func run() throws { try Marking(status: .skipped, word: "skipped").run(arguments.videos, common) }
}

/// `unwatched`: makes videos new again.
struct UnwatchedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unwatched", abstract: "Make videos new again, whatever they were.",
    discussion: """
      Examples:
        metube-rss unwatched dQw4w9WgXcQ
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var arguments: VideoArguments

  func run() throws { try Marking(status: .new, word: "new again").run(arguments.videos, common) }
}

/// Gives videos a status and says how many changed.
struct Marking {
  let status: Status
  /// The status in a sentence: `3 videos watched`.
  let word: String

  /// Marks the videos named; those unknown are told and make the status 1.
  func run(_ names: [String], _ options: CommonOptions) throws {
    let session = try Session(options)
    let named = try VideoNames(names, in: session)
    let events = try session.commit { state in
      named.videos.filter { state.videos[$0]?.statusSet.status != status }.map {
        .statusSet(StatusSet(video: $0, status: status))
      }
    }
    try report(events, named, session)
    if named.hasUnknown { throw ExitStatus.inPart }
  }

  private func report(_ events: [Event], _ named: VideoNames, _ session: Session) throws {
    var output = Output()
    if named.usedNumbers || named.videos.count == 1 {
      for id in named.videos {
        output.write("\(word): \(DisplayText(session.state.videos[id]?.title ?? "").text)  \(id)\n")
      }
    }
    let unchanged = named.videos.count - events.count
    let already = unchanged > 0 ? "; \(unchanged) already so" : ""
    output.write("\(Words.count(events.count, "video")) \(word)\(already)\n")
    try output.finish()
  }
}
