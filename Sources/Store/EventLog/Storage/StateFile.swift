import Core

/// One line of a state file: an ordered list of named values.
package struct StateRecord: Equatable, Sendable {
  /// A value that a line can hold.
  package enum Value: Equatable, Sendable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case texts([String])
  }

  /// A name and its value.
  package struct Member: Equatable, Sendable {
    package var name: String
    package var value: Value

    package init(name: String, value: Value) {
      (self.name, self.value) = (name, value)
    }
  }

  package var members: [Member]

  package init(_ members: [(name: String, value: Value)]) {
    self.members = members.map { Member(name: $0.name, value: $0.value) }
  }

  /// The value of the first member with this name.
  package subscript(name: String) -> Value? { members.first { $0.name == name }?.value }
}

/// A small per-machine file, in lines like the log's: `{"v":1,"name":value,…,"c":"xxxxxxxx"}`.
///
/// Written whole under a temporary name, then renamed, so that either the old or the new file exists at any time. Its
/// first line states how many follow: `{"v":1,"records":2,"c":"…"}`.
package enum StateFile {
  /// The records of a file; nil if it is absent. Throws `unreadable` if a record is broken or missing.
  package static func read(_ path: String) throws(LogError) -> [StateRecord]? {
    var records: [StateRecord] = []
    return try read(path) { records.append($0) } ? records : nil
  }

  /// Passes each record of a file to `body`; returns whether the file exists. Throws `unreadable` if a record is broken
  /// or missing; discard the records passed before.
  package static func read(_ path: String, _ body: (StateRecord) -> Void) throws(LogError) -> Bool {
    let file: File
    do throws(LogError) {
      file = try File(path, .read)
    } catch {
      if error.isMissing { return false }
      throw error
    }
    var scanner = LineScanner(file: file, offset: 0)
    var reader = LineReader()
    // The first line states how many follow.
    var missing: Int?
    while let line = try scanner.next() {
      guard let record = line.bytes.flatMap({ StateRecord($0, reader: &reader) }) else { throw .unreadable(path: path) }
      if let left = missing {
        missing = left - 1
        body(record)
      } else if case .number(let count) = record["records"] {
        missing = count
      } else {
        throw .unreadable(path: path)
      }
    }
    guard missing == 0, scanner.fileEnd == scanner.lineEnd else { throw .unreadable(path: path) }
    return true
  }

  /// Replaces a file atomically: written next to it, synced, renamed, and the folder synced.
  package static func write(_ path: String, _ records: some Collection<StateRecord>) throws(LogError) {
    var lines = LineWriter()
    lines.bytes.reserveCapacity(records.count * usualLength)
    lines.write(StateRecord([("records", .number(records.count))]))
    for record in records { lines.write(record) }
    if let refusal = lines.refusal { throw .refused(kind: Directory.name(of: path), refusal) }
    try Directory.make(Directory.parent(of: path))
    let replacement = try Replacement(of: path, as: path + ".new", mode: 0o600)
    try replacement.append(lines.bytes)
    try replacement.commit()
  }

  /// Typical length of a line about a feed, in bytes.
  private static let usualLength = 256
}

extension LineReader {
  /// Opens a line of a state file; false if its checksum is wrong or it is of another version.
  fileprivate mutating func openState(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let covered = LineChecksum.unsealed(line), open(covered, at: LogRange(file: 0, length: 0, offset: 0)) else {
      return false
    }
    return value("v").flatMap { Int($0) } == LogFormat.version
  }

  /// The body in a line of a state file; nil if the line is broken, or has none.
  mutating func body<Body: FieldSchema>(in line: ArraySlice<UInt8>) -> Body? {
    line.withUnsafeBytes { openState($0) ? try? Body.coded(nil, by: &self) : nil }
  }
}

extension LineWriter {
  /// Appends a body's line.
  mutating func write(_ body: some FieldSchema) {
    line { line in
      line.write("v", LogFormat.version)
      body.writeMembers(to: &line)
    }
  }

  /// Appends a record's line.
  mutating func write(_ record: StateRecord) {
    line { line in
      line.write("v", LogFormat.version)
      for member in record.members { line.write(member) }
    }
  }

  private mutating func write(_ member: StateRecord.Member) {
    bytes.append(UInt8(ascii: ","))
    quote(member.name)
    bytes.append(UInt8(ascii: ":"))
    switch member.value {
    case .text(let text): text.write(to: &self)
    case .number(let number): number.write(to: &self)
    case .flag(let flag): flag.write(to: &self)
    case .texts(let texts): texts.write(to: &self)
    }
  }
}

extension StateRecord {
  /// The record in a line; nil if its checksum is wrong or it is of another version.
  init?(_ line: UnsafeRawBufferPointer, reader: inout LineReader) {
    guard reader.openState(line) else { return nil }
    var members: [Member] = []
    var isWhole = true
    reader.forEachMember { name, value in
      guard let name, let value = Value(value) else { return isWhole = false }
      if name != "v" { members.append(Member(name: name, value: value)) }
    }
    guard isWhole else { return nil }
    self.members = members
  }
}

extension StateRecord.Value {
  fileprivate init?(_ value: LineValue) {
    if let text = String(value) {
      self = .text(text)
    } else if let number = Int(value) {
      self = .number(number)
    } else if let flag = Bool(value) {
      self = .flag(flag)
    } else if let texts = [String](value) {
      self = .texts(texts)
    } else {
      return nil
    }
  }
}

/// What this device knows of the logs since its last append, so that it notices if they went back or are gone.
///
/// One line in the state folder, overwritten without a sync: a power cut may leave an older one or none. Since the log
/// itself is synced before, it is never ahead of the log.
struct Extent: Equatable, FieldSchema {
  /// The last event of our own log.
  var last: EventID
  /// The names of the logs of all devices.
  var logs: [String]

  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try Extent(last: coder.member("last", body?.last), logs: coder.member("logs", body?.logs))
  }

  /// The extent stored in a file; nil if the file is missing or broken.
  static func read(_ path: String) -> Extent? {
    guard let file = try? File(path, .read), let bytes = try? file.bytes(at: 0, count: limit) else { return nil }
    var reader = LineReader()
    return reader.body(in: bytes.prefix { $0 != UInt8(ascii: "\n") })
  }

  /// Keeps it in a file; `synced` if it may say less than before.
  func write(_ path: String, synced: Bool) throws(LogError) {
    var lines = LineWriter()
    lines.write(self)
    // What an earlier, longer one leaves after the newline is not read.
    guard lines.bytes.count <= Extent.limit else { return }
    let file = try File(path, .replace)
    try file.write(lines.bytes)
    if synced { try file.synchronize() }
  }

  /// Maximum size in bytes: thousands of devices.
  private static let limit = 64 << 10
}
