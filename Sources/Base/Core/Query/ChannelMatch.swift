/// A channel or playlist that a name may mean; the members and their order are the contract of `follow --format jsonl`.
package struct ChannelMatch: Equatable, Sendable {
  /// Where it is known from.
  package enum Source: String, Sendable, CaseIterable {
    /// It is followed.
    case followed
    /// It was followed earlier.
    case unfollowed
    /// It published a video of a playlist, or of an imported file.
    case seen
    /// A search on YouTube found it.
    case youTube = "youtube"
  }

  package var channel: SubscriptionID
  package var title: String
  package var source: Source
  /// The URL of its picture; nil if unknown.
  package var avatar: String?
  /// Nil if unknown or hidden.
  package var subscribers: Int?
  /// What it says of itself, cut off; nil if unknown.
  package var description: String?

  package init(
    channel: SubscriptionID, title: String, source: Source, avatar: String? = nil, subscribers: Int? = nil,
    description: String? = nil
  ) {
    (self.channel, self.title, self.source) = (channel, title, source)
    (self.avatar, self.subscribers, self.description) = (avatar, subscribers, description)
  }

  /// The choice of a channel about which the log says more than a video does.
  package init(_ channel: Channel) {
    self.init(
      channel: channel.id, title: channel.title,
      source: channel.isFollowed ? .followed : channel.followChanged == nil ? .seen : .unfollowed,
      avatar: channel.avatar, subscribers: channel.enriched?.value.subscribers)
  }

  /// What YouTube found, with what the log knows of the same channel: whether it is followed, and by which title.
  package func known(in state: State) -> ChannelMatch {
    guard let channel = state.channels[self.channel] else { return self }
    var choice = ChannelMatch(channel)
    if choice.source == .seen { choice.source = source }
    if !channel.hasTitle { choice.title = title }
    choice.avatar = choice.avatar ?? avatar
    choice.subscribers = choice.subscribers ?? subscribers
    choice.description = description
    return choice
  }
}

/// A video that a search on YouTube found; no feed need have shown it.
package struct YouTubeVideo: Equatable, Sendable {
  package var video: VideoID
  package var title: String
  /// Nil if the response does not say.
  package var channel: ChannelID?
  package var channelTitle: String
  package var published: Timestamp?
  package var durationSeconds: Int?
  /// Whether it is live or announced.
  package var live: Live

  package init(
    video: VideoID, title: String, channel: ChannelID?, channelTitle: String, published: Timestamp?,
    durationSeconds: Int?, live: Live
  ) {
    (self.video, self.title, self.channel, self.channelTitle) = (video, title, channel, channelTitle)
    (self.published, self.durationSeconds, self.live) = (published, durationSeconds, live)
  }
}

/// What a person typed to find something by name.
package struct SearchText: Equatable, Sendable {
  /// Without blanks around and control characters within.
  package let text: String
  /// The maximum length, in bytes; longer ones name nothing.
  package static let maxBytes = 200

  /// Nil if it is empty or too long.
  package init?(_ typed: String) {
    let words = typed.unicodeScalars.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
    text = words.map { String($0) }.joined(separator: " ")
    guard !text.isEmpty, text.utf8.count <= SearchText.maxBytes else { return nil }
  }
}

extension ReferenceError {
  /// Whether a text that is not a reference may be the name of a channel: `Kurzgesagt`, `UC Berkeley`.
  package var mayBeName: Bool {
    switch self {
    case .notAReference: true
    // An ID that lacks a letter is not a name.
    case .badChannelID(let text): text.utf8.count < 16
    default: false
    }
  }
}
