import App
import Core
import Exporters
import HubCore
import HubStore
import Library
import Messages
import ReadModel

/// A list of videos as a reader requests it.
package struct EntryQuery {
  package enum Order { case published, found, number, changed }

  /// The statuses included.
  package var statuses = Set(Status.allCases)
  /// Only videos that are saved, or are not; nil for all.
  package var saved: Bool?
  /// Only these subscriptions; nil for all.
  package var subscriptions: Set<SubscriptionID>?
  /// Only channels with one of these tags; empty for all.
  package var tags: Set<String> = []
  /// Further sets of tags: a video needs a tag of each set, and none matches an empty one.
  package var alsoTagged: [Set<String>] = []
  package var search: String?
  /// Only videos published at or after this, and before that.
  package var published: (since: Timestamp?, until: Timestamp?)
  /// Only videos found at or after this, and before that.
  package var found: (since: Timestamp?, until: Timestamp?)
  /// Only videos changed at or after this, and before that.
  package var changed: (since: Timestamp?, until: Timestamp?)
  /// Only videos with a number above this, and below that.
  package var number: (above: Int?, below: Int?)
  package var order = Order.published
  package var oldestFirst = false
  /// Only videos after this one in the order; of the orders `published` and `found`.
  package var after: VideoID?
  package var offset = 0
  package var limit: Int
  /// Of saved videos, also those that no feed has shown, behind the others.
  package var alsoUnseen = false

  package init(limit: Int) { self.limit = limit }

  /// How many numbers are read together.
  fileprivate static let numbersAtOnce = 2000

  /// The statuses that a reader shows as unread, and those that it shows as read.
  package static let unread: Set<Status> = [.new]
  package static let read: Set<Status> = [.watched, .skipped, .snoozed]

  /// The read model's query. Numbers are not its own.
  fileprivate var query: VideoQuery {
    var query = VideoQuery(
      statuses: statuses, shorts: nil, upcoming: nil, subscriptions: subscriptions, tags: tags, since: published.since,
      until: published.until, order: order == .found ? .found : .published, oldestFirst: oldestFirst,
      limit: offset + limit)
    (query.foundSince, query.foundUntil) = found
    (query.changedSince, query.changedUntil) = changed
    query.alsoTagged = alsoTagged
    if order == .changed { query.key = .changed }
    if saved == true { (query.savedOnly, query.hidesNothing, query.alsoGone) = (true, true, true) }
    query.unsavedOnly = saved == false
    query.after = after.map { PageCursor(video: $0, number: nil) }
    return query
  }
}

/// A video as readers get it.
package struct ReaderEntry {
  package var row: VideoRow
  package var number: Int
  /// The subscription that it belongs to in a reader.
  package var feed: Channel
  /// 0 if the video's channel is unknown.
  package var feedNumber: Int
  package var changed: Timestamp
  /// The thumbnail and the description as HTML.
  package var html: String
  /// When its status was set last; nil if it never was.
  package var statusChanged: Timestamp?
  /// When it was last saved or unsaved; nil if it never was.
  package var saved: Timestamp?
  package var note: String

  package var isRead: Bool { row.status != .new }
  /// When a feed showed the video; else when the user first decided on it, as far as is known.
  package var discovered: Timestamp {
    row.isSeen ? row.found : [saved, statusChanged].compactMap(\.self).min() ?? changed
  }
  /// When it was published; if that is unknown, when the user first decided on it.
  package var published: Timestamp { row.isSeen ? row.published : row.knownPublished ?? discovered }
}

extension HubService {
  // MARK: Lists

  /// The videos that a query selects, and how many match it whatever its limit.
  package func select(_ wanted: EntryQuery) throws -> (videos: [VideoID], total: Int) {
    if let search = wanted.search, ReadModel.flaw(ofSearch: search) != nil {
      throw HubProblem(400, "search: no words, or too many")
    }
    let unseen = try unseenSaved(wanted)
    // Programs know them by numbers, as all others.
    _ = try numbers(of: unseen)
    if let after = wanted.after, try !session.query({ try $0.isFound(after) }) {
      let rest = unseen.firstIndex(of: after).map { unseen[($0 + 1)...] } ?? unseen[...]
      return (Array(rest.prefix(wanted.limit)), rest.count)
    }
    let limits = wanted.number.above != nil || wanted.number.below != nil
    let numbered = limits ? try allNumbered(wanted) : nil
    func candidates(_ model: ReadModel) throws -> NumberSet? {
      guard var found = try numbered.map({ try model.numbers(of: $0) }) else {
        return try wanted.search.map { try model.search($0) }
      }
      if let search = wanted.search { found.formIntersection(try model.search(search)) }
      return found
    }
    guard wanted.order == .number else {
      let selection = try session.query { try $0.select(wanted.query, at: session.now, among: candidates($0)) }
      let all = selection.next == nil ? selection.ids + unseen : selection.ids
      return (Array(all.dropFirst(wanted.offset).prefix(wanted.limit)), selection.matching + unseen.count)
    }
    let found = try session.query { try $0.matches(wanted.query, at: session.now, among: candidates($0)) }
    let matching = found.union(unseen)
    let ordered = try numbered?.filter(matching.contains) ?? firstNumbered(wanted, among: matching)
    return (Array(ordered.dropFirst(wanted.offset).prefix(wanted.limit)), matching.count)
  }

  /// The saved videos of a query that no feed has shown, in its direction by when they were saved; empty unless it asks for
  /// them. That moment also stands for when they were found, and published if that is unknown.
  private func unseenSaved(_ wanted: EntryQuery) throws -> [VideoID] {
    guard wanted.alsoUnseen, wanted.saved == true, wanted.tags.isEmpty, wanted.alsoTagged.isEmpty, wanted.search == nil
    else { return [] }
    let query = ReadModel.UnseenQuery(
      statuses: wanted.statuses, channels: wanted.subscriptions.map { Set($0.compactMap(\.channel)) },
      followedOnly: false, savedOnly: true, startedOnly: false, words: nil)
    let unseen = try session.query { try $0.unseen(query, at: session.now) }.map(\.id)
    func isWithin(_ time: Timestamp, _ limits: (since: Timestamp?, until: Timestamp?)) -> Bool {
      limits.since.map { time >= $0 } ?? true && limits.until.map { time < $0 } ?? true
    }
    let videos = try session.query { try $0.videos(unseen, alsoUnseen: true) }.videos.map { video in
      (video, saved: video.saved?.id.timestamp ?? session.now)
    }
    let chosen = videos.filter { video, saved in
      isWithin(saved, wanted.found) && isWithin(video.knownPublished ?? saved, wanted.published)
        && isWithin(decided(video), wanted.changed)
    }.sorted { ($0.saved, $0.0.id) < ($1.saved, $1.0.id) }
    let ids = chosen.map { $0.0.id }
    let ordered = wanted.oldestFirst ? ids : ids.reversed()
    guard wanted.number.above != nil || wanted.number.below != nil else { return ordered }
    return try zip(ordered, numbers(of: ordered)).compactMap { id, number in
      number > wanted.number.above ?? 0 && number < wanted.number.below ?? .max ? id : nil
    }
  }

  /// All videos with the numbers of a query, in its direction.
  private func allNumbered(_ wanted: EntryQuery) throws -> [VideoID] {
    var videos: [VideoID] = []
    try forEachPage(of: wanted) { page in
      videos += page
      return true
    }
    return videos
  }

  /// The first of the videos by number, as many as the query's page needs: reads no number behind them.
  private func firstNumbered(_ wanted: EntryQuery, among matching: Set<VideoID>) throws -> [VideoID] {
    let count = min(matching.count, wanted.offset + wanted.limit)
    var videos: [VideoID] = []
    guard count > 0 else { return [] }
    try forEachPage(of: wanted) { page in
      videos += page.lazy.filter(matching.contains).prefix(count - videos.count)
      return videos.count < count
    }
    return videos
  }

  /// Calls `body` with the videos that have the numbers of a query, in its direction, until it returns false.
  private func forEachPage(of wanted: EntryQuery, _ body: ([VideoID]) -> Bool) throws {
    var range = (above: wanted.number.above ?? 0, below: wanted.number.below ?? .max)
    while true {
      let page = try numbers.page(.video, range, descending: !wanted.oldestFirst, limit: EntryQuery.numbersAtOnce)
      guard let last = page.last else { return }
      guard body(page.compactMap { VideoID($0.key) }), page.count == EntryQuery.numbersAtOnce else { return }
      if wanted.oldestFirst { range.above = last.number } else { range.below = last.number }
    }
  }

  /// The entries of videos, in their order; without those that no feed has shown unless `alsoUnseen`.
  package func entries(_ ids: [VideoID], alsoUnseen: Bool = false) throws -> [ReaderEntry] {
    let (videos, sources) = try session.query { try $0.videos(ids, alsoUnseen: alsoUnseen) }
    let numbers = try numbers(of: videos.map(\.id))
    let moments = try session.query { try $0.moments(of: videos.map(\.id)) }
    let texts = try session.texts(of: videos.map(\.description))
    // Numbered together.
    let known = videos.filter { !$0.sources.isEmpty }
    _ = try self.numbers(.channel, Set(known.map { feed(of: $0, sources).id.description }).sorted())
    return try videos.indices.map { index in
      let video = videos[index]
      let row = VideoRow(video, in: sources, at: session.now) ?? VideoRow(unseen: video, in: sources, at: session.now)
      let feed = feed(of: video, sources)
      var html: [UInt8] = []
      VideoHTML.append(row, description: texts[index], to: &html)
      return ReaderEntry(
        row: row, number: numbers[index], feed: feed,
        feedNumber: video.sources.isEmpty ? 0 : try number(of: feed.id),
        changed: moments[index]?.changed ?? (row.isSeen ? row.found : decided(video)),
        html: String(decoding: html, as: UTF8.self),
        statusChanged: video.statusChanged?.timestamp, saved: video.saved?.id.timestamp, note: video.note)
    }
  }

  /// When the user last decided on a video; now if never.
  private func decided(_ video: Video) -> Timestamp {
    [video.statusChanged, video.saved?.id, video.progressSet?.id, video.noteSet?.id].compactMap { $0?.timestamp }.max()
      ?? session.now
  }

  /// The feed as whose entry a reader shows a video: a followed one if there is one.
  private func feed(of video: Video, _ sources: State) -> Channel {
    let known = video.sources.compactMap { sources.channels[$0] }
    if let channel = known.first(where: \.isFollowed) ?? known.first { return channel }
    if let source = video.source { return Channel(id: source) }
    var none = Channel(id: .channel(video.channel))
    none.givenTitle = LWWRegister("In no feed yet", by: EventID(reading: 0, device: DeviceID(letters: 0)))
    return none
  }

  // MARK: Marks

  /// Marks videos as a reader requests: read is watched, or skipped by the user's setting. Videos that are already
  /// read stay as they are.
  package func mark(_ videos: [VideoID], read: Bool? = nil, saved: Bool? = nil) throws {
    let readStatus = try session.preferences.readMeans()
    try session.commit {
      try videos.flatMap { id -> [EventBody] in
        guard let video = try session.video(id) else { return [] }
        let isRead = video.status(at: session.now) != .new
        let status = read.flatMap { $0 == isRead ? nil : $0 ? readStatus : Status.new }
        return try Mark(status: status, saved: saved).bodies(for: video, at: session.now)
      }
    }
  }

  /// Marks the unread videos of a list as read.
  package func markAllRead(_ wanted: EntryQuery) throws {
    var wanted = wanted
    wanted.statuses.formIntersection(EntryQuery.unread)
    wanted.limit = .max
    guard !wanted.statuses.isEmpty else { return }
    try mark(select(wanted).videos, read: true)
  }

  // MARK: Subscriptions

  /// What a text names. Throws a `HubProblem` if it names nothing that can be followed.
  package func reference(_ text: String) throws -> ChannelReference {
    do { return try ChannelReference(text) } catch {
      throw HubProblem(400, "\(text): \(UserMessages.reference(error))")
    }
  }

  /// Follows what a text names, with a tag if one is given; returns its ID or its name.
  package func follow(_ text: String, tag: String?) throws -> String {
    let reference = try reference(text)
    let tags = try tag.map { [try TagNames(session.state).given($0)] } ?? []
    var wanted = FollowChanges(tags: tags, seenBefore: nil)
    wanted.add(reference)
    try session.commit { try wanted.bodies(in: session.library.model) }
    // A channel that was found meanwhile must have the number of its name before it is asked for its own.
    try numbers.take(session)
    switch reference {
    case .subscription(let id, _): return id.description
    case .name(let name):
      return try session.state.handles[name.description]?.subscription?.description ?? name.description
    }
  }

  /// Changes a subscription's title or tags where they differ.
  package func change(_ id: SubscriptionID, title: String? = nil, tags: ([String]) throws -> [String] = { $0 }) throws {
    try session.commit { try change(of: id, title: title, tags: tags) }
  }

  /// Replaces a tag of all subscriptions by another one, or removes it. Its number goes to the other one, unless that is in
  /// use and has its own.
  package func replaceTag(_ tag: String, by other: String?) throws {
    let other = try other.map { try ValidatedName($0, of: .tag).text }
    guard other != tag else { return }
    let isMerged = try other.map { other in try readerFeeds().contains { $0.isIn(category: other) } } ?? false
    try session.commit {
      try readerFeeds().filter { $0.isIn(category: tag) }.flatMap { feed in
        try change(of: feed) { tags in HubService.replacing(tag, by: other, in: tags) }
      }
    }
    try numbers.move(.tag, from: tag, to: isMerged ? nil : other)
  }

  /// Tags with one of them replaced or removed, each once.
  package static func replacing(_ tag: String, by other: String?, in tags: [String]) -> [String] {
    var seen: Set<String> = []
    return tags.compactMap { $0 == tag ? other : $0 }.filter { seen.insert($0).inserted }
  }

  /// The events that change a subscription's title or tags where they differ.
  func change(
    of id: SubscriptionID, title: String? = nil, tags: ([String]) throws -> [String]
  ) throws -> [EventBody] {
    guard let channel = try session.state.channels[id], channel.isFollowed else { return [] }
    var change = ChannelChanged(subscription: id)
    if let title, title != channel.title { change.title = title }
    let wanted = try tags(channel.tags)
    if wanted != channel.tags { change.tags = wanted }
    return change.isUserAction ? [.changing(change)] : []
  }
}
