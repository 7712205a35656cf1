import CPostgres

/// A statement on PostgreSQL. It is prepared by the server when it first runs, because only then the types of its
/// parameters are known.
///
/// What `Statement` calls for each row is not inlined there: it would keep SQLite's part from being inlined further.
@usableFromInline final class PostgresStatement {
  private let connection: PostgresConnection
  private let sql: String
  /// Whether the rows are fetched in parts, so that many take little memory and those not read cost nothing.
  private let isScan: Bool
  private let isQuery: Bool
  private var parameters = PostgresParameters()

  /// The server's name of the prepared statement, the types it was prepared with, and in which connection.
  private var prepared: (name: String, types: [UInt32], generation: Int)?
  /// The cursor of a scan, its transaction, whether that was begun for it, and how many rows were requested last.
  private var cursor: (name: String, transaction: Int, ownsTransaction: Bool, requested: Int32)?

  private var result: OpaquePointer?
  private var row: Int32 = -1
  private var rows: Int32 = 0
  /// The types of the result's columns.
  private var columns: [PostgresType] = []

  init(_ sql: String, in connection: PostgresConnection, isScan: Bool) {
    (self.sql, self.connection, self.isScan) = (sql, connection, isScan)
    isQuery = sql.drop { $0.isWhitespace }.hasPrefix("SELECT")
  }

  deinit { cpostgres_clear(result) }

  func reset() {
    closeCursor()
    clearResult()
    parameters.removeAll()
  }

  private func clearResult() {
    cpostgres_clear(result)
    (result, row, rows) = (nil, -1, 0)
  }

  /// Goes to the next row; false after the last one.
  @inline(never)
  func step() throws(DatabaseError) -> Bool {
    if result == nil { try run() }
    row += 1
    if row < rows { return true }
    guard let cursor, rows == cursor.requested else { return false }
    try fetch(PostgresStatement.laterPart)
    row = 0
    return rows > 0
  }

  private func run() throws(DatabaseError) {
    if isScan { return try openCursor() }
    guard isQuery else { return try execute() }
    try connection.repeating { () throws(DatabaseError) in try execute() }
  }

  /// Runs a statement of a transaction to its end without waiting for it; what is wrong with it is thrown by a later one.
  func send() throws(DatabaseError) {
    guard connection.isInTransaction, !isQuery else {
      _ = try step()
      return
    }
    let name = try prepare(waits: false)
    try connection.beginSending()
    let isSent = parameters.withPointers { values, lengths, formats in
      cpostgres_send_prepared(connection.handle, name, parameters.count, values, lengths, formats)
    }
    try connection.noteSent(isSent != 0)
  }

  private func execute() throws(DatabaseError) {
    if connection.isInterruptible { try Interruption.check() }
    let name = try prepare(waits: true)
    let result = parameters.withPointers { values, lengths, formats in
      cpostgres_exec_prepared(connection.handle, name, parameters.count, values, lengths, formats)
    }
    try keep(result)
  }

  /// The name of the statement as it is prepared for these types of parameters; `waits` if the results of those before it
  /// are read first.
  private func prepare(waits: Bool) throws(DatabaseError) -> String {
    if waits { try connection.revive() }
    if let prepared, prepared.generation == connection.generation, prepared.types == parameters.types {
      return prepared.name
    }
    try connection.revive()
    let name = connection.newName()
    let result = cpostgres_prepare(connection.handle, name, sql, parameters.count, parameters.types)
    defer { cpostgres_clear(result) }
    _ = try connection.checked(result)
    prepared = (name, parameters.types, connection.generation)
    columns = []
    return name
  }

  /// Takes a result, whose rows are read next.
  private func keep(_ result: OpaquePointer?) throws(DatabaseError) {
    clearResult()
    self.result = result
    do throws(DatabaseError) {
      let result = try connection.checked(result)
      rows = cpostgres_rows(result)
      if columns.isEmpty { columns = try PostgresStatement.types(of: result) }
    } catch {
      clearResult()
      throw error
    }
  }

  private static func types(of result: OpaquePointer) throws(DatabaseError) -> [PostgresType] {
    var types: [PostgresType] = []
    for column in 0..<cpostgres_columns(result) {
      guard let type = PostgresType(rawValue: cpostgres_type(result, column)) else {
        throw .failed(code: 0, "column \(column) has a type that is not read")
      }
      types.append(type)
    }
    return types
  }

  // MARK: Scans

  private static let firstPart: Int32 = 100
  private static let laterPart: Int32 = 1000

  /// A cursor lives in a transaction; without one it gets its own.
  private func openCursor() throws(DatabaseError) {
    let ownsTransaction = !connection.isInTransaction
    if ownsTransaction { try connection.beginReading() }
    try connection.revive()
    let name = connection.newName()
    cursor = (name, connection.transactions, ownsTransaction, 0)
    let result = parameters.withPointers { values, lengths, formats in
      cpostgres_exec_params(
        connection.handle, "DECLARE \(name) NO SCROLL CURSOR FOR \(sql)", parameters.count, parameters.types, values,
        lengths, formats)
    }
    defer { cpostgres_clear(result) }
    _ = try connection.checked(result)
    try fetch(PostgresStatement.firstPart)
  }

  private func fetch(_ count: Int32) throws(DatabaseError) {
    guard let name = cursor?.name else { return }
    if connection.isInterruptible { try Interruption.check() }
    try connection.revive()
    try keep(cpostgres_exec_params(connection.handle, "FETCH \(count) FROM \(name)", 0, nil, nil, nil, nil))
    cursor?.requested = count
  }

  private func closeCursor() {
    guard let cursor else { return }
    self.cursor = nil
    guard connection.isInTransaction, connection.transactions == cursor.transaction else { return }
    // Only reading is given up.
    try? connection.execute(cursor.ownsTransaction ? "ROLLBACK" : "CLOSE \(cursor.name)")
  }

  // MARK: Parameters

  @usableFromInline @inline(never)
  func bind(_ value: Int64) { parameters.append(value) }
  @inline(never)
  func bindNull(_ type: ColumnType) { parameters.appendNull(type) }
  func bindText(_ bytes: UnsafeRawBufferPointer) { parameters.appendText(bytes) }
  func bindBlob(_ bytes: UnsafeRawBufferPointer) { parameters.appendBlob(bytes) }

  // MARK: Columns

  var columnCount: Int { columns.count }

  @usableFromInline @inline(never)
  func isNull(_ column: Int) -> Bool { cpostgres_is_null(result, row, Int32(column)) != 0 }

  private func value(_ column: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: cpostgres_value(result, row, Int32(column)), count: Int(cpostgres_length(result, row, Int32(column))))
  }

  /// 0 if NULL or no number.
  @usableFromInline @inline(never)
  func int(_ column: Int) -> Int64 {
    let value = value(column)
    switch (columns[column], value.count) {
    case (.int8, 8): return Int64(bigEndian: value.loadUnaligned(as: Int64.self))
    case (.int4, 4): return Int64(Int32(bigEndian: value.loadUnaligned(as: Int32.self)))
    case (.int2, 2): return Int64(Int16(bigEndian: value.loadUnaligned(as: Int16.self)))
    case (.bool, 1): return value[0] == 0 ? 0 : 1
    default: return 0
    }
  }

  /// Calls `body` with the bytes of a column, as SQLite gives them: of a number its digits; nothing if NULL.
  @usableFromInline @inline(never)
  func withBytes<Result>(_ column: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    guard !isNull(column) else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    switch columns[column] {
    case .bytea, .void: return body(value(column))
    case .text, .varchar, .name:
      let stored = value(column)
      guard let text = PostgresText.unescaped(stored) else { return body(stored) }
      return text.withUnsafeBytes(body)
    case .bool, .int2, .int4, .int8: return Array(String(int(column)).utf8).withUnsafeBytes(body)
    }
  }
}
