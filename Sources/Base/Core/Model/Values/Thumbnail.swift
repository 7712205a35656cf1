/// Thumbnail URLs.
enum Thumbnail {
  /// Whether a URL is a standard one that every video has: `https://i3.ytimg.com/vi/ID/hqdefault.jpg`, on any of the
  /// hosts. It need not be stored, because it follows from the ID.
  static func isUsual(_ address: String, of video: VideoID) -> Bool {
    let (bytes, host, file) = (address.utf8.span, ".ytimg.com/vi/" as StaticString, "/hqdefault.jpg" as StaticString)
    let name = bytes.count - file.utf8CodeUnitCount - YouTubeVideoID.length
    let domain = name - host.utf8CodeUnitCount
    guard ("https://i".utf8.count..."https://i99".utf8.count).contains(domain), bytes.has("https://i", at: 0),
      bytes.has(host, at: domain), bytes.has(file, at: name + YouTubeVideoID.length)
    else { return false }
    return YouTubeVideoID(bytes.extracting(name..<name + YouTubeVideoID.length)) == video.youTube
  }

  /// Whether a URL is https on a host of YouTube's thumbnails: `i.ytimg.com`, `i3.ytimg.com`, `img.youtube.com`. A feed
  /// may name any other, such as one in the reader's own network.
  static func isOfYouTube(_ address: String) -> Bool {
    guard WebLink.isSafe(address), address.hasPrefix("https://") else { return false }
    let host = address.dropFirst("https://".count).prefix { $0 != "/" }
    let isName = host.allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }
    return isName && (host == "img.youtube.com" || host.hasSuffix(".ytimg.com"))
  }
}
