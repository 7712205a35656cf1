import Core

/// A log's contents, replayed one event after the other: the slow check. It shares no code with the fold, the
/// snapshots, the views, the rules and the search, except the values that events are made of.
package struct SlowLibrary {
  private(set) var videos: [VideoID: SlowVideo] = [:]
  private(set) var channels: [SubscriptionID: SlowChannel] = [:]
  package private(set) var rules: [String: Rule] = [:]

  /// The library of events, in ID order.
  package init(_ events: [Event]) {
    for event in events { take(event) }
  }

  /// Applies an event later than all before.
  package mutating func take(_ event: Event) {
    switch event.body {
    case .videoFound(let body): take(body, event.id)
    case .ruleSet(let rule): rules[rule.id] = rule
    case .ruleRemoved(let removed): rules[removed.rule] = nil
    case .channelFollowed(let body):
      channels[body.subscription, default: SlowChannel()].isFollowed = true
      if let title = body.title { channels[body.subscription]?.chosenTitle = title }
      if let tags = body.tags { channels[body.subscription]?.tags = tags }
    case .channelUnfollowed(let id): channels[id, default: SlowChannel()].isFollowed = false
    case .channelChanged(let body): take(body)
    default:
      guard let id = event.body.video, var video = videos[id] else { return }
      SlowLibrary.take(event, &video)
      videos[id] = video
    }
  }

  private mutating func take(_ body: ChannelChanged) {
    var channel = channels[body.subscription] ?? SlowChannel()
    channel.chosenTitle = body.title ?? channel.chosenTitle
    channel.name = body.name ?? channel.name
    channel.tags = body.tags ?? channel.tags
    channel.listsShorts = body.shorts.map { $0 == .show } ?? channel.listsShorts
    channel.hidesStreams = body.live.map { $0 == .hide } ?? channel.hidesStreams
    channel.isOldestFirst = body.order.map { $0 == .oldest } ?? channel.isOldestFirst
    channels[body.subscription] = channel
  }

  private mutating func take(_ body: VideoFound, _ id: EventID) {
    precondition(videos[body.video] == nil, "made-up videos are found once")
    var video = SlowVideo(body, by: id)
    (video.link, video.forms, video.channelTitle) = (body.link, [body.feed], body.channelTitle)
    (video.title, video.plainTitle) = (body.title, GeneratedText.plain(body.title))
    video.set(body.description)
    if let playlist = body.playlist { video.playlists = [playlist] }
    if let status = body.status { video.mark = (id, status, nil) }
    videos[body.video] = video
  }

  private static func take(_ event: Event, _ video: inout SlowVideo) {
    switch event.body {
    case .videoChanged(let body):
      if let title = body.title { (video.title, video.plainTitle) = (title, GeneratedText.plain(title)) }
      if let description = body.description { video.set(description) }
      if let link = body.link { video.link = link }
      if let form = body.feed { video.forms.insert(form) }
      if let playlist = body.playlist { video.playlists.insert(playlist) }
    case .videoEnriched(let body):
      video.duration = body.duration ?? video.duration
      video.live = body.live ?? video.live
      video.scheduled = body.scheduled?.seconds
      video.responses.append((event.id, body.live, body.started?.seconds))
    case .videoRemoved(let body): video.isRemoved = body.removed
    case .statusSet(let set): video.mark = (event.id, set.status, set.until?.seconds)
    case .savedSet(let set): video.isSaved = set.saved
    default: break
    }
  }
}

extension SlowVideo {
  fileprivate mutating func set(_ text: Description?) {
    if case .text(let text)? = text?.source { description = text } else { description = "" }
    plainDescription = GeneratedText.plain(description)
  }
}

// MARK: What a video is with what it comes from

extension SlowLibrary {
  /// The channel and the playlists a video comes from, as far as known.
  func sources(of video: SlowVideo) -> [SlowChannel] {
    ([.channel(video.channel)] + video.playlists.map { .playlist($0) }).compactMap { channels[$0] }
  }

  /// The displayed title of a video's channel.
  func channelTitle(of video: SlowVideo) -> String {
    let channel = channels[.channel(video.channel)]
    if let chosen = channel?.chosenTitle, !chosen.isEmpty { return chosen }
    return channel?.name ?? video.channelTitle ?? video.channel.description
  }
}
