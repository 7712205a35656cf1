import Core

/// Writes lines, member by member.
struct LineWriter {
  /// The lines so far.
  var bytes: [UInt8] = []
  /// Why a line cannot be written; nil if all can.
  private(set) var refusal: LineError?

  /// Records that a value cannot be written; the first reason is kept.
  mutating func refuse(_ reason: LineError) { refusal = refusal ?? reason }

  /// Appends one line with its checksum; `members` writes what follows the opening brace.
  mutating func line(_ members: (inout LineWriter) -> Void) {
    let start = bytes.count
    bytes.append(UInt8(ascii: "{"))
    members(&self)
    LineChecksum.seal(&bytes, from: start)
    if bytes.count - start > LogFormat.lineLimit { refuse(.lineTooLong(limit: LogFormat.lineLimit)) }
  }

  /// Appends a member.
  mutating func write(_ name: StaticString, _ value: some FieldValue) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(contentsOf: "\":".utf8)
    value.write(to: &self)
  }

  /// Appends a quoted string.
  mutating func quote(_ text: String) {
    if text.utf8.count > LogFormat.textLimit { refuse(.textTooLong(limit: LogFormat.textLimit)) }
    JSONText.quote(text, into: &bytes)
  }
}

/// Why an event cannot be written.
package enum LineError: Error, Equatable, Sendable {
  /// A member's text has more bytes than the limit.
  case textTooLong(limit: Int)
  /// The whole line has more bytes than the limit.
  case lineTooLong(limit: Int)
  /// A description was given by its position in the log instead of its text.
  case textElsewhere
}

extension LineWriter: FieldCoder {
  mutating func option<Value: FieldValue>(_ name: StaticString, _ value: Value?) -> Value? {
    if let value { write(name, value) }
    return value
  }
}
