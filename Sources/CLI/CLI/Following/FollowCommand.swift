import App
import ArgumentParser
import Arguments
import Core
import Library
import Messages
import Platform
import ReadModel

/// `follow`: subscribes to channels and playlists.
struct FollowCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Follow channels and playlists.",
    discussion: """
      Give a channel by its ID, its address or the address of its feed. A handle
      (@name) is stored and looked up by the next poll. The address of a video that a
      feed has shown stands for its channel.

      Examples:
        metube-rss follow UCsXVk37bltHxD1rDPwtNM8Q
        metube-rss follow https://youtube.com/channel/UCsXVk37bltHxD1rDPwtNM8Q
        metube-rss follow --tag science 'https://youtube.com/playlist?list=PL…'
        metube-rss follow --seen-before 2026-11-01 UCHnyfMqiRRG1u-2MsSQLbXA
      """)
  @OptionGroup var common: CommonOptions
  @Option(text: "A tag to add to them; may be given several times.", completion: Completion.tags) var tag: [String] = []
  @Option(text: "Mark videos published before this as watched.", value: "date") var seenBefore: String?
  @Argument(text: "IDs, addresses or handles of channels or playlists.", value: "what") var what: [String]

  func run(in session: Session, to output: inout Output) throws {
    let before = try Set(session.state.followed.map(\.id))
    let followed = try FollowRequest(channels: what, tag: tag, seenBefore: seenBefore).follow(in: session)
    for (text, reason) in followed.refused {
      StandardError.report("\(text): \(UserMessages.reference(reason, of: text))")
    }
    try report(followed, before, session.state, to: &output)
    if !followed.refused.isEmpty { throw ExitStatus.partial }
  }

  /// Reports the result; `before` holds the subscriptions from before the command, `state` those after it.
  private func report(
    _ followed: FollowRequest.Outcome, _ before: Set<SubscriptionID>, _ state: State, to output: inout Output
  ) {
    var (new, seen): (Set<String>, Int) = ([], 0)
    for event in followed.events {
      switch event.body {
      case .channelFollowed(let followed) where !before.contains(followed.subscription):
        new.insert("\(followed.subscription)")
      case .handleFollowed(let followed): new.insert(followed.handle)
      case .statusSet: seen += 1
      default: break
      }
    }
    var reported: Set<String> = []
    for reference in followed.references {
      let (id, words) = words(for: reference, in: state)
      guard reported.insert(id).inserted else { continue }
      output.write(new.contains(id) ? "following \(words)\n" : "already following \(words)\n")
    }
    if seen > 0 { output.write("\(UserMessages.seen(seen))\n") }
    if !new.isEmpty { output.write("Run `metube-rss poll` to fetch their videos.\n") }
  }

  /// The ID or handle of a subscription, and that with its title if it has one.
  private func words(for reference: ChannelReference, in state: State) -> (id: String, words: String) {
    switch reference {
    case .subscription(let id, _):
      guard let channel = state.channels[id], channel.hasTitle else { return ("\(id)", "\(id)") }
      return ("\(id)", "\(DisplayText(channel.title).text)  \(id)")
    case .name(let name):
      let resolved = state.handles[name.description]?.subscription
      if let resolved { return words(for: .subscription(resolved, .channel), in: state) }
      return (name.description, "\(name) (not yet looked up)")
    }
  }
}
