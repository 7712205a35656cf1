import Core

/// Interprets the elements of JSON files by their member names.
extension ImportBuilder {
  /// Adds a subscription: an ID or address as text, `{"service_id":0,"url":…,"name":…}` (NewPipe), `{"id":…,"name":…}`
  /// (FreeTube), `{"channelId":…,"name":…}` (LibreTube), or a `youtube#subscription` (Takeout).
  mutating func subscribe(toJSON value: JSONValue, line: Int) throws(ImportError) {
    if let text = value.text { return try subscribe(to: text, title: nil, tags: [], line: line) }
    // In Takeout's, `snippet.channelId` is the subscriber.
    let snippet = value["snippet"]
    let member = snippet?["resourceId"] ?? value
    let references = ["channelId", "id", "url", "playlistId"].compactMap { member[$0]?.text }
    let title = ["title", "name", "channelName"].compactMap { (snippet ?? value)[$0]?.text }.first
    guard let first = references.first else { return try refuse(.empty, line: line) }
    if let service = value["service_id"]?.number, service != 0 { return try pass(first, line: line) }
    let best = references.first { ChannelReference.subscription(in: $0) != nil } ?? first
    try subscribe(to: best, title: title, tags: [], line: line)
  }

  /// Adds a watched video: an ID as text (Invidious), `{"videoId":…,"watchedAt":…}` (Piped, LibreTube) or
  /// `{"videoId":…,"timeWatched":…}` (FreeTube), the times in milliseconds since 1970.
  mutating func watch(json value: JSONValue, line: Int) throws(ImportError) {
    let text = value.text ?? ["videoId", "url"].compactMap { value[$0]?.text }.first
    guard let text else { return try refuse(.empty, line: line) }
    let milliseconds = ["watchedAt", "timeWatched"].compactMap { value[$0]?.number }.first
    let channel = ["authorId", "uploaderUrl", "channelId"].compactMap { value[$0]?.text }.first
    try watch(text, when: milliseconds.flatMap { Timestamp(milliseconds: $0) }, channel: channel, line: line)
  }

  /// Adds a row of Takeout's history: `{"titleUrl":"https://www.youtube.com/watch?v=…","time":"2024-…Z"}`.
  ///
  /// An advertisement is marked in "details", in the account's language, and has no channel in "subtitles"; removed
  /// videos, posts and searches have no video URL.
  mutating func watch(takeout value: JSONValue, line: Int) throws(ImportError) {
    let details = value["details"]?.elements ?? []
    let saysSo = details.contains { $0["name"]?.text == "From Google Ads" }
    if saysSo || !details.isEmpty && value["subtitles"] == nil { return passAdvertisement() }
    guard let address = value["titleUrl"]?.text else { return passWithoutVideo() }
    let time = value["time"]?.text.flatMap { Timestamp(rfc3339: $0) }
    let channel = value["subtitles"]?.elements?.first?["url"]?.text
    try watch(address, when: time, channel: channel, line: line)
  }

  /// Adds a playlist: its name, and its videos as IDs, addresses, or objects with either.
  mutating func collect(json value: JSONValue, line: Int) throws(ImportError) {
    let title =
      ["title", "name", "playlistName"].compactMap { value[$0]?.text }.first ?? value["playlist"]?["name"]?.text
    let videos = (value["videos"]?.elements ?? []).map { video in
      (text: video.text ?? ["videoId", "id", "url"].compactMap { video[$0]?.text }.first ?? "", line: line)
    }
    try collect(videos, title: title, line: line)
  }
}

extension Timestamp {
  /// The time this many milliseconds after 1970; nil if not finite or out of range.
  fileprivate init?(milliseconds: Double) {
    guard abs(milliseconds) < 1e15 else { return nil }
    self.init(seconds: Int64(milliseconds / 1000))
  }
}
