import ArgumentParser
import Core
import Library

/// `follow`: subscribes to channels and playlists.
struct FollowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Follow channels and playlists.",
    discussion: """
      Give a channel by its ID, its address or the address of its feed. A handle
      (@name) is stored and looked up by the next poll.

      Examples:
        metube-rss follow UCsXVk37bltHxD1rDPwtNM8Q
        metube-rss follow https://youtube.com/channel/UCsXVk37bltHxD1rDPwtNM8Q
        metube-rss follow --tag science 'https://youtube.com/playlist?list=PL…'
        metube-rss follow --seen-before 2026-11-01 UCHnyfMqiRRG1u-2MsSQLbXA
      """)
  @OptionGroup var common: CommonOptions
  @Option(
    name: .long, help: "A tag to add to them; may be given several times.", completion: Completion.tags,
    transform: DashIDArguments.unguarded)
  var tag: [String] = []
  @Option(
    name: .long, help: ArgumentHelp("Mark videos published before this as watched.", valueName: "date"),
    transform: DashIDArguments.unguarded)
  var seenBefore: String?
  @Argument(
    help: ArgumentHelp("IDs, addresses or handles of channels or playlists.", valueName: "what"),
    transform: DashIDArguments.unguarded)
  var what: [String]

  func run() throws {
    let session = try Session(common)
    let date = try seenBefore.map { try TimeArgument($0, before: session.now, option: "--seen-before").time }
    let known = try TagNames(session.state)
    var wanted = FollowChanges(tags: try tag.map(known.given), seenBefore: date)
    var hasRefused = false
    for text in what {
      do { wanted.add(try ChannelReference(text)) } catch {
        StandardError.report("\(text): \(UserMessages.reference(error))")
        hasRefused = true
      }
    }
    let before = try Set(session.state.followed.map(\.id))
    let events = try session.commit { try wanted.bodies(in: session.library.model) }
    try report(wanted, events, before)
    if hasRefused { throw ExitStatus.partial }
  }

  /// Reports the result; `before` holds the subscriptions from before the command.
  private func report(_ wanted: FollowChanges, _ events: [Event], _ before: Set<SubscriptionID>) throws {
    var output = Output()
    var (new, seen) = (0, 0)
    for event in events {
      switch event.body {
      case .channelFollowed(let followed) where !before.contains(followed.subscription):
        output.write("following \(followed.subscription)\n")
        new += 1
      case .handleFollowed(let followed):
        output.write("following \(followed.handle) (not yet looked up)\n")
        new += 1
      case .statusSet: seen += 1
      default: break
      }
    }
    let already = wanted.count - new
    if already > 0 { output.write("\(already) already followed\n") }
    if seen > 0 { output.write("\(UserMessages.seen(seen))\n") }
    if new > 0 { output.write("Run `metube-rss poll` to fetch their videos.\n") }
    try output.finish()
  }
}
