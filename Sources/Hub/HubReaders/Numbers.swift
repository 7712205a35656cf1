import App
import Core
import HubCore
import HubStore
import Library
import ReadModel

/// The numbers by which other programs identify videos, subscriptions, tags and collections.
extension HubService {
  package func numbers(of videos: [VideoID]) throws -> [Int] { try numbers(.video, videos.map(\.description)) }

  package func number(of feed: SubscriptionID) throws -> Int { try number(ofName: feed.description) }

  package func number(ofName name: String) throws -> Int { try numbers(.channel, [name]).first ?? 0 }

  /// The number of a tag; the empty one stands for subscriptions without tags.
  package func number(ofTag tag: String) throws -> Int { try numbers(.tag, [tag]).first ?? 0 }

  /// The tag with a number; nil if the user never had one.
  package func tag(_ number: Int) throws -> String? { try numbers.keys(.tag, [number]).first ?? nil }

  package func number(ofCollection name: String) throws -> Int { try numbers(.collection, [name]).first ?? 0 }

  /// The collection with a number; nil if the user never had one.
  package func collection(_ number: Int) throws -> String? { try numbers.keys(.collection, [number]).first ?? nil }

  /// The followed subscription with a number, also with that of the name by which it was followed; nil if absent.
  package func followedFeed(_ number: Int) throws -> Channel? {
    let feed = try (numbers.keys(.channel, [number]).first ?? nil).flatMap(readerFeed(key:))
    guard case .channel(let channel)? = feed else { return nil }
    return channel
  }

  /// The followed subscription with a number. Throws a `HubProblem` otherwise.
  package func feed(_ number: Int) throws -> Channel {
    guard let channel = try followedFeed(number) else { throw HubProblem(404, "Resource Not Found") }
    return channel
  }

  /// The videos with these numbers, without those that the user knows nothing of.
  package func videos(_ numbers: [Int]) throws -> [VideoID] {
    let ids = try self.numbers.keys(.video, numbers).compactMap { $0.flatMap { VideoID($0) } }
    let (videos, sources) = try session.query { try $0.videos(ids, alsoUnseen: true) }
    return videos.filter { video in
      video.isSaved || video.statusChanged != nil || video.progress > 0 || !video.collections.isEmpty
        || video.sources.contains { sources.channels[$0]?.isFollowed == true }
    }
    .map(\.id)
  }
}
