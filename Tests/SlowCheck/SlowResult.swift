import Core

/// The expected output of `list`.
package struct SlowResult {
  /// Every matching video, in order, whatever the limit.
  package var videos: [VideoID] = []
  /// How many more there are, by what hides them first.
  package var hidden = Hidden()

  /// The number of videos hidden, by reason.
  package struct Hidden: Equatable, Sendable {
    package var upcoming = 0
    package var shorts = 0
    package var streams = 0
    package var rules = 0
    package var unknownLength = 0

    init() {}

    /// What the product counts.
    package init(upcoming: Int, shorts: Int, streams: Int, rules: Int, unknownLength: Int) {
      (self.upcoming, self.shorts, self.streams) = (upcoming, shorts, streams)
      (self.rules, self.unknownLength) = (rules, unknownLength)
    }
  }
}

extension SlowLibrary {
  /// The response to a query, by testing every video for one condition after the other and sorting the rest; `blocked`
  /// are the videos that rules hide.
  package func result(of question: GeneratedQuery, at now: Timestamp, blocked: Set<VideoID>) -> SlowResult {
    var (result, listed) = (SlowResult(), [SlowVideo]())
    for video in videos.values where isMeant(video, question, now) {
      switch obstacle(video, question, now)
        ?? (!question.noRules && !question.saved && blocked.contains(video.id) ? .rule : nil)
      {
      case nil: listed.append(video)
      case .upcoming: result.hidden.upcoming += 1
      case .short: result.hidden.shorts += 1
      case .stream: result.hidden.streams += 1
      case .rule: result.hidden.rules += 1
      case .unknownLength: result.hidden.unknownLength += 1
      case .notAskedFor: break
      }
    }
    result.videos = arranged(listed, question).map(\.id)
    return result
  }

  /// Whether the query selects only channels set to oldest first.
  package func isSeries(_ question: GeneratedQuery) -> Bool {
    !question.channels.isEmpty && question.channels.allSatisfy { channels[$0]?.isOldestFirst == true }
  }

  private func isMeant(_ video: SlowVideo, _ question: GeneratedQuery, _ now: Timestamp) -> Bool {
    let sources = sources(of: video)
    if let wanted = question.wanted, !wanted.contains(video.status(at: now)) { return false }
    if !question.alsoGone, video.isRemoved || !sources.contains(where: \.isFollowed) { return false }
    if !question.channels.isEmpty {
      let ids = [SubscriptionID.channel(video.channel)] + video.playlists.map { .playlist($0) }
      guard ids.contains(where: question.channels.contains) else { return false }
    }
    if !question.tags.isEmpty, !sources.contains(where: { $0.tags.contains(where: question.tags.contains) }) {
      return false
    }
    if let since = question.since, video.published < since { return false }
    if let until = question.until, video.published >= until { return false }
    if question.saved, !video.isSaved { return false }
    if question.live, !video.isStream { return false }
    guard let search = question.search else { return true }
    let texts = [video.plainTitle, GeneratedText.plain(channelTitle(of: video))]
    return search.split(separator: " ").allSatisfy { word in
      let word = GeneratedText.plain(String(word))
      return texts.contains { $0.has(word) } || video.plainDescription.hasBeginning(of: word)
    }
  }

  private enum Obstacle { case upcoming, short, stream, rule, unknownLength, notAskedFor }

  private func obstacle(_ video: SlowVideo, _ question: GeneratedQuery, _ now: Timestamp) -> Obstacle? {
    let (isToCome, sources) = (video.isToCome(at: now), sources(of: video))
    if question.upcoming == .only, !isToCome { return .notAskedFor }
    if question.shorts == .only, !video.isShort { return .notAskedFor }
    if question.minimum != nil || question.maximum != nil {
      guard let length = video.duration else { return .unknownLength }
      if let minimum = question.minimum, length < minimum { return .notAskedFor }
      if let maximum = question.maximum, length > maximum { return .notAskedFor }
    }
    switch question.upcoming {
    case .show, .only: break
    case .hide: if isToCome { return .upcoming }
    case nil: if isToCome, !question.saved { return .upcoming }
    }
    switch question.shorts {
    case .show, .only: break
    case .hide: if video.isShort { return .short }
    case nil: if video.isShort, !question.saved, !sources.contains(where: \.listsShorts) { return .short }
    }
    if video.isStream, !question.live, !question.saved, question.upcoming != .only,
      sources.contains(where: \.hidesStreams)
    {
      return .stream
    }
    return nil
  }
}

// MARK: Order

extension SlowLibrary {
  private func arranged(_ videos: [SlowVideo], _ question: GeneratedQuery) -> [SlowVideo] {
    switch question.mode {
    case .byTime: byTime(videos, question)
    case .catchUp: catchUp(videos)
    case .mix: mix(videos)
    }
  }

  private func byTime(_ videos: [SlowVideo], _ question: GeneratedQuery) -> [SlowVideo] {
    let sign: Int64 = question.oldest || !question.newest && isSeries(question) ? 1 : -1
    return videos.map { video -> (key: [Int64], name: String, video: SlowVideo) in
      let (published, found) = (sign * video.published, sign * video.found.timestamp.seconds)
      return (question.byFound ? [found, published] : [published], video.id.description, video)
    }.sorted { $0.key == $1.key ? $0.name < $1.name : $0.key.lexicographicallyPrecedes($1.key) }.map(\.video)
  }

  /// The videos of each channel in order of publication, ties by ID.
  private func byChannel(_ videos: [SlowVideo], sign: Int64) -> [[SlowVideo]] {
    Dictionary(grouping: videos, by: \.channel).values.map { videos in
      videos.map { ($0, $0.id.description) }.sorted { left, right in
        left.0.published == right.0.published
          ? left.1 < right.1 : sign * left.0.published < sign * right.0.published
      }.map(\.0)
    }
  }

  private func catchUp(_ videos: [SlowVideo]) -> [SlowVideo] {
    byChannel(videos, sign: 1).sorted { left, right in
      left[0].published == right[0].published
        ? left[0].channel.description < right[0].channel.description : left[0].published < right[0].published
    }.flatMap(\.self)
  }

  private func mix(_ videos: [SlowVideo]) -> [SlowVideo] {
    let queues = byChannel(videos, sign: -1)
    var mixed: [SlowVideo] = []
    for turn in 0..<(queues.map(\.count).max() ?? 0) {
      let heads = queues.filter { turn < $0.count }.map { ($0[turn], $0[turn].id.description) }
      mixed += heads.sorted { left, right in
        left.0.published == right.0.published ? left.1 < right.1 : left.0.published > right.0.published
      }.map(\.0)
    }
    return mixed
  }
}
