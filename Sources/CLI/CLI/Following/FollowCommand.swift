import App
import ArgumentParser
import Arguments
import Core
import Library
import Messages
import Platform
import ReadModel
import WebFeed

/// `follow`: subscribes to channels, playlists and feeds.
struct FollowCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Follow channels, playlists and feeds of any site.",
    discussion: """
      Give a channel by its ID, its address or the address of its feed. A handle
      (@name) is stored and looked up by the next poll. The address of a video that a
      feed has shown stands for its channel.

      The address of another site is requested, and the feed there, or the one that
      the page links, is followed: a podcast, a channel of PeerTube, a blog. If it
      links several, they are listed with numbers, and you choose; without a
      terminal, or with --format, follow one by its own address.

      Anything else is a name: the channels that the log has ever seen under it are
      listed with numbers, and you choose. A search on YouTube is offered if there is
      a key of the Data API (100 units each) or METUBE_RSS_ENRICH=yt-dlp. Without a
      terminal, or with --format, they are printed, nothing is followed, and the
      status is 1; follow one by its ID.

      Examples:
        metube-rss follow UCsXVk37bltHxD1rDPwtNM8Q
        metube-rss follow https://youtube.com/channel/UCsXVk37bltHxD1rDPwtNM8Q
        metube-rss follow https://tube.example/c/harbour
        metube-rss follow 'In a Nutshell'
        metube-rss follow --youtube --format json 'In a Nutshell'
        metube-rss follow --tag science 'https://youtube.com/playlist?list=PL…'
        metube-rss follow --seen-before 2026-11-01 UCHnyfMqiRRG1u-2MsSQLbXA
      """)
  @OptionGroup var common: CommonOptions
  @OptionGroup var formatting: FormatOptions
  @Option(text: "A tag to add to them; may be given several times.", completion: Completion.tags) var tag: [String] = []
  @Option(text: "Mark videos published before this as watched.", value: "date") var seenBefore: String?
  @Flag(help: "Search YouTube for names at once, for 100 units of the Data API each or with yt-dlp.") var youtube =
    false
  @Argument(text: "IDs, addresses, handles or names of channels, playlists or feeds.", value: "what") var what: [String]

  func run(in session: Session, to output: inout Output) throws {
    let before = try Set(session.state.followed.map(\.id))
    let names = what.filter(FollowCommand.isName)
    let addresses = what.filter(FeedQuestion.isAddress)
    let others = Set(names + addresses)
    let followed = try request(what.filter { !others.contains($0) }).follow(in: session)
    for (text, reason) in followed.refused {
      StandardError.report("\(text): \(UserMessages.reference(reason, of: text))")
    }
    try report(followed, before, session.state, [], to: &output)
    var areAllChosen = try addresses.isEmpty || followFeeds(at: addresses, in: session, to: &output)
    let question = NameQuestion(session, formatting, searchesAtOnce: youtube)
    var listed: [NamedChoice] = []
    for name in names {
      switch try question.choices(for: name, to: &output) {
      case .chosen(let choices):
        let before = try Set(session.state.followed.map(\.id))
        let followed = try request(choices.map(\.channel.description)).follow(in: session)
        try report(followed, before, session.state, choices, to: &output)
      case .listed(let choices):
        areAllChosen = false
        listed += choices
      }
    }
    if !names.isEmpty, formatting.format != .table { RowFormat.write(listed, as: formatting.format, to: &output) }
    if !followed.refused.isEmpty || !areAllChosen { throw ExitStatus.partial }
  }

  /// Follows the feeds at addresses of other sites; returns whether there was one at each.
  private func followFeeds(at addresses: [String], in session: Session, to output: inout Output) throws -> Bool {
    let question = try FeedQuestion(session, formatting)
    var (areAllFound, lines, hasNew) = (true, [String](), false)
    for address in addresses {
      // What is followed need not be requested.
      let known = try followed(at: address, in: session.state).map { [$0] }
      guard let found = try known ?? question.feeds(at: address, to: &output) else {
        areAllFound = false
        continue
      }
      // A page elsewhere may link a channel of YouTube.
      let channels = found.map(\.url.text).filter { ChannelReference.isYouTube($0) }
      let before = try Set(session.state.followed.map(\.id))
      try report(request(channels).follow(in: session), before, session.state, [], to: &output)
      let feeds = found.filter { !channels.contains($0.url.text) }
      let (followed, events) = try request([]).follow(
        feeds.map { FeedToFollow(url: $0.url, title: $0.title) }, in: session)
      let state = try session.state
      for (id, isNew) in followed {
        let title = text(for: .subscription(id, .channel), in: state, []).text
        lines.append("\(isNew ? "" : "already ")following \(title)")
        hasNew = hasNew || isNew
      }
      let seen = events.count { if case .statusSet = $0.body { true } else { false } }
      if seen > 0 { lines.append(UserMessages.seen(seen)) }
    }
    if hasNew { lines.append("Run `metube-rss poll` to fetch their entries.") }
    write(lines, to: &output)
    return areAllFound
  }

  /// The feed at an address if it is followed already.
  private func followed(at text: String, in state: State) -> FeedCandidate? {
    guard let url = FeedDiscovery.url(typed: text) else { return nil }
    let address = FeedAddress(url)
    let id = state.feedsByAddress[address] ?? FeedID(of: address)
    guard state.channels[.feed(id)]?.isFollowed == true else { return nil }
    return FeedCandidate(url: url, title: nil, certainty: .stated)
  }

  private func write(_ lines: [String], to output: inout Output) {
    for line in lines {
      // Of another format standard output has nothing but rows.
      if formatting.format == .table { output.write("\(line)\n") } else { StandardError.report(line) }
    }
  }

  private func request(_ channels: [String]) -> FollowRequest {
    FollowRequest(channels: channels, tag: tag, seenBefore: seenBefore)
  }

  /// Whether a text is neither an ID, an address nor a handle.
  private static func isName(_ text: String) -> Bool {
    if FeedID(text) != nil { return false }
    do {
      _ = try ChannelReference(text)
      return false
    } catch { return error.mayBeName && SearchText(text) != nil }
  }

  /// Reports the result; `before` holds the subscriptions from before the command, `state` those after it, `choices` what
  /// was chosen by name.
  private func report(
    _ followed: FollowRequest.Outcome, _ before: Set<SubscriptionID>, _ state: State, _ choices: [ChannelMatch],
    to output: inout Output
  ) {
    var (new, seen): (Set<String>, Int) = ([], 0)
    for event in followed.events {
      switch event.body {
      case .channelFollowed(let followed) where !before.contains(followed.subscription):
        new.insert("\(followed.subscription)")
      case .feedFollowed(let followed) where !before.contains(.feed(followed.feed)): new.insert("\(followed.feed)")
      case .handleFollowed(let followed): new.insert(followed.handle)
      case .statusSet: seen += 1
      default: break
      }
    }
    var lines: [String] = []
    var reported: Set<String> = []
    for reference in followed.references {
      let (id, text) = text(for: reference, in: state, choices)
      guard reported.insert(id).inserted else { continue }
      lines.append(new.contains(id) ? "following \(text)" : "already following \(text)")
    }
    if seen > 0 { lines.append(UserMessages.seen(seen)) }
    if !new.isEmpty { lines.append("Run `metube-rss poll` to fetch their videos.") }
    write(lines, to: &output)
  }

  /// The ID or handle of a subscription, and that with its title if it has one.
  private func text(
    for reference: ChannelReference, in state: State, _ choices: [ChannelMatch]
  ) -> (id: String, text: String) {
    switch reference {
    case .subscription(let id, _):
      let known = state.channels[id].flatMap { $0.hasTitle ? $0.title : nil }
      guard let title = known ?? choices.first(where: { $0.channel == id })?.title else { return ("\(id)", "\(id)") }
      return ("\(id)", "\(DisplayText(title).text)  \(id)")
    case .name(let name):
      let resolved = state.handles[name.description]?.subscription
      if let resolved { return text(for: .subscription(resolved, .channel), in: state, choices) }
      return (name.description, "\(name) (not yet looked up)")
    }
  }
}
