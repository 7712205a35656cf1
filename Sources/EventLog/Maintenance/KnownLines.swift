import Core

/// The good lines of a file, for checking whether it contains or supersedes a line of another copy.
struct KnownLines {
  /// Fingerprints of the lines; they differ because each line contains its own ID.
  private var lines: Set<UInt64> = []
  private var compaction = Compaction()
  private let now: UInt64

  /// Reads a whole file; `now` in milliseconds since 1970.
  init(of file: File, at now: UInt64) throws(LogError) {
    self.now = now
    var entries = LogLines(file, index: 0, from: 0, after: 0)
    while let entry = try entries.next() {
      guard let bytes = entry.bytes, let line = entry.line else { continue }
      lines.insert(Fingerprint.of(bytes))
      if case .event(let event) = line.content, !HybridClock.isAhead(event.id, of: now) { compaction.note(event) }
    }
  }

  /// Whether the file contains or supersedes each good line of another copy.
  func containAll(of copy: File) throws(LogError) -> Bool {
    var entries = LogLines(copy, index: 0, from: 0, after: 0)
    while let entry = try entries.next() {
      guard let bytes = entry.bytes, let line = entry.line else { continue }
      if case .start = line.content { continue }
      guard lines.contains(Fingerprint.of(bytes)) || supersede(line) else { return false }
    }
    return true
  }

  /// Whether compacting the file would drop this line.
  private func supersede(_ line: Line) -> Bool {
    guard case .event(let event) = line.content, !HybridClock.isAhead(event.id, of: now) else { return false }
    return compaction.isSuperseded(event)
  }
}
