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

  /// Whether the file contains exactly this line.
  fileprivate func contains(_ line: UnsafeRawBufferPointer) -> Bool { lines.contains(Fingerprint.of(line)) }

  /// Whether compacting the file would drop this line.
  fileprivate func supersede(_ line: Line) -> Bool {
    guard case .event(let event) = line.content, !HybridClock.isAhead(event.id, of: now) else { return false }
    return compaction.isSuperseded(event)
  }
}

/// The lines of one copy that the other neither contains nor supersedes.
struct MissingLines {
  private(set) var count = 0
  /// Whether one of them is of a newer version of the format.
  private(set) var hasLater = false
  /// The line numbers of the last missing line and of the last shared line.
  private var last = (missing: 0, shared: 0)

  /// Whether the other copy lost these lines: each is followed by a shared line, and a log is only written at its end.
  var wereLost: Bool { count > 0 && last.missing < last.shared }

  /// Looks up each good line of a file among the known ones.
  init(of copy: File, in other: KnownLines) throws(LogError) {
    try self.init(of: copy, in: other) { _ in }
  }

  /// Looks up each good line of a file among the known ones, and passes each missing one to `body`, without its
  /// newline.
  init(
    of copy: File, in other: KnownLines, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(LogError) {
    var entries = LogLines(copy, index: 0, from: 0, after: 0)
    while let entry = try entries.next() {
      guard let bytes = entry.bytes, let line = entry.line else { continue }
      if case .start = line.content { continue }
      if other.contains(bytes) {
        last.shared = entries.number
      } else if !other.supersede(line) {
        count += 1
        last.missing = entries.number
        if line.version > LogFormat.version { hasLater = true }
        body(bytes)
      }
    }
  }
}
