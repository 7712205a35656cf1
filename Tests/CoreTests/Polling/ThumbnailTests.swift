import Testing

@testable import Core

@Test(
  "A thumbnail is https on a host that YouTube uses",
  arguments: [
    ("https://i.ytimg.com/vi/dQw4w9WgXcQ/maxresdefault.jpg", true), ("https://i3.ytimg.com/x?y=1", true),
    ("https://img.youtube.com/vi/x/0.jpg", true), ("http://i.ytimg.com/vi/x/0.jpg", false),
    ("https://169.254.169.254/x", false), ("https://evil.example/.ytimg.com/", false),
    ("https://evil.example?.ytimg.com", false), ("https://i.ytimg.com@evil.example/x", false),
    ("https://evil.example#.ytimg.com/x", false), ("https://notytimg.com/x", false), ("javascript:x", false),
    ("file:///etc/passwd", false), ("", false),
  ])
func thumbnailHosts(address: String, isAllowed: Bool) throws {
  #expect(Thumbnail.isOfYouTube(address) == isAllowed)
  var video = Video(id: try #require(VideoID("dQw4w9WgXcQ")))
  video.unusualThumbnail = address
  #expect(video.thumbnail == (isAllowed ? address : "https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg"))
}
