import Core
import Import

/// What came of one imported file: every row of it under one count.
struct ImportReport {
  let path: String
  var file: ImportedFile
  /// Subscriptions that were not followed before.
  var new = 0
  /// Subscriptions that were, and got a tag they lacked.
  var tagged = 0
  /// Videos known of these that were marked watched, for they are older than the date of `--seen-before`.
  var seen = 0
  /// The watched videos, by what was done with them.
  var watches: [ImportHistory.Verdict: Int] = [:]
  /// Videos of playlists that were not in the collection before.
  var collected = 0
  /// Those that were.
  var alreadyCollected = 0
  /// Whether a signal ended it before all was marked.
  var isCutShort = false

  init(path: String, file: ImportedFile) {
    self.path = path
    self.file = file
  }

  /// Subscriptions that were followed before.
  var already: Int { file.subscriptions.count - new }

  /// Videos of which nothing was decided, for a signal came before.
  var left: Int {
    let all = file.watches.count + file.collections.reduce(0) { $0 + $1.videos.count }
    return all - watches.values.reduce(0, +) - collected - alreadyCollected
  }

  /// The file's name without its folder and its ending, for a collection that has no other.
  var nameOfFile: String {
    let name = path == "-" ? "Imported" : path.split(separator: "/").last ?? "Imported"
    let stem = name.prefix(upTo: name.dropFirst().lastIndex(of: ".") ?? name.endIndex)
    return String(stem.hasSuffix("-videos") ? stem.dropLast("-videos".count) : stem)
  }

  /// The counts of a history and of playlists, with the words for them.
  private var historyCounts: [(count: Int, words: String)] {
    [
      (watches[.mark] ?? 0, "watched"), (watches[.isWatched] ?? 0, "marked before"),
      (watches[.isDecided] ?? 0, "decided otherwise since"),
      (watches[.isForeign] ?? 0, "of channels not followed"), (collected, "collected"),
      (alreadyCollected, "collected before"), (left, "left"), (file.advertisements, "advertisements"),
      (file.withoutVideo, "without a video"),
    ]
  }

  /// For a person: `subscriptions.csv: 5 read, 5 new, 0 already followed`, and what else there is.
  func text(isDry: Bool) -> String {
    var parts = ["\(file.read) read"]
    if !file.subscriptions.isEmpty || file.watches.isEmpty && file.collections.isEmpty {
      parts += ["\(new) \(isDry ? "would be " : "")new", "\(already) already followed"]
    }
    if tagged > 0 { parts[parts.count - 1] += " (\(tagged) with another tag)" }
    var counts = historyCounts
    counts.insert((file.duplicates, "twice in the file"), at: 0)
    counts.insert((file.unresolved.count, "unresolved"), at: 1)
    counts += [(file.notYouTube.count, "not YouTube"), (file.refused.count, "refused")]
    parts += counts.filter { $0.count > 0 }.map { "\($0.count) \($0.words)" }
    let marked = seen > 0 ? "\(Words.seen(seen))\n" : ""
    return "\(path): \(parts.joined(separator: ", "))\n\(marked)"
  }

  /// For a program. `read` is the sum of all counts but `tagged` and `collections`, and of the refused rows.
  var json: JSONLine {
    var line = JSONLine()
    line.add("file", path)
    line.add("format", file.format.rawValue)
    line.add("read", file.read)
    line.add("new", new)
    line.add("alreadyFollowed", already)
    line.add("duplicates", file.duplicates)
    line.add("unresolved", file.unresolved.count)
    line.add("notYouTube", file.notYouTube.count)
    line.add("refused", refusals)
    line.add("tagged", tagged)
    line.add("watched", watches[.mark] ?? 0)
    line.add("alreadyWatched", watches[.isWatched] ?? 0)
    line.add("decidedOtherwise", watches[.isDecided] ?? 0)
    line.add("notFollowed", watches[.isForeign] ?? 0)
    line.add("advertisements", file.advertisements)
    line.add("withoutVideo", file.withoutVideo)
    line.add("collections", file.collections.count)
    line.add("collected", collected)
    line.add("alreadyCollected", alreadyCollected)
    line.add("left", left)
    return line
  }

  /// The rows that were refused: `FILE:LINE: reason`.
  var refusals: [String] { file.refused.map { "\(place($0.place)): \(Words.refusal($0.reason))" } }

  /// The rows that are not YouTube.
  var foreign: [String] { file.notYouTube.map { "\(place($0.place)): not YouTube: \(DisplayText($0.what).text)" } }

  private func place(_ place: RowPlace) -> String {
    place.entry.map { "\(path):\(DisplayText($0).text):\(place.line)" } ?? "\(path):\(place.line)"
  }
}
