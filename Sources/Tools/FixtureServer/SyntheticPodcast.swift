import Core

/// A long podcast, the same at every run: its newest episode first, a week between two.
package struct SyntheticPodcast: Sendable {
  /// The number of episodes; the newest has this number, the oldest 1.
  package let episodes: Int

  package init(episodes: Int) { self.episodes = episodes }

  /// When an episode was published.
  package func published(_ number: Int) -> Timestamp { Timestamp(seconds: 1_000_000_000 + Int64(number) * 604_800) }

  /// Seconds that an episode lasts.
  package func duration(_ number: Int) -> Int { 1200 + number * 37 % 4000 }

  /// Bytes of an episode's file.
  package func length(_ number: Int) -> Int64 { Int64(duration(number)) * 16_000 }

  /// The feed as RSS with the elements of iTunes: about 1.3 KB for each episode.
  package var document: [UInt8] {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" \
      xmlns:content="http://purl.org/rss/1.0/modules/content/">
      <channel><title>The Endless Harbour</title><link>https://endless.example/</link><language>en</language>
      <itunes:image href="https://endless.example/cover.jpg"/>

      """
    for number in stride(from: episodes, to: 0, by: -1) { text += item(number) }
    return Array((text + "</channel>\n</rss>\n").utf8)
  }

  private func item(_ number: Int) -> String {
    let notes = (0..<10).map { "<li>\($0 * 7):00 Part \($0) of the talk &amp; of episode \(number)</li>" }.joined()
    return """
      <item><title>Episode \(number)</title><guid isPermaLink="false">endless-\(number)</guid>
      <link>https://endless.example/\(number)</link><pubDate>\(published(number).rfc3339)</pubDate>
      <itunes:duration>\(PlayingTime.text(seconds: duration(number)))</itunes:duration>
      <enclosure url="https://cdn.endless.example/\(number).mp3" length="\(length(number))" type="audio/mpeg"/>
      <content:encoded><![CDATA[<p>What the harbour heard in week \(number).</p><ul>\(notes)</ul>]]></content:encoded></item>

      """
  }
}
