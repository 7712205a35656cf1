import Core

/// Events as lines of a log that is no file.
package struct EventLines {
  /// The lines, one after the other.
  package private(set) var bytes: [UInt8] = []
  /// The length of each, with its newline.
  package private(set) var lengths: [Int] = []
  /// The IDs in them.
  package private(set) var ids: [EventID] = []

  package init() {}

  /// Appends the first line of a log of generation 1.
  package mutating func begin(with id: EventID) throws(LogError) {
    try add(id, kind: LogStart.kind) { $0.write(LogStart(device: id.device, generation: 1), id: id) }
  }

  package mutating func add(_ event: Event) throws(LogError) {
    try add(event.id, kind: event.body.kind.rawValue) { $0.write(event) }
  }

  private mutating func add(_ id: EventID, kind: String, _ write: (inout LineWriter) -> Void) throws(LogError) {
    var line = LineWriter()
    write(&line)
    if let refusal = line.refusal { throw .refused(kind: kind, refusal) }
    bytes += line.bytes
    lengths.append(line.bytes.count)
    ids.append(id)
  }
}

/// Reads lines of logs that are no files.
package struct EventLineReader {
  private var reader = LineReader()

  package init() {}

  /// The event of a line with its newline, which begins at `start` of a log; nil if it is none, or of a kind that this
  /// program does not know. Throws if the line is damaged.
  package mutating func event(of line: [UInt8], log: Int, start: UInt64) throws(LogError) -> Event? {
    let origin = LogRange(file: UInt32(truncatingIfNeeded: log), length: 0, offset: start)
    let read = line.withUnsafeBytes { bytes -> Line? in
      guard bytes.last == UInt8(ascii: "\n") else { return nil }
      return reader.read(UnsafeRawBufferPointer(rebasing: bytes.dropLast()), at: origin)
    }
    guard let read else { throw .damaged(LogPosition(path: "log \(log)", line: 0, byte: start)) }
    if case .event(let event) = read.content { return event }
    return nil
  }
}
