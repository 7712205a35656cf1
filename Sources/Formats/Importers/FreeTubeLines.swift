import JSON

/// FreeTube's `.db` files: one JSON object per line, the last maybe without a line end.
///
/// A line is a profile (`{"_id":"allChannels","name":…,"subscriptions":[…]}`), a channel (`{"channelId":…,
/// "channelName":…}`, 2020), a history entry (`{"videoId":…,"timeWatched":…}`) or a playlist
/// (`{"playlistName":…,"videos":[…]}`). The program appends to its own files: a later line replaces the one with the
/// same `_id`, and `{"_id":…,"$$deleted":true}` deletes it, so a channel unfollowed long ago is not a subscription.
struct FreeTubeLines {
  /// The result of each line; nil if a later line replaced or deleted it.
  private var parts: [ImportBuilder?] = []
  private var indexes: [String: Int] = [:]
  private let limits: ImportLimits

  private init(limits: ImportLimits) { self.limits = limits }

  /// Whether this is such a file: its first line is a complete object with an `_id`.
  static func recognises(_ source: ImportSource, from start: Int) throws(ImportError) -> Bool {
    var bytes = source.reader(from: start)
    guard let line = try ImportError.reading({ try FreeTubeLines.line(from: &bytes) }) else { return false }
    return hasID(line)
  }

  private static func hasID(_ line: [UInt8]) -> Bool {
    var reader = JSONReader(ByteReader(line))
    var hasID = false
    do {
      guard try reader.nextKind() == .object else { return false }
      try reader.forEachMember { name, reader in
        hasID = hasID || name == "_id"
        try reader.skip()
      }
    } catch { return false }  // Not an object: another format.
    return hasID
  }

  /// Reads a whole file into a builder; the caller finishes the builder.
  static func read(
    _ source: ImportSource, from start: Int, limits: ImportLimits
  ) throws(ImportError) -> ImportBuilder {
    var lines = FreeTubeLines(limits: limits)
    var bytes = source.reader(from: start)
    var number = 0
    try ImportError.reading {
      while let line = try FreeTubeLines.line(from: &bytes) {
        number += 1
        try lines.take(line, number: number)
      }
    }
    var builder = ImportBuilder(format: .freeTube, limits: limits)
    for part in lines.parts {
      // The channels of a profile are in that of all channels too.
      if let part { try builder.append(part, countsRepeated: false) }
    }
    return builder
  }

  /// The maximum line length in bytes; a profile with thousands of channels is one line.
  private static let lineLimit = 16 << 20

  /// The next line without its end; nil at the end of the file. Only the start of an overlong line.
  private static func line(from bytes: inout ByteReader) throws -> [UInt8]? {
    guard try bytes.peek() != nil else { return nil }
    var line: [UInt8] = []
    while let byte = try bytes.peek() {
      let run = bytes.run { $0 != UInt8(ascii: "\n") }
      line.append(contentsOf: run.prefix(lineLimit - line.count))
      if run.isEmpty, byte == UInt8(ascii: "\n") {
        _ = try bytes.next()
        break
      }
    }
    return line
  }

  private mutating func take(_ line: [UInt8], number: Int) throws {
    var part = ImportBuilder(format: .freeTube, limits: limits)
    var reader = JSONReader(ByteReader(line))
    do {
      guard try reader.nextKind() != nil else { return }
      let value = try reader.value()
      try reader.expectEnd()
      if let id = value["_id"]?.text, let earlier = indexes.updateValue(parts.count, forKey: id) {
        parts[earlier] = nil
      }
      try FreeTubeLines.take(value, line: number, into: &part)
    } catch JSONError.malformed {
      try part.refuse(.notJSON, line: number)
    }
    guard parts.count < limits.watches else { throw ImportError.tooManyRows(limit: limits.watches) }
    parts.append(part)
  }

  private static func take(_ value: JSONValue, line: Int, into part: inout ImportBuilder) throws(ImportError) {
    if value["$$deleted"] == .boolean(true) { return }
    if let subscriptions = value["subscriptions"]?.elements {
      for subscription in subscriptions { try part.subscribe(toJSON: subscription, line: line) }
      if value["_id"]?.text != "allChannels", let name = value["name"]?.text { part.tagAll(with: name) }
    } else if value["videos"] != nil {
      try part.collect(json: value, line: line)
    } else if value["videoId"] != nil {
      try part.watch(json: value, line: line)
    } else if value["channelId"] != nil {
      try part.subscribe(toJSON: value, line: line)
    }
  }
}
