import Core

/// A row that is exported as an object of JSON and as a line of CSV or TSV, with the same members.
package protocol ExportedRow {
  /// The members in order: a contract with the programs that read them.
  static var members: [(name: String, value: @Sendable (Self) -> ExportedValue)] { get }
  /// Members that JSON has after them.
  static var membersOfJSON: [(name: String, value: @Sendable (Self) -> ExportedValue)] { get }
}

/// A value of a member; `null` in JSON and empty in CSV if unknown.
package enum ExportedValue: Sendable {
  case text(String?)
  /// What commands take, and therefore as it is where no spreadsheet reads it; in JSON only a video of YouTube.
  case video(VideoID)
  case number(Int?)
  case flag(Bool)
  case texts([String])
  /// Finished objects, which only JSON has.
  case objects([JSONLine])

  package static func time(_ time: Timestamp?) -> ExportedValue { .text(time?.rfc3339) }
}

extension ExportedRow {
  package static var membersOfJSON: [(name: String, value: @Sendable (Self) -> ExportedValue)] { [] }

  /// The names of the members.
  package static var columns: [String] { members.map(\.name) }

  /// The members as text, and whether each is an ID.
  var cells: [(text: String, isID: Bool)] {
    Self.members.map { member in
      switch member.value(self) {
      case .text(let text): (text ?? "", false)
      case .video(let id): (id.description, true)
      case .number(let number): (number.map { String($0) } ?? "", false)
      case .flag(let flag): (flag ? "true" : "false", false)
      case .texts(let texts): (texts.joined(separator: ", "), false)
      case .objects: ("", false)
      }
    }
  }

  /// The row as a JSON object.
  package var json: JSONLine {
    var line = JSONLine()
    for member in Self.members + Self.membersOfJSON {
      switch member.value(self) {
      case .text(let text): line.add(member.name, text)
      case .video(let id): line.add(member.name, id.youTube?.description)
      case .number(let number): line.add(member.name, number)
      case .flag(let flag): line.add(member.name, flag)
      case .texts(let texts): line.add(member.name, texts)
      case .objects(let objects): line.add(member.name, objects: objects)
      }
    }
    return line
  }
}

extension VideoRow: ExportedRow {
  package static let members: [(name: String, value: @Sendable (VideoRow) -> ExportedValue)] = [
    ("video", { .video($0.video) }),
    ("channel", { .text($0.knownChannel?.description) }),
    ("channelTitle", { .text($0.channelTitle) }),
    ("title", { .text($0.title) }),
    ("url", { .text($0.url) }),
    ("published", { .time($0.knownPublished) }),
    ("found", { .time($0.isSeen ? $0.found : nil) }),
    ("status", { .text($0.isStatusKnown ? $0.status.rawValue : "unknown") }),
    ("snoozedUntil", { .time($0.snoozedUntil) }),
    ("saved", { .flag($0.saved) }),
    ("short", { .text($0.short.rawValue) }),
    ("live", { .text($0.live.rawValue) }),
    ("durationSeconds", { .number($0.durationSeconds) }),
    ("tags", { .texts($0.tags) }),
    ("thumbnail", { .text($0.thumbnail) }),
    ("savedAt", { .time($0.savedAt) }),
  ]
  package static let membersOfJSON: [(name: String, value: @Sendable (VideoRow) -> ExportedValue)] = [
    ("viewCount", { .number($0.views) }),
    ("platform", { .text($0.platform.rawValue) }),
    ("entry", { .text($0.entry == nil ? nil : $0.video.description) }),
    ("feed", { .text($0.entry?.feed?.description) }),
    ("link", { .text($0.entry?.link?.value) }),
    ("media", { .objects($0.entry?.files.map(\.json) ?? []) }),
  ]
}

extension EntryMedia {
  /// `{"url":"https://cdn.example/1.mp3","type":"audio/mpeg","bytes":1234}`; the type is null if unknown.
  fileprivate var json: JSONLine {
    var line = JSONLine()
    line.add("url", url)
    line.add("type", type.isEmpty ? nil : type)
    line.add("bytes", length)
    return line
  }
}

extension ChannelRow: ExportedRow {
  package static let members: [(name: String, value: @Sendable (ChannelRow) -> ExportedValue)] = [
    ("channel", { .text($0.channel.description) }),
    ("title", { .text($0.title) }),
    ("url", { .text($0.url) }),
    ("tags", { .texts($0.tags) }),
    ("feed", { .text($0.feed.rawValue) }),
    ("unwatched", { .number($0.unwatched) }),
    ("lastPublished", { .time($0.lastPublished) }),
    ("lastChecked", { .time($0.lastChecked) }),
    ("failingSince", { .time($0.failingSince) }),
    ("failures", { .number($0.failures) }),
    ("lastAnswer", { .text($0.lastOutcome) }),
    ("verdict", { .text($0.verdict.rawValue) }),
    ("shorts", { .text($0.shorts.rawValue) }),
    ("live", { .text($0.live.rawValue) }),
    ("order", { .text($0.order.rawValue) }),
    ("intervalSeconds", { .number($0.interval.map { Int($0) }) }),
    ("avatarURL", { .text($0.avatar) }),
    ("subscribers", { .number($0.subscribers) }),
    ("videoCount", { .number($0.videoCount) }),
  ]
}

extension WatchedRow: ExportedRow {
  package static let members: [(name: String, value: @Sendable (WatchedRow) -> ExportedValue)] = [
    ("watchedAt", { .time($0.watched) }),
    ("video", { .video($0.row.video) }),
    ("channel", { .text($0.row.knownChannel?.description) }),
    ("channelTitle", { .text($0.row.channelTitle) }),
    ("title", { .text($0.row.title) }),
    ("url", { .text($0.row.url) }),
  ]
  package static let membersOfJSON: [(name: String, value: @Sendable (WatchedRow) -> ExportedValue)] = [
    ("entry", { .text($0.row.entry == nil ? nil : $0.row.video.description) })
  ]
}

extension ChannelMatch: ExportedRow {
  package static let members: [(name: String, value: @Sendable (ChannelMatch) -> ExportedValue)] = [
    ("channel", { .text($0.channel.description) }),
    ("title", { .text($0.title) }),
    ("url", { .text($0.channel.url) }),
    ("source", { .text($0.source.rawValue) }),
    ("avatarURL", { .text($0.avatar) }),
    ("subscribers", { .number($0.subscribers) }),
    ("description", { .text($0.description) }),
  ]
}

extension YouTubeVideo: ExportedRow {
  package static let members: [(name: String, value: @Sendable (YouTubeVideo) -> ExportedValue)] = [
    ("video", { .video($0.video) }),
    ("channel", { .text($0.channel?.description) }),
    ("channelTitle", { .text($0.channelTitle) }),
    ("title", { .text($0.title) }),
    ("url", { .text("https://www.youtube.com/watch?v=\($0.video)") }),
    ("published", { .time($0.published) }),
    ("durationSeconds", { .number($0.durationSeconds) }),
    ("live", { .text($0.live.rawValue) }),
  ]
}
