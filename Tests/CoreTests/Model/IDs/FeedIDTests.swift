import Testing

@testable import Core

/// The IDs that logs contain: a change of any of them makes every entry new again.
private let feeds: [(address: String, id: String)] = [
  ("https://blog.example/feed", "fa3i65nmc6ukl7mqos5ala7efdq"),
  ("http://blog.example", "faudqnt53udlgezsx67uplcob2m"),
  ("https://podcast.example:8080/show.xml?id=3", "fhewsyvioxa7hfnyzijwbsf6vfe"),
  ("https://bücher.example/a/B", "fb2dqhiw6bqxdw65nxkmdcdco4a"),
  ("http://[2001:db8::1]/feed", "fgkdp65pk5rilb5oir6wft3d2by"),
]

@Test("The ID of a feed never changes", arguments: feeds)
func feedIDVectors(address: String, id: String) throws {
  #expect(FeedID(of: try #require(FeedAddress(address))).description == id)
  #expect(FeedID(id)?.description == id)
  #expect(SubscriptionID(id) == FeedID(id).map { .feed($0) })
}

@Test(
  "Spellings of one address have one ID",
  arguments: [
    "http://blog.example/feed", "https://blog.example/feed/", "https://user:secret@Blog.EXAMPLE:443/feed#new",
    " https://blog.example./feed ",
  ])
func feedSpellings(address: String) throws {
  #expect(try #require(FeedAddress(address)).text == "blog.example/feed")
}

@Test(
  "Other addresses have other IDs",
  arguments: ["https://blog.example/Feed", "https://blog.example/feed?", "https://blog.example:8443/feed"])
func otherFeeds(address: String) throws {
  #expect(try #require(FeedAddress(address)).text != "blog.example/feed")
}

@Test("What is not a web address has no ID", arguments: ["", "blog.example", "ftp://blog.example/", "https://"])
func notAFeedAddress(text: String) { #expect(FeedAddress(text) == nil) }

@Test(
  "The ID of an entry never changes",
  arguments: [
    (EntryKeyKind.id, "blog.example/?p=1", "etkhutqq4nv5eqvcihtmago6mum"),
    (.link, "blog.example/2026/hello", "ehmx4ofetrlyr35jduw6ty6d3fe"),
    (.media, "cdn.example/a.mp3", "e7azyws5jg6lalevckm72iytzxu"),
    (.title, "2026-11-28 Hällo", "eayfszqtk3oxookhzd5ypqu7b7e"),
    (.id, "", "epa4ahuz54dskznjdlij7wvntgm"),
  ])
func entryIDVectors(kind: EntryKeyKind, key: String, id: String) throws {
  let feed = try #require(FeedID("fa3i65nmc6ukl7mqos5ala7efdq"))
  let entry = VideoID(of: EntryKey(kind, key), in: feed)
  #expect(entry.description == id)
  #expect(entry.isEntry && entry.youTube == nil)
  #expect(VideoID(id) == entry)
  #expect(VideoID(youTube: id) == nil)
}

@Test("IDs of feeds and entries survive a round trip")
func longIDRoundTrips() {
  var random = SystemRandomNumberGenerator()
  for _ in 0..<500 {
    let (high, low): (UInt64, UInt64) = (
      .random(in: 0...UInt64.max, using: &random), .random(in: 0...UInt64.max, using: &random)
    )
    let (feed, entry) = (FeedID(high: high, low: low), VideoID(entry: high, low))
    #expect(FeedID(feed.description) == feed)
    #expect(VideoID(entry.description) == entry && entry.low == low | 1)
  }
}

@Test(
  "Invalid IDs of feeds and entries are rejected",
  arguments: [
    // Too short, too long, capitals, digits that base32 lacks, spare bits, another first letter.
    "fa3i65nmc6ukl7mqos5ala7efd", "fa3i65nmc6ukl7mqos5ala7efdqq", "fA3i65nmc6ukl7mqos5ala7efdq",
    "f13i65nmc6ukl7mqos5ala7efdq", "fa3i65nmc6ukl7mqos5ala7efdr", "ga3i65nmc6ukl7mqos5ala7efdq",
    "etkhutqq4nv5eqvcihtmago6mun", "etkhutqq4nv5eqvcihtmago6muq", "etkhutqq4nv5eqvcihtmago6mu",
  ])
func notALongID(text: String) {
  #expect(FeedID(text) == nil)
  #expect(VideoID(text) == nil)
  #expect(SubscriptionID(text) == nil)
}

@Test("Videos come before entries, channels before feeds")
func longIDOrder() throws {
  let last = try #require(VideoID("zzzzzzzzzzw"))
  let first = VideoID(entry: 0, 0)
  #expect(last < first && !(first < last))
  #expect(VideoID(entry: 1, 9) < VideoID(entry: 2, 3) && VideoID(entry: 1, 3) < VideoID(entry: 1, 5))
  let ids = [
    "PLmWCw1CzcFilOIgUYuMIJ2iZMo09Ho0va", "UCsXVk37bltHxD1rDPwtNM8Q", "f2dqhiw6bqxdw65nxkmdcdco4ae", feeds[0].id,
  ]
  #expect(ids.shuffled().compactMap { SubscriptionID($0) }.sorted().map(\.description) == ids)
}

@Test("An entry's ID names an entry, and nothing that YouTube knows")
func entryNamed() throws {
  let id = "etkhutqq4nv5eqvcihtmago6mum"
  #expect(try VideoID(naming: " \(id) ").description == id)
  #expect(throws: ReferenceError.self) { try VideoID(youTubeNaming: id) }
  #expect(throws: ReferenceError.self) { try VideoID(naming: "https://www.youtube.com/watch?v=\(id)") }
  #expect(throws: ReferenceError.self) { try VideoID(naming: "https://youtu.be/\(id)") }
  let video = Video(id: try #require(VideoID(id)))
  #expect(video.url.isEmpty && video.thumbnail.isEmpty)
}
