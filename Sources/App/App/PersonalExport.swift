import Core
import EventLog
import Exporters
import Library
import Messages
import Platform
import ReadModel

/// A file of what a person watched, saved and collected: in the form of another program, or all of it.
package enum PersonalFormat: String, CaseIterable, Sendable {
  case freeTubeHistory = "freetube-history"
  case freeTubePlaylists = "freetube-playlists"
  case newPipeBackup = "newpipe-backup"
  case takeoutHistory = "takeout-history"
  case takeoutPlaylists = "takeout-playlists"
  case invidious
  case archive

  /// Its media type.
  package var type: String {
    switch self {
    case .freeTubeHistory, .freeTubePlaylists, .takeoutHistory, .invidious: "application/json"
    case .newPipeBackup, .takeoutPlaylists, .archive: "application/zip"
    }
  }

  /// The name of a file for it.
  package var fileName: String {
    switch self {
    case .freeTubeHistory: "history.db"
    case .freeTubePlaylists: "playlists.db"
    case .newPipeBackup: "newpipe.zip"
    case .takeoutHistory: "watch-history.json"
    case .takeoutPlaylists: "takeout-playlists.zip"
    case .invidious: "invidious.json"
    case .archive: "metube-rss.zip"
    }
  }

  /// What the form holds.
  fileprivate var held: Set<PersonalExport.Kind> {
    switch self {
    case .freeTubeHistory: [.watched, .watchTime, .watchedPosition]
    case .freeTubePlaylists: [.saved, .collection, .emptyCollection, .description]
    case .newPipeBackup:
      [
        .subscription, .handle, .tag, .watched, .watchTime, .watchedPosition, .begunPosition, .saved, .collection,
        .emptyCollection,
      ]
    case .takeoutHistory: [.watched, .watchTime]
    case .takeoutPlaylists: [.saved, .collection]
    case .invidious: [.subscription, .watched, .saved, .collection, .description]
    case .archive: Set(PersonalExport.Kind.allCases)
    }
  }
}

/// Writes such a file, and counts what its form cannot hold.
package struct PersonalExport {
  /// What a person's data consist of.
  enum Kind: String, CaseIterable {
    case subscription, handle
    case playlist = "followed playlist"
    case feed = "feed of another site"
    case tag = "tagged channel"
    case watched = "watched video"
    case watchTime = "time of watching"
    case watchedPosition = "position in a watched video"
    case begunPosition = "position in a video that is not watched"
    case saved = "saved video"
    case collection
    case emptyCollection = "empty collection"
    case description = "description of a collection"
    case skipped = "skipped video"
    case snoozed = "snoozed video"
    case note, rule
    /// One of another site's feed that was watched, begun, saved, collected or the like.
    case entry = "marked entry"
    case channelSettings = "channel with settings"
    case preference
  }

  /// What was written.
  package struct Result: Equatable, Sendable {
    /// How many things, and what each is: 12, `video`.
    package var count = 0
    package var noun = "video"
    /// What the form cannot hold, and how many: `3 notes, 2 rules`; nil if it holds everything.
    package var leftOut: String?

    package init() {}
  }

  let format: PersonalFormat
  let session: Session

  package init(_ format: PersonalFormat, in session: Session) { (self.format, self.session) = (format, session) }

  /// Writes the file in parts, so that a long one takes little memory.
  package func write(to output: inout Output) throws -> Result {
    var (result, more) = (Result(), [String]())
    switch format {
    case .freeTubeHistory: (result.count, more) = try writeFreeTubeHistory(to: &output)
    case .freeTubePlaylists: (result.count, result.noun) = (try writeFreeTubePlaylists(to: &output), "playlist")
    case .newPipeBackup: (result.count, more) = try NewPipeBackup(self).write(to: &output)
    case .takeoutHistory: result.count = try writeTakeoutHistory(to: &output)
    case .takeoutPlaylists:
      result.noun = "playlist"
      (result.count, more) = try writeTakeoutPlaylists(to: &output)
    case .invidious: result.count = try writeInvidious(to: &output)
    case .archive:
      let summary = try ArchiveExport(session).write(to: &output)
      (result.count, result.noun) = (summary.events, "event")
      if summary.ahead > 0 {
        more.append(UserMessages.count(summary.ahead, "event") + " dated more than a day ahead of the clock")
      }
      if summary.broken > 0 { more.append(UserMessages.count(summary.broken, "line") + " damaged in the log") }
    }
    let parts = try leftOut(of: PersonalExport.counts(in: session)) + more + PersonalExport.views(in: session)
    result.leftOut = parts.isEmpty ? nil : parts.joined(separator: ", ")
    return result
  }

  /// What each form cannot hold, as far as it is known before a file is written; without those that hold everything.
  package static func leftOut(in session: Session) throws -> [PersonalFormat: String] {
    let (counts, views) = (try counts(in: session), try views(in: session))
    let parts = PersonalFormat.allCases.map { ($0, PersonalExport($0, in: session).leftOut(of: counts) + views) }
    return Dictionary(parts.map { ($0, $1.joined(separator: ", ")) }) { first, _ in first }.filter { !$0.value.isEmpty }
  }

  /// View counts, which no form holds, without their number, if one of the newest videos has one.
  private static func views(in session: Session) throws -> [String] {
    var query = VideoQuery.unwatched
    (query.statuses, query.limit) = (nil, 50)
    let ids = try session.query { try $0.select(query, at: session.now).ids }
    // A damaged table of view counts, which polls fill again, keeps no export from being written.
    let counts = (try? session.workspace.viewCounts(of: ids)) ?? [:]
    return counts.isEmpty ? [] : ["view counts"]
  }

  /// What the form cannot hold, each with its number.
  private func leftOut(of counts: [Kind: Int]) -> [String] {
    Kind.allCases.compactMap { kind in
      guard !format.held.contains(kind), let count = counts[kind], count > 0 else { return nil }
      // What is left out with its video or its collection is not counted again.
      if kind == .watchTime || kind == .watchedPosition, !format.held.contains(.watched) { return nil }
      if kind == .description, !format.held.contains(.collection) { return nil }
      return PersonalExport.text(count, kind)
    }
  }

  /// The counts of what only the archive holds: `3 notes, 2 rules`; nil if there is nothing.
  package static func onlyInArchive(_ session: Session) throws -> String? {
    let counts = try counts(in: session)
    let parts = [Kind.skipped, .snoozed, .note, .rule, .channelSettings, .preference].compactMap { kind in
      counts[kind].flatMap { $0 > 0 ? text($0, kind) : nil }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// `1 time of watching`, `2 times of watching`.
  private static func text(_ count: Int, _ kind: Kind) -> String {
    if kind == .entry { return "\(count) marked \(count == 1 ? "entry" : "entries") of other sites" }
    let parts = kind.rawValue.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let isPhrase = ["time", "position", "description", "channel", "feed"].contains(parts[0])
    guard isPhrase else { return UserMessages.count(count, kind.rawValue) }
    return "\(UserMessages.count(count, String(parts[0]))) \(parts[1])"
  }

  private static func counts(in session: Session) throws -> [Kind: Int] {
    let state = try session.state
    let personal = try session.query { try $0.personalCounts() }
    let collections = try session.query { try $0.collections() }
    let channels = state.followed.filter { $0.id.channel != nil }
    return [
      .subscription: channels.count, .playlist: state.followed.count(where: \.id.isPlaylist),
      .feed: state.followed.count { !$0.id.isYouTube }, .entry: personal.entries,
      .handle: state.unresolved.count, .tag: state.followed.count { !$0.tags.isEmpty }, .watched: personal.watched,
      .watchTime: personal.watched, .watchedPosition: personal.positions - personal.unwatchedPositions,
      .begunPosition: personal.unwatchedPositions, .saved: personal.saved, .skipped: personal.skipped,
      .snoozed: personal.snoozed, .note: personal.notes, .rule: state.rules.count,
      .channelSettings: state.followed.count(where: \.hasSettings),
      .preference: try PreferenceListRow.rows(in: session).count { $0.source == .person },
      .collection: collections.count { $0.value > 0 }, .emptyCollection: collections.count { $0.value == 0 },
      .description: try session.query { try $0.collectionDescriptions() }.count { collections[$0.key] != nil },
    ]
  }
}

// MARK: What is written

extension PersonalExport {
  /// A collection, or what was saved.
  struct List {
    var name: String
    var description: String
    var isSaved: Bool
    var videos: [VideoID]
  }

  /// Calls `body` with each collection by name, and then with the saved videos if there are any; without entries of
  /// feeds of other sites, which no other program knows by their IDs.
  func forEachList(_ body: (List) throws -> Void) throws {
    let descriptions = try session.query { try $0.collectionDescriptions() }
    for name in try session.query({ try $0.collections() }).keys.sorted() {
      let videos = try session.query { try $0.members(of: name) }.filter { !$0.isEntry }
      try body(List(name: name, description: descriptions[name] ?? "", isSaved: false, videos: videos))
    }
    let saved = try session.query { try $0.saved() }.filter { !$0.isEntry }
    if !saved.isEmpty {
      try body(List(name: PersonalExport.savedName, description: "", isSaved: true, videos: saved))
    }
  }

  /// The name of the playlist with what was saved, which imports know again.
  static let savedName = "Saved"

  /// Calls `body` with each video of a list, and when it was added; they are read in parts.
  func forEachMember(of list: List, _ body: (VideoRow, Timestamp) throws -> Void) throws {
    try forEachPart(of: list.videos) { ids in
      let (videos, sources) = try session.query { try $0.videos(ids, alsoUnseen: true) }
      for video in videos {
        let row =
          VideoRow(video, in: sources, at: session.now) ?? VideoRow(unseen: video, in: sources, at: session.now)
        let event = list.isSaved ? video.saved?.id : video.memberships[list.name]?.id
        try body(row, event?.timestamp ?? session.now)
      }
    }
  }

  /// What was watched, the last first, without entries.
  func watched() throws -> [(watched: Timestamp, video: VideoID)] {
    try session.query { try $0.history(since: nil, until: nil, limit: 0) }.rows.filter { !$0.video.isEntry }
  }

  /// Calls `body` with what was watched, the oldest first unless `newestFirst`.
  func forEachWatched(newestFirst: Bool = false, _ body: (WatchedRow) throws -> Void) throws {
    let newest = try watched()
    try forEachPart(of: newestFirst ? newest : newest.reversed()) { part in
      for (time, row) in zip(part.map(\.watched), try session.rows(part.map(\.video), alsoUnseen: true)) {
        try body(WatchedRow(watched: time, row: row))
      }
    }
  }

  func forEachPart<Element>(of all: [Element], _ body: (ArraySlice<Element>) throws -> Void) throws {
    for start in stride(from: 0, to: all.count, by: 500) { try body(all[start...].prefix(500)) }
  }

  /// Words on positions that programs take for the end of the video, and imports therefore leave out.
  static func nearEnd(_ count: Int) -> [String] {
    count > 0 ? ["\(UserMessages.count(count, "position")) in the last minute of a video"] : []
  }
}

extension Channel {
  /// Whether the person chose something for it besides title and tags.
  fileprivate var hasSettings: Bool {
    feedChoice.map { $0.value != .channel } ?? false || shortsChoice != nil || live != .show || order != .newest
      || seenBefore != nil
  }
}

extension VideoRow {
  /// Whether its position is within its last minute.
  var isNearEnd: Bool { progress > 0 && durationSeconds.map { progress >= max($0, 60) - 60 } ?? false }
}
