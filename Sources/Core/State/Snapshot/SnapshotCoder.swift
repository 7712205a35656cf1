/// Writes or reads the values of a snapshot one after the other.
///
/// As in the log, one function serves both directions: writing, it passes a value through the coder; reading, it is
/// given nil and builds one from what the coder finds. What cannot be read makes the whole snapshot unreadable.
protocol SnapshotCoder {
  /// Eight bytes.
  mutating func number(_ value: UInt64?) -> UInt64?
  /// One byte.
  mutating func byte(_ value: UInt8?) -> UInt8?
  mutating func text(_ value: String?) -> String?
}

/// A value that a snapshot can hold.
protocol SnapshotValue {
  /// The value through a coder; nil where what is read is none.
  static func coded(_ value: Self?, by coder: inout some SnapshotCoder) -> Self?
}

/// Writes values.
struct SnapshotEncoder: SnapshotCoder {
  private(set) var bytes: [UInt8] = []

  mutating func number(_ value: UInt64?) -> UInt64? {
    if let value { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
    return value
  }

  mutating func byte(_ value: UInt8?) -> UInt8? {
    if let value { bytes.append(value) }
    return value
  }

  mutating func text(_ value: String?) -> String? {
    guard let value else { return nil }
    _ = number(UInt64(value.utf8.count))
    bytes.append(contentsOf: value.utf8)
    return value
  }

  /// Forgets what was written and keeps its memory.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

/// Reads values.
struct SnapshotDecoder: SnapshotCoder {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func number(_ value: UInt64?) -> UInt64? {
    guard offset + 8 <= bytes.count else { return nil }
    defer { offset += 8 }
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  mutating func byte(_ value: UInt8?) -> UInt8? {
    guard offset < bytes.count else { return nil }
    defer { offset += 1 }
    return bytes[offset]
  }

  mutating func text(_ value: String?) -> String? {
    guard let count = number(nil), count <= UInt64(bytes.count - offset) else { return nil }
    defer { offset += Int(count) }
    return String(decoding: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(count)]), as: UTF8.self)
  }
}
