import Core
import EventLog
import Library
import Messages
import ReadModel

/// Channels and playlists to follow, as the user typed them.
package struct FollowRequest: Equatable, Sendable {
  /// IDs, addresses, handles, or the address of a video of the channel.
  package var channels: [String]
  /// Tags to add to them.
  package var tag: [String] = []
  /// Videos published before this count as watched: `2026-11-01`.
  package var seenBefore: String?

  package init(channels: [String], tag: [String] = [], seenBefore: String? = nil) {
    (self.channels, self.tag, self.seenBefore) = (channels, tag, seenBefore)
  }

  /// What following led to.
  package struct Outcome {
    /// What was followed, or was already.
    package var references: [ChannelReference]
    /// What names nothing that can be followed, with the reason.
    package var refused: [(text: String, reason: ReferenceError)]
    package var events: [Event]
  }

  /// Follows feeds of other sites; returns whether each was not followed before, and the events.
  package func follow(
    _ feeds: [FeedToFollow], in session: Session
  ) throws -> (followed: [(id: SubscriptionID, isNew: Bool)], events: [Event]) {
    let date = try seenBefore.map { try TimeArgument($0, before: session.now, .seenBefore).time }
    let state = try session.state
    var wanted = FollowChanges(tags: try tag.map(TagNames(state).given), seenBefore: date)
    for feed in feeds { wanted.add(feed: feed.url, title: feed.title, tags: []) }
    let events = try session.commit { try wanted.bodies(in: session.library.model) }
    let known = state.feedsByAddress
    let followed = feeds.map { feed in
      let address = FeedAddress(feed.url)
      let id = SubscriptionID.feed(known[address] ?? FeedID(of: address))
      return (id: id, isNew: state.channels[id]?.isFollowed != true)
    }
    return (followed, events)
  }

  /// Follows what can be followed; with `onlyWhole` nothing if anything was refused.
  package func follow(in session: Session, onlyWhole: Bool = false) throws -> Outcome {
    guard !channels.isEmpty else { return Outcome(references: [], refused: [], events: []) }
    let date = try seenBefore.map { try TimeArgument($0, before: session.now, .seenBefore).time }
    let known = try TagNames(session.state)
    var wanted = FollowChanges(tags: try tag.map(known.given), seenBefore: date)
    var refused: [(text: String, reason: ReferenceError)] = []
    for text in channels {
      if let feed = FeedID(text), try session.state.channels[.feed(feed)] != nil {
        wanted.add(again: feed)
        continue
      }
      do { wanted.add(try ChannelReference(text)) } catch {
        if case .namesVideo(let id) = error, let video = try session.query({ try $0.found(id) }) {
          wanted.add(.subscription(.channel(video.channel), .channel))
        } else {
          refused.append((text, error))
        }
      }
    }
    if onlyWhole, !refused.isEmpty { return Outcome(references: [], refused: refused, events: []) }
    let events = try session.commit { try wanted.bodies(in: session.library.model) }
    return Outcome(references: wanted.references, refused: refused, events: events)
  }
}

/// A feed of another site to follow.
package struct FeedToFollow: Equatable, Sendable {
  let url: WebURL
  let title: String?

  package init(url: WebURL, title: String?) { (self.url, self.title) = (url, title) }
}
