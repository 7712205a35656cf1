import Core

/// The events behind those values of a video that stand in `Video` without their event.
struct VideoStamps: Equatable, Sendable {
  fileprivate enum Member {
    case title, link, description, thumbnail, views, channelTitle, moved, duration, live, status
  }
  /// The first event with the key of an entry.
  fileprivate var keyed: EventID?
  private var events: [Member: EventID] = [:]

  /// Whether an event writes a member; if so, the member is stamped with it.
  fileprivate mutating func claim(_ member: Member, _ id: EventID) -> Bool {
    if let last = events[member], id <= last { return false }
    events[member] = id
    return true
  }

  /// Applies an event about a video.
  mutating func apply(_ event: Event, to video: inout Video) {
    let id = event.id
    switch event.body {
    case .videoFound(let found): apply(found, id, to: &video)
    case .entryFound(let found): apply(found, id, to: &video)
    case .entryChanged(let change): apply(change, id, to: &video)
    case .videoChanged(let change): apply(change, id, to: &video)
    case .videoEnriched(let response): apply(response, id, to: &video)
    case .videoRemoved(let removed): video.removed.set(removed.removed, by: id)
    case .videoDescribed(let described): video.described.set(described, by: id)
    case .statusSet(let set): apply(set, id, to: &video)
    case .savedSet(let set): video.saved.set(set.saved, by: id)
    case .progressSet(let set): video.progressSet.set(set.seconds, by: id)
    case .noteSet(let set): video.noteSet.set(set.text, by: id)
    case .collectionSet(let set):
      var membership = video.memberships[set.collection]
      membership.set(set.member, by: id)
      video.memberships[set.collection] = membership
    default: break
    }
  }

  private mutating func apply(_ event: VideoFound, _ id: EventID, to video: inout Video) {
    if video.found.map({ id < $0 }) ?? true {
      (video.found, video.channel, video.published) = (id, event.channel, event.published)
    }
    video.feeds.insert(FeedForms(event.feed))
    // A first sight says every member: what it leaves out is empty, or the order of events would matter.
    if claim(.title, id) { video.title = event.title }
    if claim(.link, id) { video.link = Link(event.link) }
    if claim(.views, id) { video.hasZeroViews = event.zeroViews }
    if claim(.description, id) { video.description = event.description }
    if claim(.thumbnail, id) { video.unusualThumbnail = event.thumbnail }
    if let name = event.channelTitle, claim(.channelTitle, id) { video.channelTitle = name }
    if let playlist = event.playlist { video.insert(playlist) }
    if let status = event.status {
      apply(StatusSet(video: event.video, status: status, reason: event.reason), id, to: &video)
    }
  }

  private mutating func apply(_ event: VideoChanged, _ id: EventID, to video: inout Video) {
    if let feed = event.feed { video.feeds.insert(FeedForms(feed)) }
    if let playlist = event.playlist { video.insert(playlist) }
    if let title = event.title, claim(.title, id) { video.title = title }
    if let link = event.link, claim(.link, id) { video.link = Link(link) }
    if let views = event.zeroViews, claim(.views, id) { video.hasZeroViews = views }
    if let text = event.description, claim(.description, id) { video.description = text }
    if let thumbnail = event.thumbnail, claim(.thumbnail, id) { video.unusualThumbnail = thumbnail }
    if let published = event.published, claim(.moved, id) { video.publishedMoved = published }
    if event.title != nil || event.link != nil || event.description != nil { video.noteVisibleChange(id) }
  }

  private mutating func apply(_ event: VideoEnriched, _ id: EventID, to video: inout Video) {
    video.enriched.set(event, by: id)
    if let duration = event.duration, claim(.duration, id) { video.duration = duration }
    if let live = event.live, claim(.live, id) { video.live = live }
    if event.live == .upcoming {
      let known = video.upcoming ?? (id, id)
      video.upcoming = (min(known.first, id), max(known.last, id))
    }
    if event.duration != nil { video.noteVisibleChange(id) }
  }

  fileprivate mutating func apply(_ event: StatusSet, _ id: EventID, to video: inout Video) {
    guard claim(.status, id) else { return }
    (video.statusSet, video.statusChanged) = (event, id)
  }
}

extension VideoStamps {
  fileprivate mutating func apply(_ event: EntryFound, _ id: EventID, to video: inout Video) {
    if video.found.map({ id < $0 }) ?? true {
      let (found, date) = (id.timestamp, event.facts.published)
      (video.found, video.published) = (id, min(date ?? found, found))
      video.entry?.feed = event.feed
      video.entry?.announced = date.flatMap { $0 > found.adding(seconds: 86_400) ? $0 : nil }
    }
    if keyed.map({ id < $0 }) ?? true {
      keyed = id
      video.entry?.key = event.key
    }
    if video.link == .unknown { video.link = .article }
    if claim(.title, id) { video.title = event.title }
    apply(event.facts, id, to: &video)
    if let status = event.status {
      apply(StatusSet(video: event.entry, status: status, reason: event.reason), id, to: &video)
    }
  }

  fileprivate mutating func apply(_ event: EntryChanged, _ id: EventID, to video: inout Video) {
    if let title = event.title, claim(.title, id) { video.title = title }
    if let published = event.facts.published, claim(.moved, id) { video.publishedMoved = published }
    apply(event.facts, id, to: &video)
    if let alias = event.alias {
      let aliases = Set(video.entry?.aliases ?? []).union([alias]).sorted()
      video.entry?.aliases = aliases
    }
    if event.isVisible { video.noteVisibleChange(id) }
  }

  private mutating func apply(_ facts: EntryFacts, _ id: EventID, to video: inout Video) {
    if let link = facts.link { video.entry?.link.set(link, by: id) }
    if let media = facts.media {
      video.entry?.media.set(media, by: id)
      if claim(.link, id) { video.link = Link(media) }
    }
    if let duration = facts.duration, claim(.duration, id) { video.duration = duration }
    if let image = facts.image { video.entry?.image.set(image, by: id) }
    if let author = facts.author { video.entry?.author.set(author, by: id) }
    if let season = facts.season { video.entry?.season.set(season, by: id) }
    if let episode = facts.episode { video.entry?.episode.set(episode, by: id) }
    if let isExplicit = facts.isExplicit { video.entry?.isExplicit.set(isExplicit, by: id) }
    if let text = facts.description, claim(.description, id) { video.description = text }
  }
}

extension Video {
  fileprivate mutating func insert(_ playlist: PlaylistID) {
    if !playlists.contains(playlist) { playlists = (playlists + [playlist]).sorted() }
  }

  fileprivate mutating func noteVisibleChange(_ id: EventID) {
    visiblyChanged = max(visiblyChanged ?? id, id)
  }
}
