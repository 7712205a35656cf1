import Testing

@testable import Core

private let kurz = "UCsXVk37bltHxD1rDPwtNM8Q"
private let list = "PLmWCw1CzcFilOIgUYuMIJ2iZMo09Ho0va"

@Test(
  "Every spelling of a channel's ID or page URL names the channel",
  arguments: [
    kurz, "  \(kurz)\r\n", "https://www.youtube.com/channel/\(kurz)", "http://youtube.com/channel/\(kurz)/videos",
    "m.youtube.com/channel/\(kurz)?view_as=subscriber", "https://music.youtube.com/channel/\(kurz)#top",
    "//www.youtube.com/channel/\(kurz)", "HTTPS://WWW.YOUTUBE.COM/channel/\(kurz)", "/channel/\(kurz)",
    "https://www.youtube.com:443/channel/\(kurz)", "https://www.youtube.com./channel//\(kurz)",
    "https://www.youtube-nocookie.com/channel/\(kurz)", "https://www.youtube.com/channel/UC%73XVk37bltHxD1rDPwtNM8Q",
    "https://www.youtube.com/feeds/videos.xml?channel_id=\(kurz)",
    "feed:https://youtube.com/feeds/videos.xml?channel_id=\(kurz)",
    "https://www.youtube.com/xml/feeds/videos.xml?channel_id=\(kurz)",
    "https://www.youtube.com/feeds/videos.xml?x=1&channel_id=\(kurz)&y", "UUsXVk37bltHxD1rDPwtNM8Q",
    "https://www.youtube.com/feeds/videos.xml?playlist_id=UUsXVk37bltHxD1rDPwtNM8Q",
    "https://www.youtube.com/playlist?list=UUsXVk37bltHxD1rDPwtNM8Q",
    "https://invidious.example.org/feed/channel/\(kurz)", "http://localhost:3000/feed/channel/\(kurz)",
    "https://piped.example.org/channel/\(kurz)", "http://gdata.youtube.com/feeds/base/users/\(kurz)/uploads?alt=rss",
    "https://piped.example.org/feed/unauthenticated/rss?channels=\(kurz)",
    "https://rsshub.example.org/youtube/channel/\(kurz)", "https://rsshub.example.org/youtube/user/\(kurz)",
    "https://rss.example.org/?action=display&bridge=YoutubeBridge&context=By+channel+id&c=\(kurz)&format=Atom",
    "https://rss.example.org/bridge/?action=display&bridge=Youtube&c=\(kurz)",
    "https://mirror.example.org/feeds/videos.xml?channel_id=\(kurz)",
  ])
func channelReferences(text: String) throws {
  let id = try #require(SubscriptionID(kurz))
  #expect(try ChannelReference(text) == .subscription(id, .channel))
}

@Test(
  "A feed of one kind of a channel's videos names the channel and the kind",
  arguments: [("UULF", .videos), ("UUSH", .shorts), ("UULV", .live), ("UU", .channel)] as [(String, FeedForm)])
func formsOfFeed(prefix: String, form: FeedForm) throws {
  let address = "https://www.youtube.com/feeds/videos.xml?playlist_id=\(prefix)sXVk37bltHxD1rDPwtNM8Q"
  let id = try #require(SubscriptionID(kurz))
  #expect(try ChannelReference(address) == .subscription(id, form))
}

@Test(
  "A playlist is recognised by its ID, its page and its feed",
  arguments: [
    list, "https://www.youtube.com/playlist?list=\(list)", "https://music.youtube.com/playlist?list=\(list)&si=x",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=\(list)&index=3", "/playlist?list=\(list)",
    "https://www.youtube.com/feeds/videos.xml?playlist_id=\(list)",
    "https://invidious.example.org/feed/playlist/\(list)", "http://gdata.youtube.com/feeds/api/playlists/\(list)?v=2",
    "http://gdata.youtube.com/feeds/api/playlists/mWCw1CzcFilOIgUYuMIJ2iZMo09Ho0va",
    "https://rsshub.example.org/youtube/playlist/\(list)",
    "https://rss.example.org/?action=display&bridge=YoutubeBridge&context=By+playlist+Id&p=\(list)&format=Atom",
  ])
func playlistReferences(text: String) throws {
  let id = try #require(PlaylistID(list))
  #expect(try ChannelReference(text) == .subscription(.playlist(id), .playlist))
}

@Test(
  "A channel's list without a feed of its own is followed as a playlist",
  arguments: ["UUMOsXVk37bltHxD1rDPwtNM8Q", "UULPsXVk37bltHxD1rDPwtNM8Q"])
func otherListsOfAChannel(text: String) throws {
  let id = try #require(PlaylistID(text))
  #expect(try ChannelReference(text) == .subscription(.playlist(id), .playlist))
}

@Test(
  "Names that need a lookup keep their kind",
  arguments: [
    ("@kurzgesagt", .handle("kurzgesagt")), ("@kurzgesagt/videos", .handle("kurzgesagt")),
    ("https://www.youtube.com/@kurzgesagt?si=x", .handle("kurzgesagt")),
    ("youtube.com/@a.b-c_d·e", .handle("a.b-c_d·e")),
    ("https://www.youtube.com/@%E3%83%86%E3%82%B9%E3%83%88", .handle("テスト")), ("@हिंदी", .handle("हिंदी")),
    ("https://www.youtube.com/c/inanutshell/about", .custom("inanutshell")),
    ("youtube.com/inanutshell", .custom("inanutshell")),
    ("https://m.youtube.com/inanutshell/videos", .custom("inanutshell")),
    ("http://www.youtube.com/user/Kurzgesagt", .user("Kurzgesagt")),
    ("https://www.youtube.com/feeds/videos.xml?user=Kurzgesagt", .user("Kurzgesagt")),
    ("http://gdata.youtube.com/feeds/base/users/Kurzgesagt/uploads?alt=rss", .user("Kurzgesagt")),
  ] as [(String, ChannelName)])
func names(text: String, name: ChannelName) throws { #expect(try ChannelReference(text) == .name(name)) }

@Test(
  "Input that names nothing to follow gives a reason",
  arguments: [
    ("", .notAReference), ("Technology Connections", .notAReference), ("PLAYLIST", .notAReference), ("@", .badName("")),
    ("https://", .notAReference), ("//", .notAReference), ("UC789", .badChannelID("UC789")), ("@a b", .badName("a b")),
    ("https://www.youtube.com/channel/UC1", .badChannelID("UC1")),
    ("https://www.youtube.com/channel/", .namesNothing), ("https://www.youtube.com/c", .namesNothing),
    ("https://www.youtube.com/feeds/videos.xml?channel_id=SWhmkH03AZgk0", .badChannelID("SWhmkH03AZgk0")),
    ("https://www.youtube.com/feeds/videos.xml?playlist_id=../x", .badPlaylistID("../x")),
    ("https://www.youtube.com/feeds/videos.xml", .namesNothing),
    ("https://www.youtube.com/user/%2e%2e%2fx", .badName("../x")),
    ("https://www.youtube.com/user/%2525", .badName("%25")), ("https://www.youtube.com/c/%zz%+1", .badName("%zz%+1")),
    ("https://www.youtube.com/playlist?list=WL", .playlistWithoutFeed("WL")),
    ("https://youtu.be/", .namesNothing), ("https://www.youtube.com/shorts/", .namesNothing),
    ("http://gdata.youtube.com/feeds/api/playlists/x", .badPlaylistID("PLx")),
    ("https://rss.example/?bridge=YoutubeBridge&c=news", .notYouTube),
    ("https://rss.example/?bridge=NewsBridge&c=\(kurz)", .notYouTube),
    ("https://rsshub.example/youtube/user/@kurzgesagt", .notYouTube),
    ("https://piped.example/feed/unauthenticated/rss?channels=\(kurz),\(kurz)", .notYouTube),
    ("https://www.youtube.com/", .namesNothing), ("https://www.youtube.com/feed/subscriptions", .namesNothing),
    ("https://www.youtube.com/results?search_query=x", .namesNothing), ("https://example.com/feed.xml", .notYouTube),
    ("https://www.youtube.com@example.com/@kurzgesagt", .notYouTube),
    ("https://notyoutube.com/@kurzgesagt", .notYouTube),
    ("https://example.com\\@www.youtube.com/@kurzgesagt", .notYouTube),
    ("https://example.com/feed/channel/news", .notYouTube), ("https://example.com/feed/playlist/NEWS", .notYouTube),
    ("https://example.com/user/name", .notYouTube), ("exec:~/bin/feed https://www.youtube.com/@x", .notYouTube),
    ("filter:~/bin/f:https://www.youtube.com/feeds/videos.xml?channel_id=\(kurz)", .notYouTube),
    ("query:Unread:unread = \"yes\"", .notYouTube), ("|cmd", .notYouTube), ("file:///etc/passwd", .notYouTube),
    ("ftp://www.youtube.com/@x", .notYouTube),
  ] as [(String, ReferenceError)])
func refusedReferences(text: String, reason: ReferenceError) {
  #expect(throws: reason) { try ChannelReference(text) }
}

@Test(
  "A video is told from what names nothing",
  arguments: [
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ", "https://youtu.be/dQw4w9WgXcQ?si=x",
    "youtube.com/shorts/dQw4w9WgXcQ", "https://m.youtube.com/live/dQw4w9WgXcQ", "/watch?v=dQw4w9WgXcQ",
    "https://music.youtube.com/watch?v=dQw4w9WgXcQ&list=RDAMVMdQw4w9WgXcQ",
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=WL&index=2", "https://invidious.example/watch?v=dQw4w9WgXcQ",
  ])
func videosInsteadOfChannels(text: String) throws {
  let video = try #require(VideoID("dQw4w9WgXcQ"))
  #expect(throws: ReferenceError.namesVideo(video)) { try ChannelReference(text) }
}

@Test("A text too long for a URL is rejected")
func longReference() {
  let text = "https://www.youtube.com/channel/\(kurz)?" + String(repeating: "x", count: 8192)
  #expect(throws: ReferenceError.notAReference) { try ChannelReference(text) }
}

@Test(
  "Every spelling of a video's ID or page URL names the video",
  arguments: [
    "dQw4w9WgXcQ", " dQw4w9WgXcQ\n", "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    "youtube.com/watch?t=5s&v=dQw4w9WgXcQ",
    "https://m.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ&feature=share#x",
    "https://music.youtube.com/watch?v=dQw4w9WgXcQ",
    "http://youtu.be/dQw4w9WgXcQ?t=5", "https://www.youtube.com/shorts/dQw4w9WgXcQ", "/watch?v=dQw4w9WgXcQ",
    "https://www.youtube.com/live/dQw4w9WgXcQ?si=x", "https://www.youtube.com/embed/dQw4w9WgXcQ",
    "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ/", "https://www.youtube.com/v/dQw4w9WgXcQ",
    "https://invidious.example.org/watch?v=dQw4w9WgXcQ", "https://www.youtube.com/watch?v%3DdQw4w9WgXcQ=&v=dQw4w9WgXcQ",
  ])
func videoReferences(text: String) throws {
  #expect(try VideoID(naming: text) == VideoID("dQw4w9WgXcQ"))
}

@Test("A video ID may begin with a dash")
func dashedVideo() throws { #expect(try VideoID(naming: "-_0aZz19ABU").description == "-_0aZz19ABU") }

@Test(
  "Input that names no video gives a reason",
  arguments: [
    ("", .notAReference), ("dQw4w9WgXcR", .notAReference), ("12", .notAReference), ("@kurzgesagt", .notAReference),
    ("https://www.youtube.com/watch?v=abc", .badVideoID("abc")), ("https://youtu.be/", .namesNothing),
    ("https://www.youtube.com/@kurzgesagt", .namesNothing), ("https://www.youtube.com/watch?list=PL1", .namesNothing),
    ("https://example.com/watch?v=1234", .notYouTube), ("https://example.com/dQw4w9WgXcQ", .notYouTube),
  ] as [(String, ReferenceError)])
func refusedVideos(text: String, reason: ReferenceError) {
  #expect(throws: reason) { try VideoID(naming: text) }
}

@Test("A name gives the page to fetch")
func pagesOfNames() {
  #expect(ChannelName.handle("x").path == "/@x")
  #expect(ChannelName.user("x").path == "/user/x")
  #expect(ChannelName.custom("x").path == "/c/x")
  #expect(ChannelName.handle("x").description == "@x")
}
