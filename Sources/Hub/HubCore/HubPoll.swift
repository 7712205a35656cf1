import App
import Core
import EventLog
import Library
import Messages
import Platform
import PollEngine
import ReadModel
import SQLDrivers
import SharedPollers
import YouTube

/// The poll of the hub: the terminal's, in a long-running process.
package enum HubPoll {
  /// Polls the feeds that are due, with the terminal's pace, lock and state. In a data folder, these are the feeds that
  /// `users` follow, each once for all of them, the first `maximum` of each. With `channels`, polls only those of them not
  /// requested within 15 minutes. With `samples`, those are read instead of YouTube's feeds, without a pause between two.
  /// `exports` refreshes the exports of the settings of a home. Problems are reported on standard error.
  package static func run(
    _ files: HubFiles, users: [String], maximum: Int?, channels: [String] = [], samples: SampleFeeds? = nil,
    exports: @escaping (Session, _ home: String?) -> Void
  ) {
    var followed = FollowedByUsers()
    let folder: String?
    switch files {
    case .home(let home): folder = home
    case .data(let data):
      folder = "\(data)/catalogue"
      StandardError.reportFailure { if channels.isEmpty { followed = try HubPoll.follow(users, maximum, in: files) } }
    }
    var request = PollRequest(
      channels: channels, rate: samples == nil ? 2 : 0, deadline: HubPoll.deadline, direct: true, isQuiet: true)
    request.samples = samples
    // Those of users are not polled here yet.
    request.takesWebFeeds = !files.isShared
    StandardError.reportFailure {
      let session = try Session(files.home(of: nil), reports: true)
      do {
        try session.whilePolling {
          defer {
            if samples == nil {
              HubPoll.describe(of: users, in: files, session)
              HubPoll.completePlaylists(of: users, in: files, session)
            }
          }
          try request.poll(session, followed, folder: folder, exports: { exports($0, folder) }) { poll, plan in
            let report = try poll.reportFailures()
            guard !report.failures.isEmpty else { return }
            var output = Output()
            output.write(UserMessages.report(report, plan, poll.run.memory))
            try output.finish()
          }
        }
      } catch is ExitStatus {}
    }
  }

  /// Looks up what users of a data folder decided on and no feed has shown, with the key of the catalogue, if any.
  private static func describe(of users: [String], in files: HubFiles, _ catalogue: Session) {
    for user in users.shuffled() where !Interrupt().isSignalled() {
      StandardError.reportFailure {
        try files.whileNamed(user) { try describe(of: Session(files.home(of: user), reports: false), catalogue) }
      }
    }
  }

  private static func describe(of session: Session, _ catalogue: Session) throws {
    guard let settings = try APISettings(catalogue.settings) else {
      return try Descriptions.run(session, within: HubPoll.longestLookup, nil)
    }
    var report = EnrichmentReport()
    let api = try APISession(settings, catalogue, deadline: Clock.steady() + HubPoll.longestLookup)
    try session.describe(with: api, limit: HubPoll.maxLookups, &report)
    // What is left is looked up after the next polls.
    if case .api(.ended, _, _)? = report.failure?.evidence as? PollError { return }
    if let failure = report.failure { throw failure }
  }

  /// Keeps the playlists complete of which users of a data folder have every entry, each by one request an hour for all of
  /// them. What a playlist gained is written to the log of each: the catalogue would show it to others who follow it.
  private static func completePlaylists(of users: [String], in files: HubFiles, _ catalogue: Session) {
    StandardError.reportFailure {
      guard files.isShared, let settings = try APISettings(catalogue.settings) else { return }
      var readers: [PlaylistID: [(user: String, listing: PlaylistListing)]] = [:]
      for user in users where try files.identity(of: user) != nil {
        for (playlist, listing) in try FileWorkspace.completePlaylists(in: files.home(of: user)) {
          readers[playlist, default: []].append((user, listing))
        }
      }
      let due = readers.filter { $0.value.contains { $0.listing.isDue(at: Clock.now()) } }.sorted { $0.key < $1.key }
      guard !due.isEmpty else { return }
      let api = try APISession(settings, catalogue, deadline: Clock.steady() + HubPoll.longestCompletion)
      let failure = try api.attempt {
        for (playlist, readers) in due { try complete(playlist, readers, in: files, api) }
      }
      if case .api(.ended, _, _)? = failure?.evidence as? PollError { return }
      if let failure { throw failure }
    }
  }

  /// For how many milliseconds playlists are read after a poll.
  private static let longestCompletion = 60_000

  private static func complete(
    _ playlist: PlaylistID, _ readers: [(user: String, listing: PlaylistListing)], in files: HubFiles, _ api: APISession
  ) throws {
    var sessions: [PlaylistCompletion.Reader] = []
    let held = try readers.map { try files.held($0.user) }
    defer { withExtendedLifetime(held) {} }
    for (index, (user, listing)) in readers.enumerated() where held[index] != nil {
      StandardError.reportFailure {
        let session = try Session(files.home(of: user), reports: false)
        if try session.state.channels[.playlist(playlist)]?.isFollowed == true {
          sessions.append(.init(session, listing))
        } else {
          try session.workspace.keep(nil, of: playlist)
        }
      }
    }
    guard !sessions.isEmpty else { return }
    var completion = PlaylistCompletion(playlist, of: sessions, api)
    try completion.run()
    for reader in completion.readers { try reader.session.workspace.keep(reader.listing, of: playlist) }
  }

  /// How many videos of one user are looked up after a poll; 50 cost a unit of the key that all share.
  private static let maxLookups = 250

  /// For how many milliseconds titles are looked up for one user.
  private static let longestLookup = 10_000

  /// The maximum duration of one poll, seconds, as for the timer's.
  private static let deadline = 900

  /// Polls what the users of a database follow, together with whatever other pollers it has, until the process ends; with
  /// `isOnce` until nothing is due. Failures are reported, but the first one is thrown.
  package static func run(_ database: Database, _ options: SharedPollOptions, isOnce: Bool) throws {
    let settings = try Settings.standard()
    func session(of user: String?) throws -> Session {
      Session(try DatabaseWorkspace(database, ofKnown: user, settings))
    }
    let tables = try PollTables(database, name: options.name, address: options.address)
    let poller = try SharedPoller(session(of: nil), tables, options, isOnce: isOnce, log: session(of:)) { user in
      var settlement = Settlement()
      try settlement.settle(session(of: user))
    }
    try poller.run()
  }

  /// Throws if a setting of metube-rss that responses depend on is invalid: no client is to blame for it.
  package static func checkSettings(of location: HubLocation) throws {
    try Preferences.check(try location.settings())
  }

  /// Throws if a setting of metube-rss that pollers of a database follow is invalid, or cannot work there; reports in one
  /// line those that they ignore. Call this before the first of these polls, which would report it again and again.
  package static func checkSharedSettings() throws {
    let settings = try Settings.standard()
    _ = try SharedLookups.settings(settings)
    _ = try settings.usesOEmbed()
    let unused = settings.known.map(\.name).filter { $0 == "ON_NEW" || $0 == "EXPORT" || $0.hasPrefix("EXPORT_") }
      .filter { settings[$0] != nil }.map(settings.key)
    guard !unused.isEmpty else { return }
    StandardError.report(
      "\(unused.joined(separator: ", ")): ignored by polls with a database; the hub announces new videos in "
        + "/api/v1/events and /feeds/atom")
  }

  /// Leaves signals to the caller; call this before the first poll.
  package static func adoptSignals() { Interrupt.adopt() }

  /// Ends a running poll and each later one, as the process ends: what they found is appended.
  package static func end() { Interrupt.raise() }

  // MARK: The union

  /// What users follow, together.
  fileprivate struct Union {
    /// The kinds of feed that they want.
    var forms: [SubscriptionID: Set<FeedForm>] = [:]
    /// Names that only YouTube can resolve.
    var handles: Set<String> = []
    /// What each user follows.
    var ofUsers = FollowedByUsers()
    /// Whether every user's log could be read.
    var isWhole = true
  }

  /// Lets the catalogue follow what any user follows, the first `maximum` of each, and nothing else; returns what each of them follows.
  private static func follow(_ users: [String], _ maximum: Int?, in files: HubFiles) throws -> FollowedByUsers {
    var union = Union()
    for user in users {
      do {
        let isRead: Void? = try files.whileNamed(user) {
          var session = try Session(files.home(of: user), reports: false)
          session.maxSubscriptions = maximum
          try union.add(session)
        }
        if isRead == nil { union.isWhole = false }
      } catch {
        union.isWhole = false
        StandardError.reportFailure { throw error }
      }
    }
    let catalogue = try Session(files.home(of: nil), reports: false)
    try catalogue.commit { union.changes(in: try catalogue.state) }
    return union.ofUsers
  }
}

extension HubPoll.Union {
  mutating func add(_ session: Session) throws {
    var settlement = Settlement()
    try settlement.settle(session)
    let state = try session.state
    for channel in state.followed where channel.id.isYouTube { forms[channel.id, default: []].insert(channel.feed) }
    handles.formUnion(state.unresolved.map(\.handle))
    ofUsers.subscriptions.append(state.followed.map(\.id))
    ofUsers.handles.append(state.unresolved.map(\.handle))
  }

  /// The events that make a catalogue follow all of it. Different kinds of feed do not contain each other, so users who
  /// want different ones get the channel's main feed.
  func changes(in state: State) -> [EventBody] {
    var bodies: [EventBody] = []
    for (id, forms) in forms.sorted(by: { $0.key < $1.key }) {
      if let body = state.following(id, form: forms.count == 1 ? forms.first : .channel) { bodies.append(body) }
    }
    let unresolved = Set(state.unresolved.map(\.handle))
    for handle in handles.subtracting(unresolved).sorted() where state.handles[handle]?.subscription == nil {
      bodies.append(.handleFollowed(HandleFollowed(handle: handle, title: nil, tags: nil)))
    }
    // A user whose log cannot be read now still follows what it says.
    guard isWhole else { return bodies }
    bodies += state.followed.filter { forms[$0.id] == nil }.map { .unfollowing($0.id) }
    bodies += unresolved.subtracting(handles).sorted().map { .handleUnfollowed(HandleUnfollowed(handle: $0)) }
    return bodies
  }
}
