import App
import Core
import Importers
import Library
import Platform
import ReadModel

/// Brings the subscriptions of a log in line with those of an account at YouTube, in one action that `undo` takes back:
/// follows what is new in its list, and unfollows what left it, but only what the account brought.
///
/// The log is the evidence of that: the event that holds a subscription names the account. A channel that
/// was followed by hand, or by undoing, stays.
package struct AccountSync {
  private let session: Session

  package init(_ session: Session) { self.session = session }

  /// Synchronises with a list, and notes in `memory` what was done and what waits for a yes.
  package func run(_ listing: AccountListing, _ memory: inout AccountMemory) throws {
    if memory.own != listing.own {
      // Another account's list says nothing of this one's.
      (memory.listed, memory.question, memory.tolerated) = (nil, nil, 0)
    }
    memory.own = listing.own
    var report = AccountMemory.Report(at: session.now)
    report.read = listing.entries.count
    var (listed, question): (Set<ChannelID>?, AccountMemory.Question?) = (nil, nil)
    let events = try session.commit {
      let (followed, brought) = try channels(of: listing)
      let plan = AccountPlan(listing, memory, followed: followed, brought: brought)
      let follow = Array(plan.follow.prefix(try room))
      let unfollow = plan.doubt == nil ? plan.unfollow : []
      listed = plan.listed.subtracting(plan.follow[follow.count...].map(\.id))
      question = plan.doubt.map {
        AccountMemory.Question(
          doubt: $0, channels: plan.unfollow, listed: listing.entries.count, brought: brought.count,
          missing: listing.missing)
      }
      (report.followed, report.unfollowed) = (follow.count, unfollow.count)
      report.beyondLimit = plan.follow.count - follow.count
      return try following(follow, source: listing.source) + unfollow.map { .channelUnfollowed(.channel($0)) }
        + hiding(memory)
    }
    report.action = events.first?.action
    (memory.listed, memory.question, memory.last) = (listed, question, report)
    memory.hidden = memory.own ?? memory.hidden
  }

  /// Applies the reply to the question in `memory`: unfollows its channels, or keeps them as the person's own. What has
  /// changed since the question stays as it is.
  package func reply(_ isYes: Bool, _ memory: inout AccountMemory) throws {
    guard let question = memory.question else { return }
    let source = AccountListing(own: memory.own).source
    let events = try session.commit {
      let brought = try brought(by: source, among: Set(question.channels)).sorted()
      return brought.map { id in
        isYes
          ? .channelUnfollowed(.channel(id))
          : .channelFollowed(ChannelFollowed(subscription: .channel(id), title: nil, tags: nil))
      }
    }
    memory.question = nil
    // Only what the user accepted of a list that was shown as cut.
    if isYes, question.doubt == .cut { memory.tolerated = max(memory.tolerated, question.missing) }
    memory.listed?.subtract(question.channels)
    var report = memory.last ?? AccountMemory.Report(at: session.now)
    report.time = session.now
    report.failure = nil
    if isYes { report.unfollowed += events.count }
    report.action = events.first?.action ?? report.action
    memory.last = report
  }

  // MARK: What is followed, and why

  /// The channels followed now, and those of them that the account brought; of these only what left the list matters, and
  /// how many there are.
  private func channels(of listing: AccountListing) throws -> (followed: Set<ChannelID>, brought: Set<ChannelID>) {
    let followed = Set(try session.state.followed.compactMap(\.id.channel))
    let missing = followed.subtracting(listing.entries.map(\.id))
    let left = try brought(by: listing.source, among: missing)
    guard !left.isEmpty else { return (followed, []) }
    return (followed, left.union(try brought(by: listing.source, among: followed.subtracting(missing))))
  }

  /// The channels that an account brought: the event that holds the subscription names it.
  private func brought(by source: String, among channels: Set<ChannelID>) throws -> Set<ChannelID> {
    let state = try session.state
    var holding: [EventID: ChannelID] = [:]
    for id in channels {
      if let channel = state.channels[.channel(id)], channel.isFollowed, let event = channel.followChanged {
        holding[event] = id
      }
    }
    let positions = try session.query { model in
      // Only the subject of such an event counts.
      try model.positions(
        aboutSubjectsOf: holding.map { Event(id: $0, action: $0, body: .channelUnfollowed(.channel($1))) })
    }
    var brought: Set<ChannelID> = []
    for event in try session.library.events(at: positions) {
      if case .channelFollowed(let followed) = event.body, followed.source == source, let id = holding[event.id] {
        brought.insert(id)
      }
    }
    return brought
  }

  /// How many subscriptions more there may be.
  private var room: Int {
    get throws { try session.maxSubscriptions.map { max(0, try $0 - session.state.followedCount) } ?? .max }
  }

  // MARK: Events

  private func following(_ entries: [AccountListing.Entry], source: String) throws -> [EventBody] {
    guard !entries.isEmpty else { return [] }
    // As if they were a file, which is how titles are cleaned.
    let file = try ImportedFile(account: entries.map { ($0.id, $0.title) }, source: source)
    var wanted = FollowChanges(tags: [], seenBefore: nil, source: source)
    for row in file.subscriptions { wanted.add(.subscription(row.id, row.form), title: row.title) }
    return try wanted.bodies(in: session.library.model)
  }

  /// The rule that takes the account's own uploads off the lists, made once: a user who removes it wants to see them.
  private func hiding(_ memory: AccountMemory) throws -> [EventBody] {
    guard let own = memory.own, memory.hidden != own else { return [] }
    var rule = Rule(id: RuleRequest.newID(at: session.now), verdict: .block)
    rule.subscription = .channel(own)
    let isThere = try session.state.rules.contains { known in
      var known = known
      known.id = rule.id
      return known == rule
    }
    return isThere ? [] : [.ruleSet(rule)]
  }
}
