import Core

/// A channel's feed as YouTube writes it, with invented values.
///
/// It reproduces YouTube's oddities as of 2026: a self link over http, feed ids without their `UC`, no `updated` on the
/// feed, a dead Flash address in `media:content`.
package struct FixtureFeed: Equatable, Sendable {
  /// The channel ID: `UC` and 22 characters.
  package var channel: String
  /// The channel's name, unescaped.
  package var title: String
  /// When the channel was created, in seconds since the epoch.
  package var published: Int
  /// The entries in document order; YouTube's are newest first, at most 15.
  package var entries: [FixtureEntry]

  /// A feed with these values.
  package init(channel: String, title: String, published: Int, entries: [FixtureEntry]) {
    (self.channel, self.title, self.published, self.entries) = (channel, title, published, entries)
  }

  /// The XML document.
  package var xml: String {
    let title = escaped(title)
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <feed xmlns:yt="http://www.youtube.com/xml/schemas/2015" xmlns:media="http://search.yahoo.com/mrss/" \
      xmlns="http://www.w3.org/2005/Atom">
       <link rel="self" href="http://www.youtube.com/feeds/videos.xml?channel_id=\(channel)"/>
       <id>yt:channel:\(channel.dropFirst(2))</id>
       <yt:channelId>\(channel.dropFirst(2))</yt:channelId>
       <title>\(title)</title>
       <link rel="alternate" href="https://www.youtube.com/channel/\(channel)"/>
       <author>
        <name>\(title)</name>
        <uri>https://www.youtube.com/channel/\(channel)</uri>
       </author>
       <published>\(rfc3339(published))</published>

      """
    for entry in entries { text += entry.xml(channel: channel, author: title) }
    return text + "</feed>\n"
  }
}

/// One video in a fixture feed.
package struct FixtureEntry: Equatable, Sendable {
  /// The video ID, 11 characters.
  package var video: String
  /// The title, unescaped.
  package var title: String
  /// Whether the link is that of a Short.
  package var isShort: Bool
  /// In seconds since the epoch.
  package var published: Int
  /// In seconds since the epoch.
  package var updated: Int
  /// The description, unescaped.
  package var description: String
  /// The view count; an upcoming stream has 0.
  package var views: Int

  /// A video with these values.
  package init(
    video: String, title: String, isShort: Bool, published: Int, updated: Int, description: String, views: Int
  ) {
    (self.video, self.title, self.isShort, self.published) = (video, title, isShort, published)
    (self.updated, self.description, self.views) = (updated, description, views)
  }

  /// The `entry` element; `author` must be escaped already.
  fileprivate func xml(channel: String, author: String) -> String {
    let title = escaped(title)
    return """
       <entry>
        <id>yt:video:\(video)</id>
        <yt:videoId>\(video)</yt:videoId>
        <yt:channelId>\(channel)</yt:channelId>
        <title>\(title)</title>
        <link rel="alternate" href="https://www.youtube.com/\(isShort ? "shorts/" : "watch?v=")\(video)"/>
        <author>
         <name>\(author)</name>
         <uri>https://www.youtube.com/channel/\(channel)</uri>
        </author>
        <published>\(rfc3339(published))</published>
        <updated>\(rfc3339(updated))</updated>
        <media:group>
         <media:title>\(title)</media:title>
         <media:content url="https://www.youtube.com/v/\(video)?version=3" type="application/x-shockwave-flash" \
      width="640" height="390"/>
         <media:thumbnail url="https://i1.ytimg.com/vi/\(video)/hqdefault.jpg" width="480" height="360"/>
         <media:description>\(escaped(description))</media:description>
         <media:community>
          <media:starRating count="\(views / 25)" average="5.00" min="1" max="5"/>
          <media:statistics views="\(views)"/>
         </media:community>
        </media:group>
       </entry>

      """
  }
}

/// Text escaped for element content.
private func escaped(_ text: String) -> String {
  guard text.utf8.contains(where: { escapes[$0] != nil }) else { return text }
  return String(decoding: text.utf8.flatMap { escapes[$0] ?? [$0] }, as: UTF8.self)
}

private let escapes: [UInt8: [UInt8]] = [
  UInt8(ascii: "&"): Array("&amp;".utf8), UInt8(ascii: "<"): Array("&lt;".utf8), UInt8(ascii: ">"): Array("&gt;".utf8),
  UInt8(ascii: "\""): Array("&quot;".utf8),
]

/// A time as feeds write it: `2026-07-01T14:00:35+00:00`.
private func rfc3339(_ seconds: Int) -> String { Timestamp(seconds: Int64(seconds)).rfc3339.dropLast() + "+00:00" }
