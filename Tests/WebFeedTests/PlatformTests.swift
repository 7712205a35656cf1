import Core
import Testing

@testable import WebFeed

/// Feeds by the URLs of platforms.
@Suite struct PlatformTests {
  private func platform(_ text: String) throws -> PlatformFeed? {
    FeedDiscovery.platform(of: try #require(WebURL(text)))
  }

  @Test(
    "Pages of platforms lead to their feeds",
    arguments: [
      ("https://odysee.com/@Name:a", "https://odysee.com/$/rss/@Name:a"),
      ("https://odysee.com/@Name:a/video:b", "https://odysee.com/$/rss/@Name:a"),
      ("https://vimeo.com/staff", "https://vimeo.com/staff/videos/rss"),
      ("https://vimeo.com/channels/staffpicks", "https://vimeo.com/channels/staffpicks/videos/rss"),
      ("https://www.bitchute.com/channel/slug/", "https://www.bitchute.com/feeds/rss/channel/slug/"),
      ("https://nebula.tv/slug", "https://rss.nebula.app/video/channels/slug.rss"),
      ("https://bsky.app/profile/name.bsky.social", "https://bsky.app/profile/name.bsky.social/rss"),
      ("https://old.reddit.com/r/swift/", "https://www.reddit.com/r/swift/.rss"),
      ("https://www.reddit.com/u/name", "https://www.reddit.com/user/name/.rss"),
      ("https://name.substack.com/p/post", "https://name.substack.com/feed"),
      ("https://name.wordpress.com/2026/01/", "https://name.wordpress.com/feed/"),
      ("https://media.ccc.de/c/gpn22", "https://media.ccc.de/c/gpn22/podcast/mp4-hq.xml"),
      ("https://media.ccc.de/", "https://media.ccc.de/podcast-hq.xml"),
    ])
  func stated(page: String, feed: String) throws {
    let url = try #require(WebURL(feed))
    #expect(try platform(page) == .feeds([FeedCandidate(url: url, title: nil, certainty: .stated)]))
  }

  @Test(
    "Patterns that many servers share are guesses",
    arguments: [
      ("https://tube.example/c/name", "https://tube.example/feeds/videos.xml?videoChannelName=name"),
      (
        "https://tube.example/c/name@other.example/videos",
        "https://other.example/feeds/videos.xml?videoChannelName=name"
      ),
      ("https://tube.example/a/name/video-channels", "https://tube.example/feeds/videos.xml?accountName=name"),
      ("https://tube.example/accounts/name", "https://tube.example/feeds/videos.xml?accountName=name"),
      ("https://social.example/@name", "https://social.example/@name.rss"),
    ])
  func guessed(page: String, feed: String) throws {
    let url = try #require(WebURL(feed))
    #expect(try platform(page) == .feeds([FeedCandidate(url: url, title: nil, certainty: .guessed)]))
  }

  @Test("A project has feeds of releases, tags and commits")
  func gitHub() throws {
    guard case .feeds(let feeds) = try platform("https://github.com/owner/project") else { return #expect(Bool(false)) }
    #expect(feeds.map(\.url.path) == ["releases", "tags", "commits"].map { "/owner/project/\($0).atom" })
    #expect(feeds.first?.title == "project: Releases")
    #expect(try platform("https://github.com/owner/project/issues/1") == nil)
  }

  @Test("Others need a document more, a bridge, or have none")
  func others() throws {
    #expect(
      try platform("https://podcasts.apple.com/de/podcast/a-name/id1234567?i=9")
        == .lookup(try #require(WebURL("https://itunes.apple.com/lookup?id=1234567")), .applePodcast))
    #expect(
      try platform("https://m.soundcloud.com/name/tracks")
        == .lookup(try #require(WebURL("https://soundcloud.com/name")), .soundCloudPage))
    #expect(try platform("https://space.bilibili.com/12345") == .bridge(.rssHub, path: "/bilibili/user/video/12345"))
    #expect(try platform("https://open.spotify.com/show/x") == .unsupported(platform: "Spotify"))
    #expect(try platform("https://rumble.com/v123-video.html") == .unsupported(platform: "Rumble"))
    guard case .bridge(.rssBridge, _) = try platform("https://rumble.com/c/Name") else { return #expect(Bool(false)) }
    guard case .feeds(let feeds) = try platform("https://www.twitch.tv/name") else { return #expect(Bool(false)) }
    #expect(feeds.map(\.certainty) == [.foreign])
  }

  @Test("Names are encoded, so that they stay a part of the path")
  func encoding() throws {
    guard case .feeds(let feeds) = try platform("https://tube.example/c/a%26b%3Fc%2Fd") else {
      return #expect(Bool(false))
    }
    #expect(feeds.map(\.url.query) == ["videoChannelName=a%26b%3Fc%2Fd"])
    guard case .feeds(let names) = try platform("https://vimeo.com/a%2F..%2Fb") else { return #expect(Bool(false)) }
    #expect(names.map(\.url.path) == ["/a%2F..%2Fb/videos/rss"])
  }

  @Test(
    "Most URLs say nothing",
    arguments: [
      "https://site.example/", "https://site.example/about", "https://vimeo.com/12345", "https://vimeo.com/watch",
      "https://social.example/@", "https://social.example/@a@b", "https://social.example/@a/123", "https://nebula.tv/",
      "https://odysee.com/$/discover", "https://podcasts.apple.com/de/genre/x", "https://github.com/owner",
      "https://www.reddit.com/r/swift/comments/1/x/", "https://tube.example/c/", "https://evilsubstack.com/",
      "https://tube.example/c/@",
    ])
  func nothing(page: String) throws { #expect(try platform(page) == nil) }

  @Test("Apple's directory names the feed")
  func apple() {
    let found = FeedDiscovery.feed(
      in: Array(#"{"resultCount":1,"results":[{"collectionName":"A show","feedUrl":"https://pod.example/rss"}]}"#.utf8),
      of: .applePodcast)
    #expect(found?.url.text == "https://pod.example/rss" && found?.title == "A show")
    for text in ["", "{}", "[]", #"{"results":[]}"#, #"{"results":[{"feedUrl":"javascript:x"}]}"#, #"{"results":{}}"#] {
      #expect(FeedDiscovery.feed(in: Array(text.utf8), of: .applePodcast) == nil)
    }
  }

  @Test("A page of SoundCloud names the user's number")
  func soundCloud() {
    let page = "<meta property=\"al:ios:url\" content=\"soundcloud://users:12345\">"
    #expect(
      FeedDiscovery.feed(in: Array(page.utf8), of: .soundCloudPage)?.url.text
        == "https://feeds.soundcloud.com/users/soundcloud:users:12345/sounds.rss")
    for text in ["", "soundcloud://users:", "soundcloud://users:x"] {
      #expect(FeedDiscovery.feed(in: Array(text.utf8), of: .soundCloudPage) == nil)
    }
  }

  @Test(
    "What users type is a URL",
    arguments: [
      ("https://site.example/f", "https://site.example/f"), (" site.example ", "https://site.example/"),
      ("site.example/blog?x=1", "https://site.example/blog?x=1"),
      ("feed://site.example/rss", "https://site.example/rss"),
      ("feed:https://site.example/rss", "https://site.example/rss"),
      ("itpc://site.example/p", "https://site.example/p"),
      ("HTTP://Site.Example", "http://site.example/"), ("münchen.example", "https://xn--mnchen-3ya.example/"),
      ("site.example:8080/x", "https://site.example:8080/x"),
    ])
  func typed(text: String, url: String) {
    #expect(FeedDiscovery.url(typed: text)?.text == url)
  }

  @Test(
    "What users type is no URL",
    arguments: [
      "", "word", "two words.example", "@name", "user@mail.example", "ftp://site.example/", "javascript:alert(1)",
      "file:///etc/passwd", "feed:", "://x",
    ])
  func untyped(text: String) { #expect(FeedDiscovery.url(typed: text) == nil) }
}
