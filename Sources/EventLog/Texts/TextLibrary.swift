import Core

/// The index of the texts of a journal's videos, kept in the cache.
///
/// Made and extended only by who asks for texts, never by who appends: a poll does not pay for searches. A question may
/// come before the index knows every text; then the texts themselves are read.
package final class TextLibrary {
  let journal: Journal
  let files: TextFiles
  /// What is known so far; made when it is first asked for, where there is none and there are many videos.
  package private(set) lazy var index = opened()
  private let limits: Limits

  /// From how much on the index is worth its making.
  struct Limits {
    /// With fewer videos all their texts are read as quickly as the index is asked.
    var leastVideos: Int
    /// How many texts may be read because the index lacks them, before it is extended by them.
    var mostUnknown: Int
    /// The most texts in a segment, for one is made in memory.
    var mostTexts: Int

    static let usual = Limits(leastVideos: 1000, mostUnknown: 1000, mostTexts: 1 << 18)
  }

  /// A segment less than so many times as large as what comes is made anew with it: so there are never many of them.
  private static let growth = 4

  /// The index of a journal's texts. Nothing is opened before it is asked for.
  package convenience init(_ journal: Journal) { self.init(journal, .usual) }

  init(_ journal: Journal, _ limits: Limits) {
    self.journal = journal
    self.limits = limits
    files = TextFiles(journal.folders)
  }

  private func opened() -> TextIndex {
    let index = TextIndex(files.entries().map(\.segment))
    guard index.segments.isEmpty, journal.state.videos.count >= limits.leastVideos else { return index }
    return extended()
  }

  /// Extends the index where so many texts were unknown that it pays; a cache that cannot be written is nothing to be
  /// told of.
  package func note(unknownTexts: Int) {
    if unknownTexts > limits.mostUnknown { index = extended() }
  }

  /// The index with every text of the journal's videos.
  private func extended() -> TextIndex {
    // Without it every text is read, as before: what fails costs time and changes no answer.
    try? files.whileAlone { () throws(LogError) in
      let all = files.entries()
      for entry in all where !entry.segment.isWhole { try files.remove(entry.number) }
      let entries = all.filter(\.segment.isWhole)
      let kept = entries.prefix(kept(of: entries.map(\.segment)))
      try add(besides: TextIndex(kept.map(\.segment)))
      for entry in entries.dropFirst(kept.count) { try files.remove(entry.number) }
    }
    return TextIndex(files.entries().map(\.segment))
  }

  /// How many of the segments, the largest first, stay as they are.
  private func kept(of segments: [TextSegment]) -> Int {
    var coming = unknown(in: TextIndex(segments))
    var kept = segments.count
    while kept > 0, segments[kept - 1].count < coming * TextLibrary.growth,
      segments[kept - 1].count + coming <= limits.mostTexts
    {
      coming += segments[kept - 1].count
      kept -= 1
    }
    return kept
  }

  private func unknown(in index: TextIndex) -> Int {
    var count = 0
    journal.state.videos.forEach { video in
      if !index.knows(video.titleKey) { count += 1 }
      if let description = video.description, !index.knows(TextKey(description)) { count += 1 }
    }
    return count
  }

  private func add(besides index: TextIndex) throws(LogError) {
    var builder = TextSegmentBuilder()
    var failure: LogError?
    func add(_ key: TextKey, _ folded: () throws(LogError) -> [UInt8]) {
      guard failure == nil, !index.knows(key), !builder.knows(key) else { return }
      do throws(LogError) {
        builder.add(folded: try folded(), as: key)
        guard builder.count >= limits.mostTexts else { return }
        try files.add(builder.bytes(CRC32C.of))
        builder = TextSegmentBuilder()
      } catch { failure = error }
    }
    journal.state.videos.forEach { video in
      add(video.titleKey) { NormalizedText.bytes(of: video.title) }
      if let description = video.description {
        add(TextKey(description)) { () throws(LogError) in try journal.foldedText(of: description) }
      }
    }
    if let failure { throw failure }
    if builder.count > 0 { try files.add(builder.bytes(CRC32C.of)) }
  }
}
