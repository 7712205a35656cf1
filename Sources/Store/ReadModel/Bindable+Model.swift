import Core
import SQLDrivers

extension Timestamp: Bindable {
  package static var columnType: ColumnType { .integer }
  package func bind(to statement: Statement) { statement.bind(seconds) }
}

/// A video ID as the signed integer whose order is the order of the IDs; see `VideoKey`.
extension VideoID: Bindable {
  package static var columnType: ColumnType { .integer }
  /// The integer of the `video.id` column.
  package var column: Int64 { VideoKey(self).column }
  /// The video of YouTube with this column, where no entry can be.
  package init(column: Int64) { self.init(bits: UInt64(bitPattern: column) ^ 1 << 63) }

  package func bind(to statement: Statement) { statement.bind(column) }
}

/// What tables have of the ID of a video or an entry: 64 bits as a signed integer. All of a video's ID, the upper half of an
/// entry's, whose whole ID is in the table `entry`.
///
/// Two IDs that share their 64 bits, which nobody can bring about at will, are kept apart by leaving one of them out: a
/// video counts before an entry, and an entry before those with higher IDs.
struct VideoKey: Hashable, Comparable {
  let column: Int64

  init(column: Int64) { self.column = column }

  init(_ id: VideoID) { column = Int64(bitPattern: id.high ^ 1 << 63) }

  static func < (left: VideoKey, right: VideoKey) -> Bool { left.column < right.column }
}

extension VideoKey: Bindable {
  static var columnType: ColumnType { .integer }
  func bind(to statement: Statement) { statement.bind(column) }
}

/// The whole ID of an entry, in the table `entry`: 16 bytes, big-endian.
struct EntryColumn: Bindable {
  static var columnType: ColumnType { .blob }
  let id: VideoID

  init(_ id: VideoID) { self.id = id }

  func bind(to statement: Statement) { statement.bind(id.high, id.low) }
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
  /// The ID of a video or an entry, by the column of its key and that of the entry's whole ID, which is NULL of a video.
  func video(_ key: Int, entry: Int) -> VideoID {
    withBlob(entry) { bytes in
      guard bytes.byteCount == 16 else { return VideoID(column: int(key)) }
      return VideoID(
        entry: UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }
  }
  /// The channel, playlist or feed of a column; nil if it is none.
  func subscription(_ column: Int) -> SubscriptionID? {
    if let channel = withText(column, { ChannelID($0) }) { return .channel(channel) }
    return SubscriptionID(text(column))
  }
  /// The seconds of a column; nil if NULL.
  func timestamp(_ column: Int) -> Timestamp? { optionalInt(column).map { Timestamp(seconds: $0) } }
}
