import ArgumentParser
import Core

extension FeedForm: ExpressibleByArgument {}

/// `channel`: what a person chooses for one channel.
struct ChannelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "channel", abstract: "Choose things for a channel.",
    discussion: """
      Examples:
        metube-rss channel set 'In a Nutshell' --feed videos
      """,
    subcommands: [ChannelSetCommand.self])
}

/// `channel set`: its title, tags and feed.
struct ChannelSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Choose a channel's title, tags and the feed it is polled by.",
    discussion: """
      A feed holds the 15 newest entries. Of a channel that floods it with Shorts
      or streams, ask for one sort only: videos (long ones), shorts or live;
      uploads and channel hold all. Where YouTube has no such list, the channel's
      own feed is read.

      Examples:
        metube-rss channel set 'In a Nutshell' --feed videos
        metube-rss channel set 'In a Nutshell' --title Kurzgesagt --tag science
        metube-rss channel set Kurzgesagt --title ''
      """)
  @OptionGroup var common: CommonOptions
  @Option(name: .long, help: "The feed to poll: channel, uploads, videos, shorts or live.")
  var feed: FeedForm?
  @Option(name: .long, help: "The title to show; empty to show the channel's own.")
  var title: String?
  @Option(name: .long, help: "A tag to add; may be given several times.")
  var tag: [String] = []
  @Option(name: .long, help: "A tag to take away; may be given several times.")
  var untag: [String] = []
  @Argument(help: ArgumentHelp("The channel, by id, address or title.", valueName: "channel"))
  var channel: String

  func validate() throws {
    if feed == nil, title == nil, tag.isEmpty, untag.isEmpty {
      throw ValidationError("say what to choose: --feed, --title, --tag or --untag")
    }
    if feed == .playlist { throw ValidationError("--feed takes channel, uploads, videos, shorts or live") }
  }

  func run() throws {
    let session = try Session(common)
    let id = try ChannelNames(session.state).resolve(ArgumentShield.unguarded(channel))
    if feed != nil, id.channel == nil { throw Failure(.usage, "\(channel): a playlist has one feed only") }
    let events = try session.commit { state in
      guard let channel = state.channels[id] else { return [] }
      let change = change(of: channel)
      return change.isDecision ? [.channelChanged(change)] : []
    }
    var output = Output()
    let title = DisplayText(session.state.channels[id]?.title ?? "").text
    output.write(events.isEmpty ? "\(title): already so\n" : "\(title): changed\n")
    try output.finish()
  }

  private func change(of channel: Channel) -> ChannelChanged {
    var change = ChannelChanged(subscription: channel.id)
    if let feed, feed != channel.feed { change.feed = feed }
    if let title, title != channel.chosenTitle ?? "" { change.title = title }
    let added = tag.filter { !channel.tags.contains($0) }
    let tags = (channel.tags + added).filter { !untag.contains($0) }
    if tags != channel.tags { change.tags = tags }
    return change
  }
}
