import Core

/// Writes or reads the members of one line, in the order in which a schema lists them.
///
/// A schema is a function from a body to the same body. When writing, it receives a body and passes its members through
/// the coder; when reading, it receives nil and builds a body from the members the coder finds. So the two directions
/// cannot differ in a name, an order or a type.
protocol FieldCoder {
  /// An optional member, omitted if nil. Throws if the line read has another type of value there.
  mutating func option<Value: FieldValue>(_ name: StaticString, _ value: Value?) throws(NotUnderstood) -> Value?
}

extension FieldCoder {
  /// A required member. Throws if the line read lacks it.
  mutating func member<Value: FieldValue>(_ name: StaticString, _ value: Value?) throws(NotUnderstood) -> Value {
    guard let value = try option(name, value) else { throw NotUnderstood() }
    return value
  }

  /// The members of a part that may be absent.
  mutating func optional<Part: FieldSchema>(_ part: Part?) -> Part? { try? Part.coded(part, by: &self) }
}

/// A line lacks a member, or has a value of another type.
struct NotUnderstood: Error {}

/// A body with a schema.
protocol FieldSchema {
  /// Passes the body through a coder. Throws if the line read does not contain one.
  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self
}

/// A type that a member's value can have.
protocol FieldValue {
  /// Appends the value as JSON.
  func write(to line: inout LineWriter)
  /// The value in a line; nil if it is not of this type.
  init?(_ value: LineValue)
}

/// A value of a line being read, still as bytes.
struct LineValue {
  var sort: FlatObject.Sort
  /// The value's bytes; a string's without its quotes, an array's without its brackets.
  var bytes: UnsafeRawBufferPointer
  /// The position of these bytes in the log.
  var range: LogRange

  /// The value as text; nil if it is not a string or not UTF-8.
  var text: String? {
    switch sort {
    case .text: JSONString.plain(bytes)
    case .escapedText: JSONString.unescaped(bytes)
    case .number, .yes, .no, .null, .texts: nil
    }
  }
}

// MARK: Values

extension FieldValue where Self: LetteredID {
  func write(to line: inout LineWriter) { line.quote(self) }

  init?(_ value: LineValue) {
    guard value.sort == .text else { return nil }
    self.init(value.bytes.bindMemory(to: UInt8.self).span)
  }
}

/// Of YouTube's form alone: the kinds of events that take an entry name it so.
extension VideoID: FieldValue {
  func write(to line: inout LineWriter) {
    if isEntry { line.refuse(.foreignValue) }
    line.quote(self)
  }

  init?(_ value: LineValue) {
    guard value.sort == .text else { return nil }
    self.init(youTube: value.bytes.bindMemory(to: UInt8.self).span)
  }
}

extension FeedID: FieldValue {}
extension ChannelID: FieldValue {}
extension EventID: FieldValue {}
extension DeviceID: FieldValue {}

extension PlaylistID: FieldValue {
  func write(to line: inout LineWriter) { text.write(to: &line) }

  init?(_ value: LineValue) {
    guard let text = value.text else { return nil }
    self.init(text)
  }
}

extension SubscriptionID: FieldValue {
  func write(to line: inout LineWriter) {
    switch self {
    case .channel(let id): id.write(to: &line)
    case .playlist(let id): id.write(to: &line)
    case .feed(let id): id.write(to: &line)
    }
  }

  init?(_ value: LineValue) {
    if let channel = ChannelID(value) {
      self = .channel(channel)
    } else if let playlist = PlaylistID(value) {
      self = .playlist(playlist)
    } else if let feed = FeedID(value) {
      self = .feed(feed)
    } else {
      return nil
    }
  }
}

extension Timestamp: FieldValue {
  func write(to line: inout LineWriter) { rfc3339.write(to: &line) }

  init?(_ value: LineValue) {
    guard value.sort == .text else { return nil }
    self.init(rfc3339: value.bytes.bindMemory(to: UInt8.self).span)
  }
}

extension FieldValue where Self: RawRepresentable<String> {
  func write(to line: inout LineWriter) { rawValue.write(to: &line) }

  init?(_ value: LineValue) {
    guard let text = value.text else { return nil }
    self.init(rawValue: text)
  }
}

extension FeedForm: FieldValue {}
extension ListVisibility: FieldValue {}
extension ListOrder: FieldValue {}
extension Rule.Verdict: FieldValue {}
extension Rule.Field: FieldValue {}
extension Status: FieldValue {}
extension Live: FieldValue {}
extension StopReason: FieldValue {}

extension String: FieldValue {
  func write(to line: inout LineWriter) { line.quote(self) }

  init?(_ value: LineValue) {
    guard let text = value.text else { return nil }
    self = text
  }
}

extension Int: FieldValue {
  func write(to line: inout LineWriter) { line.bytes.append(contentsOf: String(self).utf8) }

  init?(_ value: LineValue) {
    guard value.sort == .number, let first = value.bytes.first, first != UInt8(ascii: "+") else { return nil }
    self.init(String(decoding: value.bytes, as: UTF8.self))
  }
}

extension Bool: FieldValue {
  func write(to line: inout LineWriter) { line.bytes.append(contentsOf: (self ? "true" : "false").utf8) }

  init?(_ value: LineValue) {
    switch value.sort {
    case .yes: self = true
    case .no: self = false
    case .text, .escapedText, .number, .null, .texts: return nil
    }
  }
}

/// In JSON a string, because many programs read numbers as floating-point.
extension UInt64: FieldValue {
  func write(to line: inout LineWriter) { String(self).write(to: &line) }

  init?(_ value: LineValue) {
    guard let text = value.text else { return nil }
    self.init(text)
  }
}

/// A list of values that are strings in JSON.
extension Array: FieldValue where Element: FieldValue {
  func write(to line: inout LineWriter) {
    line.bytes.append(UInt8(ascii: "["))
    for (index, value) in enumerated() {
      if index > 0 { line.bytes.append(UInt8(ascii: ",")) }
      value.write(to: &line)
    }
    line.bytes.append(UInt8(ascii: "]"))
  }

  init?(_ value: LineValue) {
    guard value.sort == .texts else { return nil }
    self = []
    var index = 0
    while index < value.bytes.count {
      guard let string = FlatObject.string(in: value.bytes, from: index + 1) else { return nil }
      let bytes = UnsafeRawBufferPointer(rebasing: value.bytes[index + 1..<string.end])
      let sort = string.isEscaped ? FlatObject.Sort.escapedText : .text
      guard let element = Element(LineValue(sort: sort, bytes: bytes, range: value.range)) else { return nil }
      append(element)
      index = string.end + 2
    }
  }
}

extension Description: FieldValue {
  func write(to line: inout LineWriter) {
    switch source {
    case .text(let text): line.quote(text)
    case .log:
      line.refuse(.textElsewhere)
      line.quote("")
    }
  }

  /// The description by reference: its bytes are fingerprinted in place and not decoded.
  init?(_ value: LineValue) {
    switch value.sort {
    case .text: self.init(fingerprint: Fingerprint.of(value.bytes.bytes), range: value.range)
    case .escapedText where JSONString.isCanonical(value.bytes):
      self.init(fingerprint: Fingerprint.of(value.bytes.bytes), range: value.range)
    case .escapedText:
      guard let text = value.text else { return nil }
      self.init(fingerprint: Fingerprint.of(text), range: value.range)
    case .number, .yes, .no, .null, .texts: return nil
    }
  }
}

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

  /// Appends an ID as a string.
  mutating func quote(_ id: some LetteredID) {
    bytes.append(UInt8(ascii: "\""))
    id.append(to: &bytes)
    bytes.append(UInt8(ascii: "\""))
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
  /// A member's value belongs to another kind of event: an entry where only a video may be, say.
  case foreignValue
}

extension LineWriter: FieldCoder {
  mutating func option<Value: FieldValue>(_ name: StaticString, _ value: Value?) -> Value? {
    if let value { write(name, value) }
    return value
  }
}
