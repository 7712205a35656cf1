import Core
import Library
import ReadModel

/// The kinds of things that other programs know by numbers.
package enum NumberKind: String, Sendable {
  case video, channel, tag, collection
  /// A video in the order in which a user came to see it.
  case sequence
}

/// The numbers of videos, channels, tags and collections, for programs that know things by integers: positive, below 2^31, in the order
/// of first sight, never reused.
package protocol Numbers: AnyObject {
  /// The numbers of things of a kind, in their order; each gets one at first sight.
  func numbers(of ids: [String], _ kind: NumberKind) throws -> [Int]
  /// The things that have these numbers, in their order; nil for a number that none has.
  func ids(of numbers: [Int], _ kind: NumberKind) throws -> [String?]
}

extension HubService {
  /// The numbers of things of a kind, in their order; each gets one at first sight.
  func numbers(of keys: [String], _ kind: NumberKind) throws -> [Int] { try table().numbers(of: keys, kind) }

  /// The things that have these numbers, in their order; nil for a number that none has.
  private func keys(of numbers: [Int], _ kind: NumberKind) throws -> [String?] {
    try table().ids(of: numbers, kind)
  }

  private func table() throws -> any Numbers {
    guard let numberTable else { throw HubProblem(503, "no numbers can be given") }
    return numberTable
  }

  func numbers(of videos: [VideoID]) throws -> [Int] { try numbers(of: videos.map(\.description), .video) }

  func number(of feed: SubscriptionID) throws -> Int {
    try numbers(of: [feed.description], .channel).first ?? 0
  }

  func number(ofName name: String) throws -> Int { try numbers(of: [name], .channel).first ?? 0 }

  /// The number of a tag, which is the user's own; empty is the number of what has no tag.
  func number(ofTag tag: String) throws -> Int { try numbers(of: ["\(user)/\(tag)"], .tag).first ?? 0 }

  /// The tag with a number; nil if the user never had one.
  func tag(_ number: Int) throws -> String? { try ownKey(number, .tag) }

  /// The number of a collection, which is the user's own.
  func number(ofCollection name: String) throws -> Int {
    try numbers(of: ["\(user)/\(name)"], .collection).first ?? 0
  }

  /// The collection with a number; nil if the user never had one.
  func collection(_ number: Int) throws -> String? { try ownKey(number, .collection) }

  /// The user's own tag or collection with a number.
  private func ownKey(_ number: Int, _ kind: NumberKind) throws -> String? {
    guard let key = try keys(of: [number], kind).first ?? nil, key.hasPrefix("\(user)/") else { return nil }
    return String(key.dropFirst(user.count + 1))
  }

  /// The followed subscription with a number; nil if there is no such.
  func followedFeed(_ number: Int) throws -> Channel? {
    guard let id = try (keys(of: [number], .channel).first ?? nil).flatMap({ SubscriptionID($0) }),
      let channel = try session.state.channels[id], channel.isFollowed
    else { return nil }
    return channel
  }

  /// The followed subscription with a number. Throws a `HubProblem` otherwise.
  func feed(_ number: Int) throws -> Channel {
    guard let channel = try followedFeed(number) else { throw HubProblem(404, "Resource Not Found") }
    return channel
  }

  /// The videos with these numbers, without those that the user knows nothing of.
  func videos(_ numbers: [Int]) throws -> [VideoID] {
    let ids = try keys(of: numbers, .video).compactMap { $0.flatMap { VideoID($0) } }
    let (videos, sources) = try session.query { try $0.videos(ids, alsoUnseen: false) }
    return videos.filter { video in
      video.isSaved || video.statusChanged != nil
        || video.sources.contains { sources.channels[$0]?.isFollowed == true }
    }
    .map(\.id)
  }
}
