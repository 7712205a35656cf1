import App
import ArgumentParser
import Arguments
import Core
import Messages
import Platform

/// `unfollow`: ends subscriptions. Videos found stay in the log.
struct UnfollowCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "unfollow", abstract: "Unfollow channels or playlists.",
    discussion: """
      Videos found and your marks stay in the log, and come back when you follow
      again.

      Examples:
        metube-rss unfollow UCsXVk37bltHxD1rDPwtNM8Q
        metube-rss unfollow 'In a Nutshell'
        metube-rss unfollow --dead
      """)
  @OptionGroup var common: CommonOptions
  @Flag(help: "All channels confirmed dead over several days; see channels --dead.") var dead = false
  @Flag(help: "Do not ask for confirmation.") var yes = false
  @Argument(text: "Channels by ID, URL, handle or title.", value: "channel", completion: Completion.channels)
  var channels: [String] = []

  func validate() throws {
    if channels.isEmpty, !dead { throw ValidationError("give a channel or --dead") }
  }

  func run(in session: Session, to output: inout Output) throws {
    let names = try ChannelResolver(session.state, alsoUnfollowed: false)
    var ids = dead ? try goneChannels(session) : []
    var handles: [String] = []
    var hasUnknown = false
    for name in channels {
      do {
        if let handle = try session.state.handle(named: name) {
          handles.append(handle)
          continue
        }
        let id = try names.resolve(name)
        if !ids.contains(id) { ids.append(id) }
      } catch let error as AppError {
        StandardError.report(UserMessages.text(of: error))
        hasUnknown = true
      }
    }
    let events = try session.commit {
      let state = try session.state
      return ids.filter { state.channels[$0]?.isFollowed == true }.map { .unfollowing($0) }
        + handles.filter { state.handles[$0]?.followed != nil }.map { .handleUnfollowed(HandleUnfollowed(handle: $0)) }
    }
    for body in events.map(\.body) {
      if let id = body.unfollowed {
        try output.write("unfollowed \(DisplayText(session.state.channels[id]?.title ?? "").text)  \(id)\n")
      } else if case .handleUnfollowed(let unfollowed) = body {
        output.write("unfollowed \(unfollowed.handle)\n")
      }
    }
    if hasUnknown { throw ExitStatus.partial }
  }

  /// The dead channels, if the user confirms; otherwise empty.
  private func goneChannels(_ session: Session) throws -> [SubscriptionID] {
    let memory = try session.pollState()
    let gone = try session.state.followed.filter { memory.feeds[$0.id]?.isGone == true }
    guard !gone.isEmpty else {
      StandardError.report("no dead channels")
      return []
    }
    let titles = gone.map { DisplayText($0.title).text }.joined(separator: ", ")
    let prompt = "Unfollow \(UserMessages.count(gone.count, "dead channel")): \(titles)?"
    return try yes || Confirmation.isConfirmed(prompt) ? gone.map(\.id) : []
  }
}

extension EventBody {
  /// The subscription that is unfollowed; nil of other events.
  fileprivate var unfollowed: SubscriptionID? {
    switch self {
    case .channelUnfollowed(let id): id
    case .feedUnfollowed(let feed): .feed(feed)
    default: nil
    }
  }
}

extension State {
  /// The followed, still unresolved handle that `text` names; nil if absent.
  fileprivate func handle(named text: String) -> String? {
    unresolved.map(\.handle).first { $0 == text || ChannelName(description: $0) == ChannelName(naming: text) }
  }
}

extension ChannelName {
  /// The handle that `text` contains, alone or in a URL; nil if it contains a channel ID or is invalid.
  fileprivate init?(naming text: String) {
    // What is not a reference names no handle.
    guard case .name(let name) = try? ChannelReference(text) else { return nil }
    self = name
  }
}
