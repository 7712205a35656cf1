/// FreeTube's `.db` files: one JSON object a line, the last maybe without its end.
///
/// A line is a profile (`{"_id":"allChannels","name":…,"subscriptions":[…]}`), a channel (`{"channelId":…,
/// "channelName":…}`, 2020), a video of the history (`{"videoId":…,"timeWatched":…}`) or a playlist
/// (`{"playlistName":…,"videos":[…]}`). The program keeps its own files by adding lines: a later line replaces the one
/// with the same `_id`, and `{"_id":…,"$$deleted":true}` takes it away, so that a channel given up long ago is no
/// subscription.
struct FreeTubeLines {
  /// What each line gave, nil where a later one took it away.
  private var parts: [ImportBuilder?] = []
  private var indexes: [String: Int] = [:]
  private let limits: ImportLimits

  private init(limits: ImportLimits) { self.limits = limits }

  /// Whether a file is of this sort: its first line is a whole object with an `_id`.
  static func recognises(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let lineEnd = bytes.prefix(8 << 20).firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
    var reader = JSONReader(ByteReader(UnsafeRawBufferPointer(rebasing: bytes[..<lineEnd])))
    var hasID = false
    do {
      guard try reader.nextKind() == .object else { return false }
      try reader.forEachMember { name, reader throws(ImportError) in
        hasID = hasID || name == "_id"
        try reader.skip()
      }
    } catch { return false }
    return hasID
  }

  /// Reads a whole file into a builder, which finishes it.
  static func read(_ bytes: UnsafeRawBufferPointer, limits: ImportLimits) throws(ImportError) -> ImportBuilder {
    var lines = FreeTubeLines(limits: limits)
    var start = 0
    var number = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      number += 1
      try lines.take(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), number: number)
      start = end + 1
    }
    var builder = ImportBuilder(format: .freeTube, limits: limits)
    for part in lines.parts {
      if let part { try builder.append(part) }
    }
    return builder
  }

  private mutating func take(_ line: UnsafeRawBufferPointer, number: Int) throws(ImportError) {
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
    } catch .malformed {
      try part.refuse(.notJSON, line: number)
    }
    guard parts.count < limits.watches else { throw .tooManyRows(limit: limits.watches) }
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
