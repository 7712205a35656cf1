import ArgumentParser
import Core

/// `follow`: follows channels and playlists.
struct FollowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "follow", abstract: "Follow channels and playlists.",
    discussion: """
      A channel is named by its id, by its address, or by the address of its feed;
      a handle (@name) is kept and looked up when the network is asked next.

      Examples:
        metube-rss follow UCsXVk37bltHxD1rDPwtNM8Q
        metube-rss follow https://www.youtube.com/channel/UCsXVk37bltHxD1rDPwtNM8Q
        metube-rss follow --tag science 'https://www.youtube.com/playlist?list=PL…'
        metube-rss follow --seen-before 2026-11-01 UCHnyfMqiRRG1u-2MsSQLbXA
      """)
  @OptionGroup var common: CommonOptions
  @Option(
    name: .long, help: "A tag to put on them; may be given several times.", completion: Completion.tags,
    transform: ArgumentShield.unguarded)
  var tag: [String] = []
  @Option(
    name: .long, help: ArgumentHelp("Count videos published before this as watched.", valueName: "date"),
    transform: ArgumentShield.unguarded)
  var seenBefore: String?
  @Argument(
    help: ArgumentHelp("Ids or addresses of channels or playlists.", valueName: "what"),
    transform: ArgumentShield.unguarded)
  var what: [String]

  func run() throws {
    let session = try Session(common)
    let date = try seenBefore.map { try Moment($0, before: session.now, option: "--seen-before").time }
    var wanted = Subscribing(tags: tag, seenBefore: date)
    var hasRefused = false
    for text in what {
      do { wanted.add(try ChannelReference(text)) } catch {
        Messages.tell("\(text): \(Words.reference(error))")
        hasRefused = true
      }
    }
    let events = try session.commit { wanted.bodies(in: $0) }
    try report(wanted, events, session)
    if hasRefused { throw ExitStatus.inPart }
  }

  private func report(_ wanted: Subscribing, _ events: [Event], _ session: Session) throws {
    var output = Output()
    for event in events {
      switch event.body {
      case .channelFollowed(let followed): output.write("following \(followed.subscription)\n")
      case .handleFollowed(let followed): output.write("following \(followed.handle), still to be looked up\n")
      default: break
      }
    }
    let already = wanted.count - events.count
    if already > 0 { output.write("\(already) already followed\n") }
    if !events.isEmpty { output.write("metube-rss poll asks what they have\n") }
    try output.finish()
  }
}

/// Subscriptions to be followed, as events that say only what is not so yet.
struct Subscribing {
  /// One of them.
  struct Wish {
    var reference: ChannelReference
    var title: String?
    var tags: [String]
  }

  private(set) var wishes: [Wish] = []
  let tags: [String]
  let seenBefore: Timestamp?

  init(tags: [String], seenBefore: Timestamp?) {
    self.tags = tags
    self.seenBefore = seenBefore
  }

  var count: Int { wishes.count }

  mutating func add(_ reference: ChannelReference, title: String? = nil, tags: [String] = []) {
    let all = tags + self.tags.filter { !tags.contains($0) }
    wishes.append(Wish(reference: reference, title: title, tags: all))
  }

  /// The events that make it so. What is followed already only gains the tags it lacks.
  func bodies(in state: State) -> [EventBody] {
    var done: Set<String> = []
    return wishes.compactMap { wish in
      switch wish.reference {
      case .subscription(let id, let form):
        done.insert(id.description).inserted ? body(for: id, form: form, wish, in: state) : nil
      case .name(let name): done.insert(name.description).inserted ? body(for: name, wish, in: state) : nil
      }
    }
  }

  private func body(for id: SubscriptionID, form: FeedForm, _ wish: Wish, in state: State) -> EventBody? {
    if let channel = state.channels[id], channel.isFollowed {
      let lacking = wish.tags.filter { !channel.tags.contains($0) }
      guard !lacking.isEmpty else { return nil }
      return .channelChanged(ChannelChanged(subscription: id, tags: channel.tags + lacking))
    }
    let isUsual = form == .channel || form == .playlist
    return .channelFollowed(
      ChannelFollowed(
        subscription: id, title: wish.title, tags: wish.tags.isEmpty ? nil : wish.tags, feed: isUsual ? nil : form,
        seenBefore: seenBefore))
  }

  private func body(for name: ChannelName, _ wish: Wish, in state: State) -> EventBody? {
    let known = state.handles[name.description]
    if let subscription = known?.subscription {
      return body(for: subscription, form: .channel, wish, in: state)
    }
    guard known?.followed == nil else { return nil }
    return .handleFollowed(
      HandleFollowed(
        handle: name.description, title: wish.title, tags: wish.tags.isEmpty ? nil : wish.tags, seenBefore: seenBefore))
  }
}

/// `unfollow`: follows no longer. What was found stays in the log.
struct UnfollowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unfollow", abstract: "Follow channels or playlists no longer.",
    discussion: """
      What was found and what you marked stays in the log, and comes back when you
      follow again.

      Examples:
        metube-rss unfollow UCsXVk37bltHxD1rDPwtNM8Q
        metube-rss unfollow 'In a Nutshell'
        metube-rss unfollow --dead
      """)
  @OptionGroup var common: CommonOptions
  @Flag(name: .long, help: "Those that are gone, by evidence over days; see channels --dead.")
  var dead = false
  @Flag(name: .long, help: "Do not ask.")
  var yes = false
  @Argument(
    help: ArgumentHelp("Channels by id, address or title.", valueName: "channel"), completion: Completion.channels,
    transform: ArgumentShield.unguarded)
  var channels: [String] = []

  func validate() throws {
    if channels.isEmpty, !dead { throw ValidationError("name a channel, or say --dead") }
  }

  func run() throws {
    let session = try Session(common)
    let names = ChannelNames(session.state)
    var ids = dead ? try goneChannels(session) : []
    var handles: [String] = []
    var hasUnknown = false
    for name in channels {
      do {
        if let handle = session.state.handle(named: name) {
          handles.append(handle)
          continue
        }
        let id = try names.resolve(name)
        if !ids.contains(id) { ids.append(id) }
      } catch let failure as Failure {
        Messages.tell(failure.message)
        hasUnknown = true
      }
    }
    let events = try session.commit { state in
      ids.filter { state.channels[$0]?.isFollowed == true }.map { .channelUnfollowed($0) }
        + handles.filter { state.handles[$0]?.followed != nil }.map { .handleUnfollowed(HandleUnfollowed(handle: $0)) }
    }
    var output = Output()
    for body in events.map(\.body) {
      if case .channelUnfollowed(let id) = body {
        output.write("no longer following \(DisplayText(session.state.channels[id]?.title ?? "").text)  \(id)\n")
      } else if case .handleUnfollowed(let unfollowed) = body {
        output.write("no longer following \(unfollowed.handle)\n")
      }
    }
    try output.finish()
    if hasUnknown { throw ExitStatus.inPart }
  }

  /// The channels that are gone, if there are any and the person says yes.
  private func goneChannels(_ session: Session) throws -> [SubscriptionID] {
    let memory = MemoryFile(session).read(at: session.now)
    let gone = session.state.followed.filter { memory.feeds[$0.id]?.isGone == true }
    guard !gone.isEmpty else {
      Messages.tell("no channel is gone")
      return []
    }
    let titles = gone.map { DisplayText($0.title).text }.joined(separator: ", ")
    let question = "Unfollow \(Words.count(gone.count, "channel")) gone for good: \(titles)?"
    return try yes || Question.isAnsweredYes(question) ? gone.map(\.id) : []
  }
}

extension State {
  /// The followed name that a text is, where it is still to be looked up.
  fileprivate func handle(named text: String) -> String? {
    unresolved.map(\.handle).first { $0 == text || ChannelName(description: $0) == ChannelName(naming: text) }
  }
}

extension ChannelName {
  /// The name that a text names by its address or as it is; nil where it names a channel by its id, or none.
  fileprivate init?(naming text: String) {
    do {
      guard case .name(let name) = try ChannelReference(text) else { return nil }
      self = name
    } catch { return nil }
  }
}
