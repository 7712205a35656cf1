import Core
import Importers
import Platform
import ReadModel

/// Imports the watch history and playlists of one file in batches, each appended with one write.
///
/// A crash between two batches loses nothing that was reported; importing the file again does the rest.
struct ImportHistory {
  /// What to do with a video of the watch history.
  enum Verdict: Equatable {
    case mark
    /// Already marked watched.
    case isWatched
    /// The user gave it another status later.
    case isDecided
    /// Its channel is not followed, or missing in the file.
    case isForeign
  }

  /// The result so far.
  var report: ImportReport
  /// Whether videos of channels that are not followed count too.
  let takesAll: Bool
  let followed: Set<ChannelID>
  var progress = ProgressLine(delay: 500)

  /// The number of events per write: about 2 MB, which takes a tenth of a second.
  private static let batch = 10_000

  /// Marks watched videos and fills collections, until done or interrupted by a signal.
  mutating func take(into target: inout ImportTarget, _ interrupt: Interrupt) throws {
    defer { progress.clear() }
    let watches = report.file.watches
    for start in stride(from: 0, to: watches.count, by: ImportHistory.batch) {
      progress.show("\(DisplayText(report.path).text): marking, \(start * 100 / watches.count) %")
      if interrupt.isSignalled() { return report.isCutShort = true }
      try mark(watches[start...].prefix(ImportHistory.batch), &target)
    }
    let positions = report.file.positions
    for start in stride(from: 0, to: positions.count, by: ImportHistory.batch) {
      if interrupt.isSignalled() { return report.isCutShort = true }
      try begin(positions[start...].prefix(ImportHistory.batch), &target)
    }
    for collection in report.file.collections {
      let name = collection.title ?? report.nameOfFile
      if !ImportHistory.isSaved(name) { try create(collection, name, &target) }
      for start in stride(from: 0, to: collection.videos.count, by: ImportHistory.batch) {
        if interrupt.isSignalled() { return report.isCutShort = true }
        try collect(collection.videos[start...].prefix(ImportHistory.batch), name, &target)
      }
    }
  }

  private mutating func mark(_ watches: ArraySlice<ImportedWatch>, _ target: inout ImportTarget) throws {
    var verdicts: [Verdict] = []
    _ = try target.commit { model in
      verdicts = try watches.map { verdict(on: $0, try model.video($0.video)) }
      return try zip(watches, verdicts).flatMap { watch, verdict -> [EventBody] in
        if verdict == .isForeign { return [] }
        return try description(of: watch.video, in: model) + (verdict == .mark ? marks(of: watch, in: model) : [])
      }
    }
    for verdict in verdicts { report.watches[verdict, default: 0] += 1 }
  }

  /// Notes positions in videos that are not watched.
  private mutating func begin(_ positions: ArraySlice<ImportedWatch>, _ target: inout ImportTarget) throws {
    let bodies = try target.commit { model in
      try positions.flatMap { position -> [EventBody] in
        let video = try model.video(position.video)
        guard let seconds = position.progress, isOfInterest(position, video) else { return [] }
        let described = try description(of: position.video, in: model)
        guard video?.progress ?? 0 == 0 else { return described }
        return described + [.progressSet(ProgressSet(video: position.video, seconds: seconds))]
      }
    }
    report.positions += bodies.count { if case .progressSet = $0 { true } else { false } }
    report.positionsPassed += positions.count
  }

  /// Creates a collection that the file has without videos, or with a description.
  private func create(_ collection: ImportedCollection, _ name: String, _ target: inout ImportTarget) throws {
    // A playlist that is empty in another program is no reason for a collection.
    guard collection.isKept || collection.text != nil && !collection.videos.isEmpty else { return }
    _ = try target.commit { model in
      let text = try model.collectionDescriptions()[name] == nil ? collection.text : nil
      let isMissing = try collection.videos.isEmpty && model.collections()[name] == nil
      guard text != nil || isMissing else { return [] }
      return [.collectionChanged(CollectionChanged(collection: name, kept: true, text: text))]
    }
  }

  /// Whether a collection has the name of the built-in one of saved videos.
  private static func isSaved(_ name: String) -> Bool {
    NormalizedName(name) == NormalizedName(NamedCollection.saved)
  }

  private func marks(of watch: ImportedWatch, in model: ReadModel) throws -> [EventBody] {
    let mark = StatusSet(video: watch.video, status: .watched, at: watch.when, reason: StatusSet.history)
    guard let progress = watch.progress, try model.video(watch.video)?.progress ?? 0 == 0 else {
      return [.statusSet(mark)]
    }
    return [.statusSet(mark), .progressSet(ProgressSet(video: watch.video, seconds: progress))]
  }

  /// What the file says of a video that no feed has shown, and nothing else said before.
  private func description(of id: VideoID, in model: ReadModel) throws -> [EventBody] {
    guard let described = report.file.descriptions[id] else { return [] }
    let video = try model.video(id)
    guard video?.found == nil, let whole = described.completing(video?.described?.value) else { return [] }
    return [.videoDescribed(whole)]
  }

  private mutating func collect(
    _ videos: ArraySlice<VideoID>, _ name: String, _ target: inout ImportTarget
  ) throws {
    let bodies = try target.commit { model in
      try videos.flatMap { id -> [EventBody] in
        let video = try model.video(id)
        if ImportHistory.isSaved(name) {
          let set = SavedSet(video: id, saved: true)
          return try description(of: id, in: model) + (video?.isSaved == true ? [] : [.savedSet(set)])
        }
        let isMember = video?.collections.contains(name) == true
        let set = CollectionSet(video: id, collection: name, member: true)
        return try description(of: id, in: model) + (isMember ? [] : [.collectionSet(set)])
      }
    }
    let added = bodies.count { body in
      switch body {
      case .collectionSet, .savedSet: true
      default: false
      }
    }
    report.collected += added
    report.alreadyCollected += videos.count - added
  }

  /// Whether what the file says of a video counts: its channel is followed, a feed has shown it, or everything counts.
  private func isOfInterest(_ watch: ImportedWatch, _ video: Video?) -> Bool {
    takesAll || video?.found != nil || watch.channel.map { followed.contains($0) } ?? false
  }

  /// What to do with a watched video. The user's own mark stands unless the video was watched later.
  func verdict(on watch: ImportedWatch, _ video: Video?) -> Verdict {
    guard isOfInterest(watch, video) else { return .isForeign }
    guard let video, let decided = video.statusChanged else { return .mark }
    let set = video.statusSet
    if set.status == .watched { return .isWatched }
    if set.reason == "backfill" || set.reason == StatusSet.undone { return .mark }
    return watch.when.map { decided.timestamp < $0 } ?? false ? .mark : .isDecided
  }
}
