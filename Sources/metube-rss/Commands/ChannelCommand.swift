import ArgumentParser
import Core

extension FeedForm: ExpressibleByArgument {}
extension Listing: ExpressibleByArgument {}
extension ListOrder: ExpressibleByArgument {}

/// `channel`: what a person chooses for one channel.
struct ChannelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "channel", abstract: "Choose things for a channel.",
    discussion: """
      Examples:
        metube-rss channel set 'In a Nutshell' --feed videos
        metube-rss channel set NASA --live hide
      """,
    subcommands: [ChannelSetCommand.self])
}

/// `channel set`: its title, its tags, its feed, and how it is listed.
struct ChannelSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Choose a channel's title, tags, feed, and what of it is listed.",
    discussion: """
      A feed holds the 15 newest entries. Of a channel that floods it with Shorts
      or streams, ask for one sort only: videos (long ones), shorts or live;
      uploads and channel hold all. Where YouTube has no such list, the channel's
      own feed is read.

      Shorts are hidden and streams shown unless you choose otherwise here; list's
      own --shorts and --live have the last word. --order oldest is for a series:
      list --channel begins with its oldest.

      Examples:
        metube-rss channel set 'In a Nutshell' --feed videos
        metube-rss channel set 'In a Nutshell' --title Kurzgesagt --tag science
        metube-rss channel set Kurzgesagt --title ''
        metube-rss channel set NASA --shorts show --live hide --order oldest
      """)
  @OptionGroup var common: CommonOptions
  @Option(name: .long, help: "The feed to poll: channel, uploads, videos, shorts or live.")
  var feed: FeedForm?
  @Option(name: .long, help: "Whether its Shorts are listed: show or hide.")
  var shorts: Listing?
  @Option(name: .long, help: "Whether its streams and premieres are listed, where proven to be such: show or hide.")
  var live: Listing?
  @Option(name: .long, help: "In which order list --channel shows it: newest or oldest first.")
  var order: ListOrder?
  @Option(name: .long, help: "The title to show; empty to show the channel's own.", transform: ArgumentShield.unguarded)
  var title: String?
  @Option(
    name: .long, help: "A tag to add; may be given several times.", completion: Completion.tags,
    transform: ArgumentShield.unguarded)
  var tag: [String] = []
  @Option(
    name: .long, help: "A tag to take away; may be given several times.", completion: Completion.tags,
    transform: ArgumentShield.unguarded)
  var untag: [String] = []
  @Argument(
    help: ArgumentHelp("The channel, by id, address, handle or title.", valueName: "channel"),
    completion: Completion.channels,
    transform: ArgumentShield.unguarded)
  var channel: String

  func validate() throws {
    if feed == nil, shorts == nil, live == nil, order == nil, title == nil, tag.isEmpty, untag.isEmpty {
      throw ValidationError("say what to choose: --feed, --shorts, --live, --order, --title, --tag or --untag")
    }
    if feed == .playlist { throw ValidationError("--feed takes channel, uploads, videos, shorts or live") }
  }

  func run() throws {
    let session = try Session(common)
    let id = try ChannelNames(session.state, alsoUnfollowed: false).resolve(channel)
    let wanted = try ChannelSetCommand.names(in: self, session.state)
    if feed != nil, id.channel == nil { throw Failure(.usage, "\(channel): a playlist has one feed only") }
    let events = try session.commit { state in
      guard let channel = state.channels[id] else { return [] }
      let change = change(of: channel, wanted)
      return change.isDecision ? [.channelChanged(change)] : []
    }
    var output = Output()
    let title = DisplayText(session.state.channels[id]?.title ?? "").text
    let words = events.first.flatMap { Words.outcome($0.body, in: session.state) }
    output.write("\(words ?? "\(title): already so")\n")
    try output.finish()
  }

  /// The names that were given, as they are to be kept.
  private struct Names {
    var title: String?
    var tags: [String]
    var untags: [String]
  }

  private static func names(in options: ChannelSetCommand, _ state: State) throws -> Names {
    let known = TagNames(state)
    return Names(
      title: try options.title.map { $0.isEmpty ? "" : try GivenName($0, of: "channel").text },
      tags: try options.tag.map(known.given), untags: try options.untag.flatMap(known.resolve))
  }

  private func change(of channel: Channel, _ wanted: Names) -> ChannelChanged {
    var change = ChannelChanged(subscription: channel.id)
    if let feed, feed != channel.feed { change.feed = feed }
    if let shorts, shorts != channel.shorts { change.shorts = shorts }
    if let live, live != channel.live { change.live = live }
    if let order, order != channel.order { change.order = order }
    if let title = wanted.title, title != channel.chosenTitle ?? "" { change.title = title }
    let added = wanted.tags.filter { !channel.tags.contains($0) }
    let tags = (channel.tags + added).filter { !wanted.untags.contains($0) }
    if tags != channel.tags { change.tags = tags }
    return change
  }
}
