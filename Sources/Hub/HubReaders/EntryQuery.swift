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
  /// Further sets of tags, of each of which one is needed too; no video has one of an empty set.
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
  /// Of saved videos, also those that no feed has shown, behind the others. Programs for reading expect a feed of each.
  package var alsoUnseen = false

  package init(limit: Int) { self.limit = limit }

  /// The statuses that a reader shows as unread, and those that it shows as read.
  package static let unread: Set<Status> = [.new]
  package static let read: Set<Status> = [.watched, .skipped, .snoozed]

  /// Whether the read model's query alone does not determine the result.
  fileprivate var looksFurther: Bool {
    let times = [found.since, found.until, changed.since, changed.until]
    return times.contains { $0 != nil } || number.above != nil || number.below != nil || saved == false
      || !alsoTagged.isEmpty || order == .number || order == .changed
  }

  /// The query with nothing but what the read model selects by, all of its videos.
  fileprivate var ofReadModel: EntryQuery {
    var query = self
    (query.number, query.found, query.changed, query.order) = ((nil, nil), (nil, nil), (nil, nil), .published)
    (query.alsoTagged, query.after, query.offset, query.limit) = ([], nil, 0, 0)
    return query
  }

  /// The read model's query, with the limit unless its result is filtered further.
  fileprivate var query: VideoQuery {
    var query = VideoQuery(
      statuses: statuses, shorts: nil, upcoming: nil, subscriptions: subscriptions, tags: tags, since: published.since,
      until: published.until, order: order == .found ? .found : .published, oldestFirst: oldestFirst,
      limit: looksFurther ? 0 : offset + limit)
    if saved == true { (query.savedOnly, query.hidesNothing, query.alsoGone) = (true, true, true) }
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
}

extension HubService {
  // MARK: Lists

  /// The videos that a query selects, and how many match it whatever its limit.
  package func select(_ wanted: EntryQuery) throws -> (videos: [VideoID], total: Int) {
    if let search = wanted.search, ReadModel.flaw(ofSearch: search) != nil {
      throw HubProblem(400, "search: no words, or too many")
    }
    let selection = try session.query { model in
      let candidates = try wanted.search.map { try model.search($0) }
      return try model.select(wanted.query, at: session.now, among: candidates)
    }
    if wanted.alsoUnseen { return try withUnseen(selection, wanted) }
    guard wanted.looksFurther else { return (Array(selection.ids.dropFirst(wanted.offset)), selection.matching) }
    let videos = try filtered(selection.ids, wanted)
    return (Array(videos.dropFirst(wanted.offset).prefix(wanted.limit)), videos.count)
  }

  /// A page of saved videos, with those behind them that no feed has shown.
  private func withUnseen(_ seen: VideoSelection, _ wanted: EntryQuery) throws -> (videos: [VideoID], total: Int) {
    let query = ReadModel.UnseenQuery(
      statuses: wanted.statuses, channels: nil, followedOnly: false, savedOnly: true, startedOnly: false, words: nil)
    let unseen = try session.query { try $0.unseen(query, at: session.now) }.map(\.id)
    let all = seen.next == nil ? seen.ids + unseen : seen.ids
    return (Array(all.dropFirst(wanted.offset).prefix(wanted.limit)), seen.matching + unseen.count)
  }

  private func filtered(_ videos: [VideoID], _ wanted: EntryQuery) throws -> [VideoID] {
    func isWithin(_ time: Timestamp, _ range: (since: Timestamp?, until: Timestamp?)) -> Bool {
      (range.since.map { time >= $0 } ?? true) && (range.until.map { time < $0 } ?? true)
    }
    var videos = videos
    if wanted.saved == false {
      var query = wanted.ofReadModel
      query.saved = true
      let saved = try Set(session.query { try $0.select(query.query, at: session.now) }.ids)
      videos.removeAll(where: saved.contains)
    }
    for tags in wanted.alsoTagged {
      guard !tags.isEmpty else { return [] }
      var query = wanted.ofReadModel
      (query.subscriptions, query.tags) = (nil, tags)
      let tagged = try Set(session.query { try $0.select(query.query, at: session.now) }.ids)
      videos.removeAll { !tagged.contains($0) }
    }
    let times = [wanted.found.since, wanted.found.until, wanted.changed.since, wanted.changed.until]
    if times.contains(where: { $0 != nil }) || wanted.order == .changed {
      let moments = try session.query { try $0.moments(of: videos) }
      var kept = zip(videos, moments).compactMap { video, moments in
        moments.map { (video: video, found: $0.found, changed: $0.changed) }
      }
      kept = kept.filter { isWithin($0.found, wanted.found) && isWithin($0.changed, wanted.changed) }
      if wanted.order == .changed {
        kept.sort { $0.changed != $1.changed ? $0.changed < $1.changed : $0.video < $1.video }
        if !wanted.oldestFirst { kept.reverse() }
      }
      videos = kept.map(\.video)
    }
    guard wanted.number.above != nil || wanted.number.below != nil || wanted.order == .number else { return videos }
    var numbered = zip(videos, try numbers(of: videos)).filter { _, number in
      number > wanted.number.above ?? 0 && number < wanted.number.below ?? .max
    }
    if wanted.order == .number { numbered.sort { wanted.oldestFirst ? $0.1 < $1.1 : $0.1 > $1.1 } }
    return numbered.map(\.0)
  }

  /// The entries of videos, in their order; without those that no feed has shown unless `alsoUnseen`.
  package func entries(_ ids: [VideoID], alsoUnseen: Bool = false) throws -> [ReaderEntry] {
    let (videos, sources) = try session.query { try $0.videos(ids, alsoUnseen: alsoUnseen) }
    let numbers = try numbers(of: videos.map(\.id))
    let moments = try session.query { try $0.moments(of: videos.map(\.id)) }
    let texts = try session.texts(of: videos.map(\.description))
    // Numbered together.
    let known = videos.filter { $0.knownChannel != nil || !$0.playlists.isEmpty }
    _ = try self.numbers(.channel, Set(known.map { feed(of: $0, sources).id.description }).sorted())
    return try videos.indices.map { index in
      let video = videos[index]
      let row = VideoRow(video, in: sources, at: session.now) ?? VideoRow(unseen: video, in: sources, at: session.now)
      let feed = feed(of: video, sources)
      var html: [UInt8] = []
      VideoHTML.append(row, description: texts[index], to: &html)
      return ReaderEntry(
        row: row, number: numbers[index], feed: feed,
        feedNumber: video.knownChannel == nil && video.playlists.isEmpty ? 0 : try number(of: feed.id),
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
    return known.first(where: \.isFollowed) ?? known.first ?? Channel(id: .channel(video.knownChannel ?? video.channel))
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
    return change.isUserAction ? [.channelChanged(change)] : []
  }
}
