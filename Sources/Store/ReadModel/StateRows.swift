import Core
import SQLDrivers

extension State {
  /// Reads the state of a user.
  init(_ database: Database, user: Int64) throws(DatabaseError) {
    try self.init(pollsIn: database, user: user)
    try readChannels(database, user)
    try readMergedFeeds(database)
    try readRules(database, user)
    try readCollections(database, user)
    preferences = try PreferenceRegisters(database, user: user)
  }

  /// Reads the last runs, the gaps and a user's handles alone.
  init(pollsIn database: Database, user: Int64) throws(DatabaseError) {
    self.init()
    try readRuns(database)
    try readHandles(database, user)
    try database.forEach("SELECT id, channel, after, before, closed FROM gap") { (row) throws(DatabaseError) in
      guard let id = row.eventID(0) else { return }
      if let channel = row.subscription(1), let after = row.timestamp(2), let before = row.timestamp(3) {
        gaps[id] = GapFound(subscription: channel, after: after, before: before)
      }
      if row.bool(4) { closedGaps.insert(id) }
    }
  }

  private mutating func readChannels(_ database: Database, _ user: Int64) throws(DatabaseError) {
    channels.reserveCapacity(Int(try database.integer("SELECT count(*) FROM subscription WHERE owner = ?", user) ?? 0))
    try database.forEach(
      "\(Channel.query) WHERE \(Channel.isKnown)", user
    ) { (row) throws(DatabaseError) in
      guard let channel = Channel(row) else { return }
      channels[channel.id] = channel
    }
  }

  private mutating func readMergedFeeds(_ database: Database) throws(DatabaseError) {
    try database.forEach("SELECT feed, into_feed FROM feed_merge") { row in
      guard let feed = FeedID(row.text(0)), let into = FeedID(row.text(1)) else { return }
      mergedFeeds.insert(FeedMerged(feed: feed, into: into))
    }
  }

  /// Reads some channels alone.
  init(_ database: Database, user: Int64, of channels: some Sequence<SubscriptionID>) throws(DatabaseError) {
    self.init()
    for id in channels where self.channels[id] == nil {
      self.channels[id] = try database.first(Channel.queryByID, user, id) { Channel($0) } ?? nil
    }
    preferences = try PreferenceRegisters(database, user: user)
  }

  private mutating func readHandles(_ database: Database, _ user: Int64) throws(DatabaseError) {
    try database.forEach(
      """
      SELECT handle, followed, title, tags, seen_before, action, followed_at, resolved, resolved_at
      FROM handle WHERE owner = ?
      """, user
    ) { (row) throws(DatabaseError) in
      var handle = Handle(handle: row.text(0))
      if let event = row.eventID(6), let action = row.eventID(5) {
        let followed = HandleFollowed(
          handle: handle.handle, title: row.optionalText(2), tags: row.optionalText(3).map(TagList.tags),
          seenBefore: row.timestamp(4))
        let decision = Handle.Decision(followed: row.bool(1) ? followed : nil, action: action)
        handle.decision = LWWRegister(decision, by: event)
      }
      if let event = row.eventID(8), let subscription = row.subscription(7) {
        handle.resolution = LWWRegister(subscription, by: event)
      }
      handles[handle.handle] = handle
    }
  }

  /// The channel that a name was resolved to; nil if it was not.
  static func resolution(
    of handle: String, in database: Database, user: Int64
  ) throws(DatabaseError) -> SubscriptionID? {
    try database.first(
      "SELECT resolved FROM handle WHERE owner = ? AND handle = ? AND resolved IS NOT NULL", user, handle
    ) { $0.subscription(0) } ?? nil
  }

  private mutating func readRules(_ database: Database, _ user: Int64) throws(DatabaseError) {
    try database.forEach(Rule.all, user) { (row) throws(DatabaseError) in
      guard let made = row.eventID(1), let changed = row.eventID(2) else { return }
      ruleRegisters[row.text(0)] = RuleRegister(LWWRegister(Rule(row), by: changed), made: made)
    }
  }

  private mutating func readCollections(_ database: Database, _ user: Int64) throws(DatabaseError) {
    try database.forEach(
      "SELECT name, kept, kept_at, text, text_at FROM collection_register WHERE owner = ?", user
    ) { row in
      // Names that differ only in their encoding are one key.
      var register = collections[row.text(0)] ?? CollectionRegister()
      if let event = row.eventID(2) { register.kept.set(row.bool(1), by: event) }
      if let event = row.eventID(4) { register.text.set(row.text(3), by: event) }
      collections[row.text(0)] = register
    }
  }

  private mutating func readRuns(_ database: Database) throws(DatabaseError) {
    var list: [LWWRegister<RunFinished>] = []
    try database.forEach(
      """
      SELECT id, checked, not_due, failed, new, changed, gaps, outage, stopped, milliseconds, bytes, unrequested
      FROM run ORDER BY id
      """
    ) { (row) throws(DatabaseError) in
      guard let id = row.eventID(0) else { return }
      let counts = (1...6).map { Int(row.int($0)) }
      let run = RunFinished(
        checked: counts[0], notDue: counts[1], failed: counts[2], new: counts[3], changed: counts[4], gaps: counts[5],
        outage: row.bool(7), stopped: row.value(8, StopReason.self), milliseconds: Int(row.int(9)),
        bytes: Int(row.int(10)), failing: [], recovered: [], unrequested: Int(row.int(11)))
      list.append(LWWRegister(run, by: id))
    }
    runs = RecentRuns(list: list)
  }
}

extension PreferenceRegisters {
  /// Reads the preferences of a user.
  init(_ database: Database, user: Int64) throws(DatabaseError) {
    self.init()
    try database.forEach("SELECT name, channel, value, value_at FROM preference WHERE owner = ?", user) { row in
      guard let event = row.eventID(3) else { return }
      set(row.optionalText(2), of: Key(name: row.text(0), channel: row.subscription(1)), by: event)
    }
  }
}

extension Channel {
  /// Selects what `init` reads, as user ?1 has it; a condition may follow.
  fileprivate static let query: SQL = """
    SELECT c.id, c.name, c.name_at, s.followed, s.followed_at, s.title, s.title_at, s.tags, s.tags_at, s.feed,
      s.feed_at, s.shorts, s.shorts_at, s.live, s.live_at, s.list_order, s.list_order_at, s.seen_before,
      s.seen_before_at, c.enriched_at, c.avatar, c.subscribers, c.videos,
      f.url, f.url_at, f.site, f.site_at, f.image, f.image_at, f.language, f.language_at, f.key_kind, f.key_kind_at
    FROM channel c LEFT JOIN subscription s ON s.owner = ?1 AND s.channel = c.n LEFT JOIN feed f ON f.channel = c.n
    """
  /// Whether anything but a video says something of it.
  static let isKnown: SQL = """
    (s.owner IS NOT NULL OR c.name IS NOT NULL OR c.enriched_at IS NOT NULL OR f.channel IS NOT NULL)
    """
  fileprivate static let queryByID: SQL = "\(query) WHERE c.id = ?2 AND \(isKnown)"

  /// Reads what `query` selects; nil if the ID is none.
  fileprivate init?(_ row: Statement) {
    guard let id = row.subscription(0) else { return nil }
    self.init(id: id)
    func register<Value>(_ column: Int, _ value: (Int) -> Value?) -> LWWRegister<Value>? {
      guard let event = row.eventID(column + 1), let value = value(column) else { return nil }
      return LWWRegister(value, by: event)
    }
    feedName = register(1, row.optionalText)
    follows = register(3, row.bool)
    givenTitle = register(5, row.optionalText)
    tagList = register(7) { TagList.tags(row.text($0)) }
    feedChoice = register(9) { row.value($0, FeedForm.self) }
    shortsChoice = register(11) { row.value($0, ListVisibility.self) }
    liveChoice = register(13) { row.value($0, ListVisibility.self) }
    orderChoice = register(15) { row.value($0, ListOrder.self) }
    seenLimit = register(17, row.timestamp)
    if id.feed != nil {
      feedDetails.address = register(23, row.optionalText)
      feedDetails.site = register(25, row.optionalText)
      feedDetails.image = register(27, row.optionalText)
      feedDetails.language = register(29, row.optionalText)
      if let event = row.eventID(32), let kind = row.value(31, EntryKeyKind.self) {
        feedDetails.keyKind = FirstRegister(kind, by: event)
      }
    }
    if let event = row.eventID(19), let channel = id.channel {
      let known = ChannelEnriched(
        channel: channel, avatar: row.optionalText(20), subscribers: row.optionalInt(21).map { Int($0) },
        videos: row.optionalInt(22).map { Int($0) })
      enriched = LWWRegister(known, by: event)
    }
  }
}

extension Rule {
  /// Selects what `init` reads, of a user's rules; a condition may follow.
  static let query: SQL = """
    SELECT id, made, changed, verdict, contains, matches, field, minimum_length, maximum_length, short, live, age, tag,
      subscription
    FROM rule WHERE owner = ?
    """
  fileprivate static let all = query

  /// Reads what `query` selects; nil if the rule was removed.
  init?(_ row: Statement) {
    guard let verdict = row.value(3, Rule.Verdict.self) else { return nil }
    self.init(id: row.text(0), verdict: verdict)
    (contains, matches) = (row.optionalText(4), row.optionalText(5))
    field = row.value(6, Rule.Field.self)
    (minimumLength, maximumLength) = (row.optionalInt(7).map { Int($0) }, row.optionalInt(8).map { Int($0) })
    (short, live) = (row.optionalInt(9).map { $0 != 0 }, row.optionalInt(10).map { $0 != 0 })
    age = row.optionalInt(11).map { Int($0) }
    tag = row.optionalText(12)
    subscription = row.optionalText(13).flatMap { SubscriptionID($0) }
  }
}
