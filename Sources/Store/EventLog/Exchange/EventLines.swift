import Core

/// Events as lines of a log that is not a file.
package struct EventLines {
  /// The lines, one after the other.
  package private(set) var bytes: [UInt8] = []
  /// The length of each, with its newline.
  package private(set) var lengths: [Int] = []
  /// The IDs in them.
  package private(set) var ids: [EventID] = []
  /// What the first line of the log says; 1 without it.
  package private(set) var generation = 1

  package init() {}

  /// Lines of a log as they are: the last one without an end is left out. What has no ID, because it is damaged, gets
  /// `noID`.
  package init(of log: [UInt8]) {
    var reader = LineReader()
    log.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = UnsafeRawBufferPointer(rebasing: rest[..<end])
        let read = reader.read(line, at: LogRange(file: 0, length: 0, offset: 0))
        if lengths.isEmpty, case .start(let start)? = read?.content { generation = start.generation }
        let id = read == nil ? nil : reader.value("id").flatMap { EventID($0) }
        lengths.append(line.count + 1)
        ids.append(id ?? EventLines.noID)
        rest = rest[(end + 1)...]
      }
      self.bytes = Array(bytes[..<rest.startIndex])
    }
  }

  /// Stands for the ID of a line that has none.
  package static let noID = EventID(reading: 0, device: DeviceID(letters: 0))

  /// The IDs as the database has them, 16 bytes each.
  package var idBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16 * ids.count)
    for id in ids {
      for half in [id.reading, id.device.letters] {
        withUnsafeBytes(of: half.bigEndian) { bytes.append(contentsOf: $0) }
      }
    }
    return bytes
  }

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

  /// The event of a line with its newline, which begins at `start` of a log; nil if the line is damaged, or of a kind that
  /// this program does not know.
  package mutating func event(of line: [UInt8], log: Int, start: UInt64) -> Event? {
    let origin = LogRange(file: UInt32(truncatingIfNeeded: log), length: 0, offset: start)
    let read = line.withUnsafeBytes { bytes -> Line? in
      guard bytes.last == UInt8(ascii: "\n") else { return nil }
      return reader.read(UnsafeRawBufferPointer(rebasing: bytes.dropLast()), at: origin)
    }
    if case .event(let event)? = read?.content { return event }
    return nil
  }
}

extension Event {
  /// The event with the text of its description, so that it can be written elsewhere.
  package func selfContained<Failure: Error>(
    _ text: (Description) throws(Failure) -> String
  ) throws(Failure) -> Event {
    var event = self
    switch body {
    case .videoFound(var found):
      if let description = found.description { found.description = Description(try text(description)) }
      event.body = .videoFound(found)
    case .videoChanged(var change):
      if let description = change.description { change.description = Description(try text(description)) }
      event.body = .videoChanged(change)
    case .entryFound(var found):
      if let description = found.facts.description { found.facts.description = Description(try text(description)) }
      event.body = .entryFound(found)
    case .entryChanged(var change):
      if let description = change.facts.description { change.facts.description = Description(try text(description)) }
      event.body = .entryChanged(change)
    default: break
    }
    return event
  }
}
