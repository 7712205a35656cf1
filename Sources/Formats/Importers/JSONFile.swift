import Core
import JSON

/// A JSON file with one value, parsed as a stream: Takeout's subscriptions and history, NewPipe's subscriptions, the
/// backups of LibreTube, Piped, Invidious and Unwatched.
struct JSONFile {
  private var builder: ImportBuilder
  /// The format, as far as known by now.
  private var format: ImportFormat?
  private var groups: [JSONValue] = []

  /// Reads a whole file; throws `notUnderstood` if it contains nothing known.
  static func read(_ bytes: ByteReader, limits: ImportLimits, entry: String?) throws(ImportError) -> ImportBuilder {
    var reader = JSONReader(bytes)
    var file = JSONFile(builder: ImportBuilder(format: .newPipe, limits: limits, entry: entry))
    try ImportError.reading {
      switch try reader.nextKind() {
      case .object: try reader.forEachMember { name, reader in try file.takeMember(name, &reader) }
      case .array: try reader.forEachElement { reader in try file.takeElement(&reader) }
      default: throw ImportError.notUnderstood(looksLike: .json)
      }
      try reader.expectEnd()
    }
    guard let format = file.format else { throw .notUnderstood(looksLike: .json) }
    file.builder.recognise(format)
    for group in file.groups { file.tag(by: group) }
    if format == .watchHistoryJSON { file.builder.trimTakeoutTitles() }
    return file.builder
  }

  /// Handles a member of the outermost object by name.
  private mutating func takeMember(_ name: String, _ reader: inout JSONReader) throws {
    recognise(memberOf: name)
    guard try reader.nextKind() == .array else { return try reader.skip() }
    switch name {
    case "subscriptions", "localSubscriptions":
      try reader.forEachElement { reader in
        let (value, line) = try reader.valueAndLine()
        if format == nil {
          let isUnwatched = value["isArchived"] != nil || value["youtubeChannelId"] != nil
          format = value.text != nil ? .invidious : isUnwatched ? .unwatched : .newPipe
        }
        try builder.subscribe(toJSON: value, line: line)
      }
    case "watch_history", "watchHistory":
      try reader.forEachElement { reader in
        let (value, line) = try reader.valueAndLine()
        try builder.watch(json: value, line: line)
      }
    case "playlists", "localPlaylists":
      try reader.forEachElement { reader in
        let (value, line) = try reader.valueAndLine()
        try builder.collect(json: value, line: line)
      }
    case "groups", "channelGroups": groups += try reader.value().elements ?? []
    default: try reader.skip()
    }
  }

  /// Detects the format by a member name that only one format has. NewPipe's and Invidious' `subscriptions` differ only
  /// in their elements.
  private mutating func recognise(memberOf name: String) {
    switch name {
    case "watch_history": format = .invidious
    case "format", "localSubscriptions", "groups", "channelGroups", "watchHistory", "localPlaylists": format = .piped
    case "app_version", "app_version_int": format = .newPipe
    case "playlists": format = format ?? .invidious
    default: break
    }
  }

  /// Handles an element of the outermost array: a subscription, a history row, a playlist or an ID.
  private mutating func takeElement(_ reader: inout JSONReader) throws {
    let (value, line) = try reader.valueAndLine()
    if value["snippet"] != nil {
      format = format ?? .takeoutJSON
      try builder.subscribe(toJSON: value, line: line)
    } else if JSONFile.isOfHistory(value) {
      format = format ?? .watchHistoryJSON
      try builder.watch(takeout: value, line: line)
    } else if value["videos"] != nil {
      format = format ?? .freeTube
      try builder.collect(json: value, line: line)
    } else if value.text != nil || value["id"]?.text != nil || value["url"]?.text != nil {
      format = format ?? .plainList
      try builder.subscribe(toJSON: value, line: line)
    } else {
      try builder.refuse(.empty, line: line)
    }
  }

  /// Whether an element is a row of Takeout's history. Until 2021 the rows of removed videos had neither an address nor
  /// the activity controls: `{"header":"YouTube","title":"…","time":"2019-…Z","products":["YouTube"]}`.
  private static func isOfHistory(_ value: JSONValue) -> Bool {
    value["titleUrl"] != nil || value["activityControls"] != nil
      || value["time"] != nil && (value["header"] != nil || value["products"] != nil)
  }

  /// Tags the channels of a group (`{"groupName":"Craft","channels":["UC…"]}`) with its name.
  private mutating func tag(by group: JSONValue) {
    guard let name = group["groupName"]?.text ?? group["name"]?.text else { return }
    for channel in group["channels"]?.elements ?? [] {
      let text = channel.text ?? channel["channelId"]?.text ?? ""
      if let channel = ChannelReference.subscription(in: text)?.channel { builder.tag(channel, with: name) }
    }
  }
}

/// Interprets the elements of JSON files by their member names.
extension ImportBuilder {
  /// Adds a subscription: an ID or address as text, `{"service_id":0,"url":…,"name":…}` (NewPipe), `{"id":…,"name":…}`
  /// (FreeTube), `{"channelId":…,"name":…}` (LibreTube), `{"youtubeChannelId":…,"link":…,"title":…}` (Unwatched, which
  /// keeps what was unfollowed: `"isArchived":true`), or a `youtube#subscription` (Takeout).
  mutating func subscribe(toJSON value: JSONValue, line: Int) throws(ImportError) {
    if let text = value.text { return try subscribe(to: text, title: nil, tags: [], line: line) }
    // In Takeout's, `snippet.channelId` is the subscriber.
    let snippet = value["snippet"]
    let member = snippet?["resourceId"] ?? value
    // The playlist before the channel, which Unwatched has beside it.
    let names = ["youtubePlaylistId", "youtubeChannelId", "channelId", "id", "url", "playlistId", "link"]
    let references = names.compactMap { member[$0]?.text }
    let title = ["title", "name", "channelName"].compactMap { (snippet ?? value)[$0]?.text }.first
    guard let first = references.first else { return try refuse(.empty, line: line) }
    if value["isArchived"] == .boolean(true) { return count(\.archived) }
    if let service = value["service_id"]?.number, service != 0 { return try pass(first, line: line) }
    let best =
      references.first { ChannelReference.subscription(in: $0) != nil }
      ?? references.first { ChannelReference.isYouTube($0) } ?? references.last { !$0.isEmpty } ?? first
    try subscribe(to: best, title: title, tags: [], line: line)
  }

  /// Adds a watched video: an ID as text (Invidious), `{"videoId":…,"watchedAt":…}` (Piped, LibreTube) or
  /// `{"videoId":…,"timeWatched":…}` (FreeTube), the times in milliseconds since 1970.
  mutating func watch(json value: JSONValue, line: Int) throws(ImportError) {
    let text = value.text ?? ["videoId", "url"].compactMap { value[$0]?.text }.first
    guard let text else { return try refuse(.empty, line: line) }
    let milliseconds = ["watchedAt", "timeWatched"].compactMap { value[$0]?.number }.first
    let channel = ImportBuilder.channel(of: value)
    describe(json: value, as: text, from: VideoDescribed.history)
    try watch(
      text, when: milliseconds.flatMap { Timestamp(milliseconds: $0) }, channel: channel,
      progress: ImportBuilder.progress(of: value), line: line)
  }

  /// Notes what an object of FreeTube, LibreTube or Piped says of its video: `"title"`, `"author"` or `"uploader"`,
  /// `"published"` or `"uploaded"` in milliseconds since 1970, `"lengthSeconds"` or `"duration"`.
  private mutating func describe(json value: JSONValue, as text: String, from source: String) {
    func number(_ names: String...) -> Double? { names.compactMap { value[$0]?.number }.first }
    describe(
      text, title: value["title"]?.text, channel: ImportBuilder.channel(of: value),
      channelTitle: ["author", "uploader", "uploaderName"].compactMap { value[$0]?.text }.first,
      published: number("published", "uploaded", "uploadDate").flatMap { Timestamp(milliseconds: $0) },
      duration: number("lengthSeconds", "duration").flatMap { Int(exactly: $0.rounded()) }, from: source)
  }

  /// Where playback of a watched video stopped, `"watchProgress"` in seconds; nil if that was in its last minute.
  private static func progress(of value: JSONValue) -> Int? {
    guard let progress = value["watchProgress"]?.number.flatMap({ Int(exactly: $0.rounded()) }) else { return nil }
    let length = value["lengthSeconds"]?.number ?? 0
    return length > 0 && Double(progress) >= length - 60 ? nil : progress
  }

  private static func channel(of value: JSONValue) -> String? {
    ["authorId", "uploaderUrl", "channelId"].compactMap { value[$0]?.text }.first
  }

  /// Adds a row of Takeout's history: `{"titleUrl":"https://www.youtube.com/watch?v=…","time":"2024-…Z"}`.
  ///
  /// An advertisement is marked in "details", in the account's language, and has no channel in "subtitles"; removed
  /// videos, posts and searches have no video URL.
  mutating func watch(takeout value: JSONValue, line: Int) throws(ImportError) {
    let details = value["details"]?.elements ?? []
    let saysSo = details.contains { $0["name"]?.text == "From Google Ads" }
    if saysSo || !details.isEmpty && value["subtitles"] == nil { return count(\.advertisements) }
    guard let address = value["titleUrl"]?.text else { return count(\.withoutVideo) }
    let time = value["time"]?.text.flatMap { Timestamp(rfc3339: $0) }
    let author = value["subtitles"]?.elements?.first
    let channel = author?["url"]?.text
    describe(address, title: value["title"]?.text, channel: channel, channelTitle: author?["name"]?.text)
    try watch(address, when: time, channel: channel, line: line)
  }

  /// Adds a playlist: its name, and its videos as IDs, addresses, or objects with either.
  mutating func collect(json value: JSONValue, line: Int) throws(ImportError) {
    let given =
      ["title", "name", "playlistName"].compactMap { value[$0]?.text }.first ?? value["playlist"]?["name"]?.text
    // What this program exports may have no videos, and has saved videos under a name that FreeTube knows.
    let isOwn = value["_id"]?.text?.hasPrefix("metube-rss-") ?? false
    let title = value["_id"]?.text == "metube-rss-saved" ? "saved" : given
    let videos = (value["videos"]?.elements ?? []).map { video in
      (text: video.text ?? ["videoId", "id", "url"].compactMap { video[$0]?.text }.first ?? "", line: line)
    }
    for (video, row) in zip(value["videos"]?.elements ?? [], videos) {
      describe(json: video, as: row.text, from: VideoDescribed.playlist)
      if video["timeAdded"]?.number != nil { count(\.additionTimes) }
    }
    try collect(videos, title: title, text: value["description"]?.text, isKept: isOwn, line: line)
  }
}

extension Timestamp {
  /// The time this many milliseconds after 1970; nil if not finite or out of range.
  init?(milliseconds: Double) {
    guard abs(milliseconds) < 1e15 else { return nil }
    self.init(seconds: Int64(milliseconds / 1000))
  }
}
