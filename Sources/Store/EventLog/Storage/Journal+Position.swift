import Core

/// Positions in all logs, by which a client of a server asks for what was appended since.
///
/// Not a time or an event ID: another device's events may arrive later with earlier IDs.
extension Journal {
  /// The position in the logs, as an opaque text of letters and digits.
  package var position: String {
    let ends = current.mapValues { Position(generation: $0.start?.generation ?? 0, end: $0.end) }
    return Journal.text(of: ends)
  }

  /// Up to `maximum` events appended after a position, each with the number of its file, and the position after them;
  /// nil if the text is not a position of these logs, or a log was rewritten since.
  package func events(
    after text: String, maximum: Int
  ) throws(LogError) -> (events: [(event: Event, file: Int)], position: String)? {
    guard var ends = Journal.positions(text), ends.keys.allSatisfy({ current[$0] != nil }) else { return nil }
    var events: [(event: Event, file: Int)] = []
    for (name, file) in current.sorted(by: { $0.key < $1.key }) {
      var position = ends[name] ?? Position(generation: file.start?.generation ?? 0, end: 0)
      guard position.generation == file.start?.generation ?? 0, position.end <= file.end else { return nil }
      if position.end > 0, try file.file.bytes(at: position.end - 1, count: 1) != [UInt8(ascii: "\n")] { return nil }
      var entries = LogLines(file.file, index: file.index, from: position.end, after: 0)
      while entries.end < file.end, events.count < maximum, let entry = try entries.next() {
        if case .event(let event)? = entry.line?.content, !isAhead(event) { events.append((event, Int(file.index))) }
        position.end = entries.end
      }
      ends[name] = position
    }
    return (events, Journal.text(of: ends))
  }

  private struct Position {
    var generation: Int
    var end: UInt64
  }

  /// The positions as hexadecimal digits of `NAME:GENERATION:END` lines.
  private static func text(of ends: [String: Position]) -> String {
    let lines = ends.sorted { $0.key < $1.key }.map { "\($0.value.generation):\($0.value.end):\($0.key)" }
    return lines.joined(separator: "\n").utf8.map { String(hex: $0, digits: 2) }.joined()
  }

  private static func positions(_ text: String) -> [String: Position]? {
    guard text.utf8.count < 1 << 16 else { return nil }
    let digits = text.utf8.map(HexDigit.value)
    guard digits.count % 2 == 0, !digits.contains(nil) else { return nil }
    let halves = digits.compactMap(\.self)
    let bytes = stride(from: 0, to: halves.count, by: 2).map { halves[$0] << 4 | halves[$0 + 1] }
    var ends: [String: Position] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2)
      guard parts.count == 3, let generation = Int(parts[0]), let end = UInt64(parts[1]) else { return nil }
      ends[String(parts[2])] = Position(generation: generation, end: end)
    }
    return ends
  }
}
