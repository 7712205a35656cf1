import Core
import FeedParser
import JSON

/// Apple's directory of podcasts: `{"resultCount":1,"results":[{"feedUrl":"https://…","collectionName":"…"}]}`.
enum AppleLookup {
  /// The feed of the first podcast; nil if there is none, as for those of Apple itself.
  static func feed(in document: [UInt8]) -> FeedCandidate? {
    guard document.count <= limit, let results = JSONValue(document)?["results"]?.elements else { return nil }
    for result in results.prefix(10) {
      guard let url = result["feedUrl"]?.string.flatMap({ WebURL($0) }) else { continue }
      let title = result["collectionName"]?.string.flatMap { PlainText.line($0.utf8.span, .plain, limit: 200) }
      return FeedCandidate(url: url, title: title, certainty: .stated)
    }
    return nil
  }

  private static let limit = 1 << 20
}

/// The page of a user at SoundCloud, which names the user's number: `soundcloud://users:12345`.
enum SoundCloudPage {
  /// The feed of the user.
  static func feed(in document: [UInt8]) -> FeedCandidate? {
    let bytes = Array(document.prefix(limit))
    for mark in marks {
      guard let start = bytes.span.firstIndex(of: mark, from: 0) else { continue }
      let digits = bytes[(start + mark.utf8CodeUnitCount)...].prefix { $0.isDigit }.prefix(16)
      guard !digits.isEmpty else { continue }
      let number = String(decoding: digits, as: UTF8.self)
      let address = "https://feeds.soundcloud.com/users/soundcloud:users:\(number)/sounds.rss"
      return WebURL(address).map { FeedCandidate(url: $0, title: nil, certainty: .stated) }
    }
    return nil
  }

  private static let marks: [StaticString] = ["soundcloud://users:", "soundcloud:users:"]
  private static let limit = 4 << 20
}
