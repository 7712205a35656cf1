import Core
import Glibc

/// Writes rows to standard output in PostgreSQL's binary format of `COPY` (its manual: SQL commands, COPY, binary format).
struct CopyWriter {
  private var bytes: [UInt8] = []
  private static let maximum = 1 << 20

  init() {
    bytes.reserveCapacity(CopyWriter.maximum * 2)
    bytes += Array("PGCOPY\n".utf8) + [0xff, 0x0d, 0x0a, 0]
    // Flags, and the length of an extension of the header.
    add(UInt32(0))
    add(UInt32(0))
  }

  /// Begins a row.
  mutating func row(fields: UInt16) {
    if bytes.count > CopyWriter.maximum { flush() }
    add(fields)
  }

  /// A field of type `integer`.
  mutating func integer(_ value: Int) {
    add(UInt32(4))
    add(UInt32(truncatingIfNeeded: value))
  }

  /// A field of type `bigint`.
  mutating func bigint(_ value: Int64) {
    add(UInt32(8))
    add(UInt64(bitPattern: value))
  }

  /// A field of type `text` or `bytea`.
  mutating func field(_ value: some Collection<UInt8>) {
    add(UInt32(value.count))
    bytes.append(contentsOf: value)
  }

  /// A field of type `bytea` that is an event's ID.
  mutating func field(_ id: EventID) {
    add(UInt32(16))
    add(id.reading)
    add(id.device.letters)
  }

  /// A field of type `tsvector` with these different words, without positions.
  mutating func field(words: some Collection<String>) {
    add(UInt32(4 + words.reduce(0) { $0 + $1.utf8.count + 3 }))
    add(UInt32(words.count))
    for word in words {
      bytes.append(contentsOf: word.utf8)
      bytes.append(0)
      add(UInt16(0))
    }
  }

  /// Ends the rows.
  mutating func finish() {
    add(UInt16.max)
    flush()
  }

  private mutating func add(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
  }

  private mutating func flush() {
    var start = 0
    while start < bytes.count {
      let written = bytes[start...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard written > 0 else { stop("bench-log: cannot write", status: 74) }
      start += written
    }
    bytes.removeAll(keepingCapacity: true)
  }
}
