/// The types of columns that are read, by their object IDs (`pg_type.dat`).
enum PostgresType: UInt32 {
  case bool = 16, bytea = 17, name = 19, int8 = 20, int2 = 21, int4 = 23, text = 25, varchar = 1043, void = 2278

  init(_ type: ColumnType) {
    self =
      switch type {
      case .integer: .int8
      case .text: .text
      case .blob: .bytea
      }
  }
}

/// The parameters of a statement, in PostgreSQL's binary format.
struct PostgresParameters {
  /// The object ID of each parameter's type.
  private(set) var types: [UInt32] = []
  /// Where each value begins in `bytes`; nil for NULL.
  private var starts: [Int?] = []
  private var lengths: [Int32] = []
  private var bytes: [UInt8] = []

  var count: Int32 { Int32(types.count) }

  mutating func removeAll() {
    types.removeAll(keepingCapacity: true)
    starts.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
  }

  private mutating func append(_ type: PostgresType, _ value: UnsafeRawBufferPointer) {
    types.append(type.rawValue)
    starts.append(bytes.count)
    lengths.append(Int32(value.count))
    bytes.append(contentsOf: value)
  }

  mutating func append(_ value: Int64) { withUnsafeBytes(of: value.bigEndian) { append(.int8, $0) } }
  mutating func appendBlob(_ value: UnsafeRawBufferPointer) { append(.bytea, value) }
  mutating func appendText(_ value: UnsafeRawBufferPointer) {
    if let escaped = PostgresText.escaped(value) {
      escaped.withUnsafeBytes { append(.text, $0) }
    } else {
      append(.text, value)
    }
  }
  mutating func appendNull(_ type: ColumnType) {
    types.append(PostgresType(type).rawValue)
    starts.append(nil)
    lengths.append(0)
  }

  /// Calls `body` with the values, their lengths and formats as libpq takes them.
  func withPointers<Result>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Result
  ) -> Result {
    // One byte more, so that an empty value has an address too: without one it would be NULL.
    (bytes + [0]).withUnsafeBytes { bytes in
      let values = starts.map { start in
        start.flatMap { bytes.baseAddress?.advanced(by: $0).assumingMemoryBound(to: CChar.self) }
      }
      return body(values, lengths, Array(repeating: 1, count: lengths.count))
    }
  }
}
