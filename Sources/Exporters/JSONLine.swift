import Core

/// Writes a flat JSON object, member by member; unknown values are `null`, never absent.
package struct JSONLine: Sendable {
  /// The bytes so far, without the closing brace.
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  package init() {}

  /// The complete object: `{"video":"dQw4w9WgXcQ","saved":false}`.
  package var object: [UInt8] { bytes + [UInt8(ascii: "}")] }

  package mutating func add(_ name: StaticString, _ value: String?) {
    begin(name)
    guard let value else { return addNull() }
    JSONText.quote(value, into: &bytes)
  }

  package mutating func add(_ name: StaticString, _ value: Int?) {
    begin(name)
    guard let value else { return addNull() }
    bytes.append(contentsOf: String(value).utf8)
  }

  /// Adds milliseconds as seconds with three decimals: `1.042`.
  package mutating func add(_ name: StaticString, milliseconds: Int) {
    begin(name)
    let fraction = String(milliseconds % 1000 + 1000).dropFirst()
    bytes.append(contentsOf: "\(milliseconds / 1000).\(fraction)".utf8)
  }

  package mutating func add(_ name: StaticString, _ value: Bool) {
    begin(name)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  package mutating func add(_ name: StaticString, _ value: Timestamp?) { add(name, value?.rfc3339) }

  package mutating func add(_ name: StaticString, _ values: [String]) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (position, value) in values.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      JSONText.quote(value, into: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Adds an array of finished objects.
  package mutating func add(_ name: StaticString, objects: [JSONLine]) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (position, object) in objects.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(contentsOf: object.object)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Adds a finished object.
  package mutating func add(_ name: StaticString, object: JSONLine) {
    begin(name)
    bytes.append(contentsOf: object.object)
  }

  private mutating func begin(_ name: StaticString) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: "\":".utf8)
  }

  private mutating func addNull() { bytes.append(contentsOf: "null".utf8) }
}

extension VideoRow {
  /// The row as a JSON object; see the contract of `--format jsonl`.
  package var json: JSONLine {
    var line = JSONLine()
    line.add("video", video.description)
    line.add("channel", isSeen ? channel.description : nil)
    line.add("channelTitle", channelTitle)
    line.add("title", title)
    line.add("url", url)
    line.add("published", isSeen ? published : nil)
    line.add("found", isSeen ? found : nil)
    line.add("status", status.rawValue)
    line.add("snoozedUntil", snoozedUntil)
    line.add("saved", saved)
    line.add("short", short.rawValue)
    line.add("live", live.rawValue)
    line.add("durationSeconds", durationSeconds)
    line.add("tags", tags)
    line.add("thumbnail", thumbnail)
    return line
  }
}

extension ChannelRow {
  /// The row as a JSON object; see the contract of `channels --format jsonl`.
  package var json: JSONLine {
    var line = JSONLine()
    line.add("channel", channel.description)
    line.add("title", title)
    line.add("url", url)
    line.add("tags", tags)
    line.add("feed", feed.rawValue)
    line.add("unwatched", unwatched)
    line.add("lastPublished", lastPublished)
    line.add("lastChecked", lastChecked)
    line.add("failingSince", failingSince)
    line.add("failures", failures)
    line.add("lastAnswer", lastAnswer)
    line.add("verdict", verdict.rawValue)
    line.add("shorts", shorts.rawValue)
    line.add("live", live.rawValue)
    line.add("order", order.rawValue)
    line.add("intervalSeconds", interval.map { Int($0) })
    return line
  }
}
