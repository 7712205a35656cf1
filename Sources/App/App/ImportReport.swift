import Core
import Exporters
import Importers
import Messages

/// The result of importing one file; each row is in exactly one count.
package struct ImportReport {
  let path: String
  package var file: ImportedFile
  /// Subscriptions that were not followed before.
  package var new = 0
  /// Feeds of other sites that were not followed before.
  var newFeeds = 0
  /// Subscriptions that were followed before and got a new tag.
  var tagged = 0
  /// Known videos of these subscriptions that were marked watched because they predate `--seen-before`.
  var seen = 0
  /// The number of watched videos by verdict.
  var watches: [ImportHistory.Verdict: Int] = [:]
  /// Positions that were noted, and those that were looked at: the others are known, or of channels not followed.
  var positions = 0
  var positionsPassed = 0
  /// Playlist videos that were added to a collection.
  var collected = 0
  /// Playlist videos that were in the collection before.
  var alreadyCollected = 0
  /// Whether a signal interrupted the import before all videos were marked.
  package var isCutShort = false
  /// The contents of an archive of another home, for which the other counts do not apply; nil for other files.
  package var archive: ArchiveReport?

  /// The number of rows of the file, or of events in an archive.
  package var read: Int { archive?.events ?? file.read }

  /// Whether it may follow something that was not polled yet.
  package var hasUnpolled: Bool {
    new + newFeeds > 0 || !file.unresolved.isEmpty || archive.map { $0.new > 0 } ?? false
  }

  /// The number of subscriptions that were followed before.
  var already: Int { file.subscriptions.count - new }

  /// The number of feeds of other sites that were followed before.
  private var oldFeeds: Int { file.feeds.count - newFeeds }

  /// The number of videos not processed because a signal interrupted the import.
  var left: Int {
    let all = file.watches.count + file.positions.count + file.collections.reduce(0) { $0 + $1.videos.count }
    return all - watches.values.reduce(0, +) - positionsPassed - collected - alreadyCollected
  }

  /// The file's name without folder and extension, used for a collection without a title.
  var nameOfFile: String {
    let name = path == "-" ? "Imported" : path.split(separator: "/").last ?? "Imported"
    let stem = name.prefix(upTo: name.dropFirst().lastIndex(of: ".") ?? name.endIndex)
    return String(stem.hasSuffix("-videos") ? stem.dropLast("-videos".count) : stem)
  }

  /// The report for the user: `subscriptions.csv: 5 read, 5 new, 0 already followed`, then the counts above zero; each on
  /// its own line if they are many, unless all shall be one sentence.
  package func text(isDry: Bool, isSentence: Bool = false) -> String {
    if let archive { return text(of: archive, isDry: isDry) }
    var parts = ["\(file.read) read"]
    if !file.subscriptions.isEmpty || file.watches.isEmpty && file.collections.isEmpty && file.feeds.isEmpty {
      parts += ["\(new) \(isDry ? "would be " : "")new", "\(already) already followed"]
    }
    if tagged > 0 { parts[parts.count - 1] += " (tag added to \(tagged))" }
    func plural(_ count: Int, _ noun: String) -> String { count == 1 ? noun : "\(noun)s" }
    let counts: [(count: Int, text: String)] = [
      (newFeeds, "\(isDry ? "would be " : "")new \(plural(newFeeds, "feed")) of other sites"),
      (oldFeeds, "\(plural(oldFeeds, "feed")) of other sites already followed"),
      (file.duplicates, "duplicate"),
      (file.unresolved.count, plural(file.unresolved.count, "handle") + " not yet looked up"),
      (watches[.mark] ?? 0, "\(isDry ? "would be marked " : "")watched"), (watches[.isWatched] ?? 0, "already watched"),
      (watches[.isDecided] ?? 0, "marked otherwise since"),
      (positions, plural(positions, "position") + (isDry ? " would be noted" : " noted")),
      (positionsPassed - positions, plural(positionsPassed - positions, "position") + " passed over"),
      (watches[.isForeign] ?? 0, "from channels not followed"),
      (collected, "\(isDry ? "would be " : "")added to collections"),
      (alreadyCollected, "already in collections"), (left, "not processed"),
      (file.advertisements, plural(file.advertisements, "advertisement")), (file.withoutVideo, "without a video"),
      (file.videos.count, file.videos.count == 1 ? "video instead of a channel" : "videos instead of channels"),
      (file.archived, "unfollowed there"), (file.notYouTube.count, "not YouTube"), (file.refused.count, "refused"),
    ]
    parts += counts.filter { $0.count > 0 }.map { "\($0.count) \($0.text)" }
    // Also of videos that were in the collection before.
    if file.additionTimes > 0 { parts.append("\(UserMessages.count(file.additionTimes, "time")) of adding not used") }
    if file.withoutTime > 0 { parts.append("\(file.withoutTime) watched without a clear time") }
    let marked = seen > 0 ? "\(UserMessages.seen(seen))\n" : ""
    guard !isSentence, parts.count > ImportReport.maxQueued else {
      return "\(path): \(parts.joined(separator: ", "))\n\(marked)"
    }
    return "\(path): \(parts[0])\n" + parts.dropFirst().map { "  \($0)\n" }.joined() + marked
  }

  /// `home.zip: 3 logs, 1284 events read, 1284 new`.
  private func text(of archive: ArchiveReport, isDry: Bool) -> String {
    let text = ", \(archive.unknown) of a kind this version does not know, kept as they are"
    let unknown = archive.unknown > 0 ? text : ""
    return "\(path): \(UserMessages.count(archive.logs, "log")), \(UserMessages.count(archive.events, "event")) read, "
      + "\(archive.new) \(isDry ? "would be " : "")new\(unknown)\n"
  }

  /// The maximum number of counts in one line.
  private static let maxQueued = 5

  /// One line for all files: `3 files: 12 read, 7 new, 3 already followed`; what a file repeats from one before it is
  /// already followed.
  package static func total(of reports: [ImportReport], isDry: Bool) -> String {
    func sum(_ count: (ImportReport) -> Int) -> Int { reports.reduce(0) { $0 + count($1) } }
    let followed = "\(sum { $0.already + $0.oldFeeds }) already followed"
    let new = "\(sum { $0.new + $0.newFeeds }) \(isDry ? "would be " : "")new, \(followed)"
    let history: [(count: Int, text: String)] = [
      (sum { $0.watches[.mark] ?? 0 }, "watched"), (sum(\.collected), "added to collections"),
      (sum(\.file.refused.count), "refused"),
    ]
    let more = history.filter { $0.count > 0 }.map { ", \($0.count) \($0.text)" }.joined()
    return "\(reports.count) files: \(sum(\.read)) read, \(new)\(more)\n"
  }

  /// The report for programs. `read` is the sum of all counts except `tagged`, `withoutTime`, `additionTimesNotUsed` and
  /// `collections`, plus the refused rows.
  package var json: JSONLine {
    var line = JSONLine()
    line.add("file", path)
    line.add("format", file.format.rawValue)
    line.add("read", read)
    line.add("new", new)
    line.add("alreadyFollowed", already)
    line.add("newFeeds", newFeeds)
    line.add("feedsAlreadyFollowed", oldFeeds)
    line.add("duplicates", file.duplicates)
    line.add("unresolved", file.unresolved.count)
    line.add("notYouTube", file.notYouTube.count)
    line.add("videos", file.videos.count)
    line.add("archived", file.archived)
    line.add("refused", refusals)
    line.add("tagged", tagged)
    line.add("watched", watches[.mark] ?? 0)
    line.add("alreadyWatched", watches[.isWatched] ?? 0)
    line.add("decidedOtherwise", watches[.isDecided] ?? 0)
    line.add("notFollowed", watches[.isForeign] ?? 0)
    line.add("positions", positions)
    line.add("positionsPassedOver", positionsPassed - positions)
    line.add("advertisements", file.advertisements)
    line.add("withoutVideo", file.withoutVideo)
    line.add("withoutTime", file.withoutTime)
    line.add("additionTimesNotUsed", file.additionTimes)
    line.add("collections", file.collections.count)
    line.add("collected", collected)
    line.add("alreadyCollected", alreadyCollected)
    line.add("left", left)
    if let archive { line.add("archive", object: archive.json) } else { line.add("archive", String?.none) }
    return line
  }

  /// One line for each refused row: `FILE:LINE: reason`.
  package var refusals: [String] { file.refused.map { "\(shown($0.location)): \(UserMessages.refusal($0.reason))" } }

  /// One line for each row that is not YouTube, or a video: `FILE:LINE: not YouTube: address`.
  package var foreign: [String] {
    func lines(_ rows: [SkippedRow], _ what: String) -> [String] {
      rows.map { "\(shown($0.location)): \(what): \(DisplayText($0.what).text)" }
    }
    return lines(file.notYouTube, "not YouTube") + lines(file.videos, "a video, not a channel")
  }

  private func shown(_ location: RowLocation) -> String {
    location.entry.map { "\(path):\(DisplayText($0).text):\(location.line)" } ?? "\(path):\(location.line)"
  }
}

extension ArchiveReport {
  fileprivate var json: JSONLine {
    var line = JSONLine()
    line.add("logs", logs)
    line.add("events", events)
    line.add("new", new)
    line.add("unknown", unknown)
    return line
  }
}
