import Core

/// The first line of a file: the device that writes it, and the generation.
struct LogStart: Equatable, Sendable {
  var device: DeviceID
  /// 1 at first, incremented by each compaction.
  var generation: Int

  /// The kind under which the line is written.
  static let kind = "logStarted"
}

/// A line with a valid checksum.
struct Line {
  /// The version of the format it was written in.
  var version: Int
  var content: Content

  /// The content of a line.
  enum Content {
    case event(Event)
    case start(LogStart)
    /// A kind, or a member's value, that this program does not know; kept in the file.
    case unknown
  }
}

extension LineWriter {
  /// Appends an event's line.
  mutating func write(_ event: Event) {
    line { line in
      line.writeHead(event.id, kind: event.body.kind.rawValue)
      line.write("action", event.action)
      if let undone = event.undoes { line.write("undoes", undone) }
      event.body.write(to: &line)
    }
  }

  /// Appends a file's first line.
  mutating func write(_ start: LogStart, id: EventID) {
    line { line in
      line.writeHead(id, kind: LogStart.kind)
      line.write("device", start.device)
      line.write("generation", start.generation)
    }
  }

  private mutating func writeHead(_ id: EventID, kind: String) {
    write("v", LogFormat.version)
    write("id", id)
    write("kind", kind)
  }
}

extension LineReader {
  /// Parses a line, passed without its newline, whose first byte is at `origin`; nil if its checksum is wrong or it is
  /// not a flat object with a version.
  mutating func read(_ bytes: UnsafeRawBufferPointer, at origin: LogRange) -> Line? {
    guard let covered = LineChecksum.unsealed(bytes) else { return nil }
    guard open(covered, at: origin) else {
      // A line of a newer version need not be flat.
      return LineReader.laterVersion(covered).map { Line(version: $0, content: .unknown) }
    }
    guard let version = value("v").flatMap({ Int($0) }), version > 0 else { return nil }
    return Line(version: version, content: content)
  }

  private var content: Line.Content {
    mutating get {
      let id = option("id", EventID?.none)
      guard let name = value("kind")?.text else { return .unknown }
      guard let kind = EventKind(rawValue: name) else { return name == LogStart.kind ? start : .unknown }
      let action = option("action", EventID?.none)
      let undone = option("undoes", EventID?.none)
      guard let id, let body = EventBody(kind, from: &self) else { return .unknown }
      return .event(Event(id: id, action: action ?? id, undoes: undone, body: body))
    }
  }

  private var start: Line.Content {
    mutating get {
      guard let device = member("device", DeviceID?.none), let generation = member("generation", Int?.none) else {
        return .unknown
      }
      return .start(LogStart(device: device, generation: generation))
    }
  }

  /// The version at the start of a line, if it is higher than ours.
  private static func laterVersion(_ bytes: UnsafeRawBufferPointer) -> Int? {
    let opening: StaticString = "{\"v\":"
    let count = opening.utf8CodeUnitCount
    guard bytes.count > count, (0..<count).allSatisfy({ bytes[$0] == opening.utf8Start[$0] }) else { return nil }
    let digits = bytes.dropFirst(count).prefix(9).prefix { HexDigit.value($0).map { $0 < 10 } ?? false }
    let version = Int(String(decoding: digits, as: UTF8.self))
    return version.flatMap { $0 > LogFormat.version ? $0 : nil }
  }
}
