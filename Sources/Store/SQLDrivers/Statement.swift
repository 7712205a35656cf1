import CSQLite
import Glibc

/// A prepared statement. Parameters are bound in order; columns count from 0.
///
/// What readers call for each column of each row is inlined in their modules.
@usableFromInline package final class Statement {
  /// nil on PostgreSQL. Looked at first, so that SQLite's columns cost no more than a comparison.
  @usableFromInline let handle: OpaquePointer?
  private let database: OpaquePointer?
  @usableFromInline let postgres: PostgresStatement?
  @usableFromInline var bound: Int32 = 0

  init(_ handle: OpaquePointer, in database: OpaquePointer?) {
    (self.handle, self.database, postgres) = (handle, database, nil)
  }

  init(_ postgres: PostgresStatement) {
    (handle, database, self.postgres) = (nil, nil, postgres)
  }

  func finalize() { sqlite3_finalize(handle) }

  /// Ready to run again, without parameters.
  @usableFromInline package func reset() {
    if let postgres { return postgres.reset() }
    sqlite3_reset(handle)
    if bound > 0 { sqlite3_clear_bindings(handle) }
    bound = 0
  }

  /// Goes to the next row; false after the last one.
  @usableFromInline package func step() throws(DatabaseError) -> Bool {
    if handle == nil, let postgres { return try postgres.step() }
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw DatabaseError(code, String(cString: sqlite3_errmsg(database)))
    }
  }

  /// Runs to the end and resets.
  @usableFromInline package func finish() throws(DatabaseError) {
    defer { reset() }
    while try step() {}
  }

  /// Runs to the end without waiting for it, and resets; see `Database.send`.
  @usableFromInline package func send() throws(DatabaseError) {
    guard let postgres else { return try finish() }
    defer { postgres.reset() }
    try postgres.send()
  }

  // MARK: Parameters

  @inlinable func next() -> Int32 {
    bound += 1
    return bound
  }

  @inlinable package func bind(_ value: Int64) {
    if handle == nil, let postgres { return postgres.bind(value) }
    sqlite3_bind_int64(handle, next(), value)
  }
  /// PostgreSQL has a NULL of each type.
  @usableFromInline package func bindNull(_ type: ColumnType) {
    if handle == nil, let postgres { return postgres.bindNull(type) }
    sqlite3_bind_null(handle, next())
  }
  @usableFromInline package func bind(_ text: String) {
    var text = text
    if handle == nil, let postgres { return text.withUTF8 { postgres.bindText(UnsafeRawBufferPointer($0)) } }
    let index = next()
    text.withUTF8 { bytes in
      _ = bytes.withMemoryRebound(to: CChar.self) { chars in
        csqlite_bind_text(handle, index, chars.baseAddress ?? Statement.empty, Int32(chars.count))
      }
    }
  }
  @usableFromInline package func bind(_ bytes: Span<UInt8>) {
    if handle == nil, let postgres { return bytes.withUnsafeBytes { postgres.bindBlob($0) } }
    let index = next()
    bytes.withUnsafeBytes { bytes in
      // A null pointer would bind NULL.
      _ = csqlite_bind_blob(handle, index, bytes.baseAddress ?? UnsafeRawPointer(Statement.empty), Int32(bytes.count))
    }
  }
  /// Binds UTF-8 as text.
  package func bindText(_ bytes: Span<UInt8>) {
    if handle == nil, let postgres { return bytes.withUnsafeBytes { postgres.bindText($0) } }
    let index = next()
    bytes.withUnsafeBytes { bytes in
      let chars = bytes.assumingMemoryBound(to: CChar.self)
      _ = csqlite_bind_text(handle, index, chars.baseAddress ?? Statement.empty, Int32(chars.count))
    }
  }
  /// Binds 16 bytes: two numbers, the highest byte first.
  package func bind(_ high: UInt64, _ low: UInt64) {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes in
      if handle == nil, let postgres { return postgres.bindBlob(bytes) }
      let index = next()
      if let start = bytes.baseAddress { _ = csqlite_bind_blob(handle, index, start, 16) }
    }
  }
  nonisolated(unsafe) private static let empty = UnsafePointer<CChar>(UnsafeMutablePointer<CChar>.allocate(capacity: 1))

  // MARK: Columns

  package var columnCount: Int { postgres?.columnCount ?? Int(sqlite3_column_count(handle)) }
  @inlinable package func isNull(_ column: Int) -> Bool {
    if handle == nil, let postgres { return postgres.isNull(column) }
    return sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }
  @inlinable package func int(_ column: Int) -> Int64 {
    if handle == nil, let postgres { return postgres.int(column) }
    return sqlite3_column_int64(handle, Int32(column))
  }
  @inlinable package func optionalInt(_ column: Int) -> Int64? { isNull(column) ? nil : int(column) }
  /// A bit set of a column.
  @inlinable package func bits(_ column: Int) -> UInt8 { UInt8(truncatingIfNeeded: int(column)) }
  @inlinable package func bool(_ column: Int) -> Bool { int(column) != 0 }
  package func text(_ column: Int) -> String { optionalText(column) ?? "" }
  @usableFromInline package func optionalText(_ column: Int) -> String? {
    if handle == nil, let postgres {
      return postgres.isNull(column) ? nil : postgres.withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }
    guard let start = sqlite3_column_text(handle, Int32(column)) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
  /// Calls `body` with the UTF-8 of a column, empty if NULL.
  @inlinable package func withText<Result>(_ column: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    if handle == nil, let postgres {
      return postgres.withBytes(column) { body($0.assumingMemoryBound(to: UInt8.self).span) }
    }
    let start = sqlite3_column_text(handle, Int32(column))
    return body(UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(column)))).span)
  }
  /// Calls `body` with the bytes of a column, none if NULL.
  @inlinable package func withBlob<Result>(_ column: Int, _ body: (RawSpan) -> Result) -> Result {
    if handle == nil, let postgres { return postgres.withBytes(column) { body($0.bytes) } }
    let start = sqlite3_column_blob(handle, Int32(column))
    let count = start == nil ? 0 : Int(sqlite3_column_bytes(handle, Int32(column)))
    return body(UnsafeRawBufferPointer(start: start, count: count).bytes)
  }
  /// The bytes of a column, none if NULL.
  package func blob(_ column: Int) -> [UInt8] { withBlob(column) { bytes in bytes.withUnsafeBytes { Array($0) } } }
}
