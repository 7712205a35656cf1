import Core

/// A row for view tests; unnamed values are ordinary.
package func sampleRow(
  video: String = "dQw4w9WgXcQ", title: String, channelTitle: String = "A channel", duration: Int? = 253,
  tags: [String] = [], thumbnail: String? = nil, changed: Timestamp? = nil
) throws -> VideoRow {
  let found = try unwrapped(Timestamp(rfc3339: "2026-07-01T15:00:00Z"))
  return VideoRow(
    video: try unwrapped(VideoID(video)), channel: try unwrapped(ChannelID("UCsXVk37bltHxD1rDPwtNM8Q")),
    channelTitle: channelTitle, title: title, url: "https://www.youtube.com/watch?v=\(video)",
    published: try unwrapped(Timestamp(rfc3339: "2026-07-01T14:00:35Z")), found: found, status: .new,
    snoozedUntil: nil, saved: false, short: .unknown, live: .unknown, durationSeconds: duration, tags: tags,
    thumbnail: thumbnail ?? "https://i.ytimg.com/vi/\(video)/hqdefault.jpg", maybeUpcoming: false, progress: 0,
    description: nil,
    visiblyChanged: changed)
}

/// A sample that does not parse.
private struct InvalidSample: Error {}

private func unwrapped<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw InvalidSample() }
  return value
}
