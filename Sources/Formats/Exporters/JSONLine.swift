import Core

/// Writes a flat JSON object, member by member; unknown values are `null`, never absent.
package struct JSONLine: Sendable {
  /// The bytes so far, without the closing brace.
  private var bytes: [UInt8] = [UInt8(ascii: "{")]

  package init() {}

  /// The complete object: `{"video":"dQw4w9WgXcQ","saved":false}`.
  package var object: [UInt8] { bytes + [UInt8(ascii: "}")] }

  package mutating func add(_ name: String, _ value: String?) {
    begin(name)
    if let value { JSONText.quote(value, into: &bytes) } else { bytes += "null".utf8 }
  }

  package mutating func add(_ name: String, _ value: Int?) { add(name, raw: value.map { String($0) } ?? "null") }

  /// Adds milliseconds as seconds with three decimals: `1.042`.
  package mutating func add(_ name: String, milliseconds: Int) {
    add(name, raw: "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())")
  }

  package mutating func add(_ name: String, _ value: Bool) { add(name, raw: value ? "true" : "false") }

  package mutating func add(_ name: String, _ value: Timestamp?) { add(name, value?.rfc3339) }

  package mutating func add(_ name: String, _ values: [String]) {
    addList(name, values) { JSONText.quote($0, into: &$1) }
  }

  /// Adds an array of finished objects.
  package mutating func add(_ name: String, objects: [JSONLine]) { addList(name, objects) { $1 += $0.object } }

  /// Adds a finished object.
  package mutating func add(_ name: String, object: JSONLine) {
    begin(name)
    bytes += object.object
  }

  private mutating func add(_ name: String, raw: String) {
    begin(name)
    bytes += raw.utf8
  }

  private mutating func addList<Value>(_ name: String, _ values: [Value], _ write: (Value, inout [UInt8]) -> Void) {
    begin(name)
    bytes.append(UInt8(ascii: "["))
    for (position, value) in values.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      write(value, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func begin(_ name: String) {
    bytes += (bytes.count > 1 ? ",\"" : "\"").utf8
    bytes += name.utf8
    bytes += "\":".utf8
  }
}
