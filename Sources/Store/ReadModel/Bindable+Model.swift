import Core
import SQLDrivers

extension Timestamp: Bindable {
  package static var columnType: ColumnType { .integer }
  package func bind(to statement: Statement) { statement.bind(seconds) }
}

/// A video ID as the signed integer whose order is the order of the IDs.
extension VideoID: Bindable {
  package static var columnType: ColumnType { .integer }
  /// The integer of the `video.id` column.
  package var column: Int64 { Int64(bitPattern: high ^ 1 << 63) }
  package init(column: Int64) { self.init(bits: UInt64(bitPattern: column) ^ 1 << 63) }

  package func bind(to statement: Statement) { statement.bind(column) }
}

/// An event ID as 16 bytes, big-endian, whose order as a BLOB is the order of the IDs.
extension EventID: Bindable {
  package static var columnType: ColumnType { .blob }
  package func bind(to statement: Statement) {
    statement.bind(reading, device.letters)
  }

  /// The ID of the 16 bytes of a column; nil if they are not 16.
  init?(column bytes: RawSpan) {
    guard bytes.byteCount == 16 else { return nil }
    let reading = UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self))
    let letters = UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self))
    self.init(reading: reading, device: DeviceID(letters: letters))
  }
}

extension SubscriptionID: Bindable {
  package static var columnType: ColumnType { .text }
  package func bind(to statement: Statement) { statement.bind(description) }
}

extension ChannelID: Bindable {
  package static var columnType: ColumnType { .text }
  package func bind(to statement: Statement) { statement.bind(description) }
}

extension Statement {
  /// The event ID of a column; nil if NULL.
  func eventID(_ column: Int) -> EventID? { withBlob(column) { EventID(column: $0) } }
  /// The channel or playlist of a column; nil if it is neither.
  func subscription(_ column: Int) -> SubscriptionID? {
    if let channel = withText(column, { ChannelID($0) }) { return .channel(channel) }
    return SubscriptionID(text(column))
  }
  /// The seconds of a column; nil if NULL.
  func timestamp(_ column: Int) -> Timestamp? { optionalInt(column).map { Timestamp(seconds: $0) } }
}
