extension Video {
  /// The members that an event may say apart from one another.
  enum Member: UInt8, CaseIterable, Sendable { case title, link, description, thumbnail, views }

  /// Whether an event may write a member; if so, the member is stamped with it.
  private mutating func claim(_ member: Member, by id: EventID) -> Bool {
    guard let shared else { return claimApart(member, by: id, over: nil) }
    let stamp = rare?.members.stamps[member] ?? shared
    return id == shared && stamp == shared ? true : claimApart(member, by: id, over: stamp)
  }

  private mutating func claimApart(_ member: Member, by id: EventID, over stamp: EventID?) -> Bool {
    let current = stamp ?? rare?.members.stamps[member]
    if let current, id <= current { return false }
    updateRare { $0.stamps[member] = id }
    return true
  }
}

// MARK: What YouTube showed

extension Video {
  mutating func apply(_ event: VideoFound, by id: EventID) {
    if found.map({ id < $0 }) ?? true {
      found = id
      channel = event.channel
      published = event.published
    }
    if shared == nil, rare?.members.stamps.isEmpty ?? true { shared = id }
    feeds.insert(FeedForms(event.feed))
    if claim(.title, by: id) { title = event.title }
    if claim(.link, by: id) { link = Link(event.link) }
    if claim(.views, by: id) { hasZeroViews = event.zeroViews }
    // A first sight says every member: what it leaves out is empty, else the order of events would matter.
    if claim(.description, by: id) { description = event.description }
    if claim(.thumbnail, by: id), event.thumbnail != unusualThumbnail {
      updateRare { $0.thumbnail = event.thumbnail }
    }
    if let name = event.channelTitle { updateRare { $0.channelTitle.set(name, by: id) } }
    if let playlist = event.playlist { insert(playlist) }
    if let status = event.status {
      apply(StatusSet(video: self.id, status: status, reason: event.reason), by: id)
    }
  }

  mutating func apply(_ event: VideoChanged, by id: EventID) {
    if let feed = event.feed { feeds.insert(FeedForms(feed)) }
    if let playlist = event.playlist { insert(playlist) }
    if let value = event.title, claim(.title, by: id) { title = value }
    if let value = event.link, claim(.link, by: id) { link = Link(value) }
    if let value = event.zeroViews, claim(.views, by: id) { hasZeroViews = value }
    if let value = event.description, claim(.description, by: id) { description = value }
    if let value = event.thumbnail, claim(.thumbnail, by: id) { updateRare { $0.thumbnail = value } }
    if let value = event.published { updateRare { $0.moved.set(value, by: id) } }
    if event.title != nil || event.link != nil || event.description != nil { noteVisibleChange(by: id) }
  }

  mutating func apply(_ event: VideoEnriched, by id: EventID) {
    updateRare { rare in
      rare.enriched.set(event, by: id)
      if let duration = event.duration { rare.duration.set(duration, by: id) }
      if let live = event.live { rare.live.set(live, by: id) }
      if event.live == .upcoming {
        rare.upcomingFirst = min(rare.upcomingFirst ?? id, id)
        rare.upcomingLast = max(rare.upcomingLast ?? id, id)
      }
    }
    if event.duration != nil { noteVisibleChange(by: id) }
  }

  private mutating func noteVisibleChange(by id: EventID) {
    updateRare { $0.visiblyChanged = max($0.visiblyChanged ?? id, id) }
  }

  mutating func apply(_ event: VideoRemoved, by id: EventID) {
    updateRare { $0.removed.set(event.removed, by: id) }
  }

  private mutating func insert(_ playlist: PlaylistID) {
    guard !playlists.contains(playlist) else { return }
    updateRare { $0.playlists = ($0.playlists + [playlist]).sorted() }
  }
}

// MARK: What the person made of it

extension Video {
  mutating func apply(_ event: StatusSet, by id: EventID) {
    if let stamp = statusStamp, id <= stamp { return }
    statusStamp = id
    statusValue = event.status
    guard glance.hasMembers || event.until != nil || event.at != nil || event.reason != nil else { return }
    updateRare { rare in
      rare.until = event.until
      rare.watchedAt = event.at
      rare.reason = event.reason
    }
  }

  mutating func apply(_ event: SavedSet, by id: EventID) { updateRare { $0.saved.set(event.saved, by: id) } }
  mutating func apply(_ event: CollectionSet, by id: EventID) {
    updateRare { rare in
      var membership = rare.collections[event.collection]
      membership.set(event.member, by: id)
      rare.collections[event.collection] = membership
    }
  }
  mutating func apply(_ event: ProgressSet, by id: EventID) { updateRare { $0.progress.set(event.seconds, by: id) } }
  mutating func apply(_ event: NoteSet, by id: EventID) { updateRare { $0.note.set(event.text, by: id) } }
}
