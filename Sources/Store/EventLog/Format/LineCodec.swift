import CChecksum
import Core

/// The log format: one append-only file of lines per device; the state is the fold of all of them.
///
/// A line is one flat JSON object (RFC 8259) in UTF-8, without white space between tokens, followed by a newline:
///
/// ```
/// {"v":1,"id":"0019a1b2c3d4e-0000-k3v9x2ap","kind":"statusSet","action":"0019a1b2c3d4e-0000-k3v9x2ap",
///  "video":"dQw4w9WgXcQ","status":"watched","c":"cdf0cc3c"}
/// ```
///
/// (wrapped here to fit the page). First come the format version, the event ID and the kind; then the action the event
/// belongs to and, in an undo, the action it undoes; then the members of the kind, in a fixed order per kind; then
/// `description`, so that a reader can skip it; at the very end the CRC-32C of the bytes before its comma. A value is a
/// string, an integer, a Boolean or an array of strings. A member without a value is omitted.
///
/// Readers accept members in any order, except that the checksum comes last; they skip unknown kinds and members, which
/// stay in the file. The meaning of a kind never changes once released. A line of a newer version is applied as far as
/// it is understood, and nothing is appended to a file that contains one.
package enum LogFormat {
  /// The version written, and the highest version understood.
  package static let version = 1
  /// Maximum length of a line, including its newline: 8 MiB, enough for a run that lists 100,000 subscriptions.
  package static let lineLimit = 8 << 20
  /// Maximum length of a string value, in bytes of UTF-8 before escaping: 64 KiB; YouTube's longest takes 20.
  package static let textLimit = 64 << 10
}

/// The first line of a file: the device that writes it, and the generation.
struct LogStart: Equatable, Sendable, FieldSchema {
  var device: DeviceID
  /// 1 at first, incremented by each compaction.
  var generation: Int

  /// The kind under which the line is written.
  static let kind = "logStarted"

  static func coded(_ body: Self?, by coder: inout some FieldCoder) throws(NotUnderstood) -> Self {
    try LogStart(
      device: coder.member("device", body?.device), generation: coder.member("generation", body?.generation))
  }
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
      start.writeMembers(to: &line)
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
      let id = value("id").flatMap { EventID($0) }
      guard let name = value("kind")?.text else { return .unknown }
      do throws(NotUnderstood) {
        if name == LogStart.kind { return .start(try .coded(nil, by: &self)) }
        guard let id, let kind = EventKind(rawValue: name) else { return .unknown }
        let action = try option("action", EventID?.none)
        let undone = try option("undoes", EventID?.none)
        let body = try EventBody(kind, from: &self)
        return .event(Event(id: id, action: action ?? id, undoes: undone, body: body))
      } catch { return .unknown }
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

// MARK: Checksums

/// The checksum at the end of a line, which verifies the rest of it: `,"c":"cdf0cc3c"}` and a newline.
enum LineChecksum {
  /// Its length in bytes, without the newline.
  static let length = 16
  private static let opening: StaticString = ",\"c\":\""

  /// Appends the checksum to the line that begins at `start`, an object without its closing brace.
  static func seal(_ bytes: inout [UInt8], from start: Int) {
    let checksum = bytes[start...].withUnsafeBytes(CRC32C.of)
    bytes.append(contentsOf: UnsafeBufferPointer(start: opening.utf8Start, count: opening.utf8CodeUnitCount))
    for shift in stride(from: 28, through: 0, by: -4) { bytes.append(HexDigit.letter(UInt8(checksum >> shift & 15))) }
    bytes.append(contentsOf: "\"}\n".utf8)
  }

  /// The bytes of a line, passed without its newline, that its checksum covers; nil if the checksum is missing or
  /// wrong.
  static func unsealed(_ line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let end = line.count - length
    guard end > 0, line[end + 14] == UInt8(ascii: "\""), line[end + 15] == UInt8(ascii: "}") else { return nil }
    for index in 0..<opening.utf8CodeUnitCount where line[end + index] != opening.utf8Start[index] { return nil }
    var checksum: UInt32 = 0
    for index in end + 6..<end + 14 {
      guard let digit = HexDigit.value(line[index]) else { return nil }
      checksum = checksum << 4 | UInt32(digit)
    }
    let covered = UnsafeRawBufferPointer(rebasing: line[..<end])
    return CRC32C.of(covered) == checksum ? covered : nil
  }
}

/// CRC-32C, the checksum at the end of each line (RFC 3720, appendix B.4).
package enum CRC32C {
  /// The checksum of `bytes`; `e3069283` for `123456789`.
  package static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    cchecksum_crc32c(0, bytes.baseAddress, bytes.count)
  }

  /// The checksum by a table, as on processors without a CRC instruction.
  static func byTable(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    cchecksum_crc32c_by_table(0, bytes.baseAddress, bytes.count)
  }
}
