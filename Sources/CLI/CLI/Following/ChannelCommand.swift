import App
import ArgumentParser
import Arguments
import Core
import Messages
import Platform

extension FeedForm: ExpressibleByArgument {
  /// Those to choose from: a playlist has only its own.
  package static var allValueStrings: [String] { allCases.filter { $0 != .playlist }.map(\.rawValue) }
}
extension ListVisibility: ExpressibleByArgument {}
extension ListOrder: ExpressibleByArgument {}

/// `channel`: the settings of one channel.
struct ChannelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "channel", abstract: "Change a channel's settings.",
    discussion: """
      Examples:
        metube-rss channel set 'In a Nutshell' --feed videos
        metube-rss channel set NASA --live hide
      """,
    subcommands: [ChannelSetCommand.self])
}

/// `channel set`: changes a channel's title, tags, feed and listing.
struct ChannelSetCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set a channel's title, tags, feed, and which of its videos are listed.",
    discussion: """
      A feed holds the 15 newest entries. If Shorts or streams crowd out a channel's
      other videos, poll a feed of one kind: videos (long ones), shorts or live;
      uploads and channel contain all kinds. If YouTube has no such feed, the
      channel's own feed is polled.

      By default Shorts are hidden and streams shown. The --shorts and --live options
      of list override these settings. Use --order oldest for a series: list
      --channel then starts with the oldest video.

      Examples:
        metube-rss channel set 'In a Nutshell' --feed videos
        metube-rss channel set 'In a Nutshell' --title Kurzgesagt --tag science
        metube-rss channel set Kurzgesagt --title ''
        metube-rss channel set NASA --shorts show --live hide --order oldest
      """)
  @OptionGroup var common: CommonOptions
  @Option(help: "The feed to poll: channel, uploads, videos, shorts or live.") var feed: FeedForm?
  @Option(help: "Show or hide its Shorts in lists.") var shorts: ListVisibility?
  @Option(help: "Show or hide in lists its videos known to be streams or premieres.") var live: ListVisibility?
  @Option(help: "The order of list --channel: newest or oldest first.") var order: ListOrder?
  @Option(text: "The title to show; empty restores the original.") var title: String?
  @Option(text: "A tag to add; may be given several times.", completion: Completion.tags) var tag: [String] = []
  @Option(text: "A tag to remove; may be given several times.", completion: Completion.tags) var untag: [String] = []
  @Argument(text: "The channel, by ID, address, handle or title.", value: "channel", completion: Completion.channels)
  var channel: String

  func validate() throws {
    if feed == nil, shorts == nil, live == nil, order == nil, title == nil, tag.isEmpty, untag.isEmpty {
      throw ValidationError("nothing to set; give --feed, --shorts, --live, --order, --title, --tag or --untag")
    }
    if feed == .playlist { throw ValidationError("--feed takes channel, uploads, videos, shorts or live") }
  }

  func run(in session: Session, to output: inout Output) throws {
    let request = ChannelSettings(
      channel: channel, title: title, tag: tag, untag: untag, feed: feed, shorts: shorts, live: live, order: order)
    let (id, event) = try request.set(in: session)
    let title = try DisplayText(session.state.channels[id]?.title ?? "").text
    let text = try event.flatMap { try UserMessages.outcome($0.body, in: session) }
    output.write("\(text ?? "\(title): no change")\n")
  }
}
