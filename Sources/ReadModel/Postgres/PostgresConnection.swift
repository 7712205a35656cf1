import CPostgres
import Glibc

/// A connection to a PostgreSQL server. This file alone touches libpq's pointers.
///
/// A connection that was lost is made again when the next statement runs, but never within a transaction: all its
/// statements fail until it is rolled back. Not for two threads at once.
final class PostgresConnection {
  private let settings: PostgresSettings
  fileprivate private(set) var handle: OpaquePointer?
  /// Counts the connections made: what was prepared in an earlier one is gone.
  fileprivate private(set) var generation = 0
  private(set) var isInTransaction = false
  /// Counts the transactions, for cursors that end with theirs.
  fileprivate private(set) var transactions = 0
  /// Whose read model statements read and write, as `current_owner` of the migrations has it.
  private var owner: Int64?
  /// Whether the server knows the owner, and whether it forgets it if the open transaction is undone.
  private var (isOwnerSet, isOwnerOfTransaction) = (false, false)
  /// How many rows the last statement that was no query changed.
  private(set) var changes = 0
  private var names = 0
  /// How many statements were sent whose results are not read yet.
  private var unread = 0

  /// Connects; throws `failed` without libpq, or if the address is malformed or the server unsuitable, and
  /// `connectionLost` if the server does not answer or refuses.
  init(_ settings: PostgresSettings) throws(DatabaseError) {
    self.settings = settings
    if let problem = cpostgres_problem() {
      throw .failed(code: 0, "libpq (Debian: libpq5) cannot be loaded: \(String(cString: problem))")
    }
    guard cpostgres_is_valid(settings.address) != 0 else {
      throw .failed(
        code: 0, "the address of the PostgreSQL server is malformed; it looks like postgresql://user@host/database")
    }
    try connect()
  }

  deinit { disconnect() }

  // MARK: Connecting

  /// What libpq does unless the address says otherwise: a server that is gone is noticed within a minute.
  private static let defaults = [
    ("fallback_application_name", "metube"), ("connect_timeout", "10"), ("keepalives_idle", "30"),
    ("keepalives_interval", "10"), ("keepalives_count", "3"), ("tcp_user_timeout", "60000"),
  ]

  private func connect() throws(DatabaseError) {
    disconnect()
    let options = PostgresConnection.defaults + [("dbname", settings.address), ("client_encoding", "UTF8")]
    handle = withCStrings(options.map(\.0)) { keywords in
      withCStrings(options.map(\.1)) { values in cpostgres_connect(keywords, values) }
    }
    generation += 1
    guard cpostgres_status(handle) == CONNECTION_OK else {
      let words = words(of: handle)
      disconnect()
      throw .connectionLost("cannot connect: \(words)")
    }
    do throws(DatabaseError) {
      try checkServer()
      try check(cpostgres_exec(handle, settings.sessionStart)) { (_) throws(DatabaseError) in }
      isOwnerSet = false
      if let owner { try sendOwner(owner) }
    } catch {
      disconnect()
      throw error
    }
  }

  // MARK: The owner

  /// Sets the owner, also for connections that are made later.
  func use(owner: Int64) throws(DatabaseError) {
    if isOwnerSet, self.owner == owner { return }
    (self.owner, isOwnerSet) = (owner, false)
    try revive()
    // A new connection knows it.
    if isOwnerSet { return }
    try sendOwner(owner)
    isOwnerOfTransaction = isInTransaction
  }

  private func sendOwner(_ owner: Int64) throws(DatabaseError) {
    try check(cpostgres_exec(handle, "SET metube.owner = '\(owner)'")) { (_) throws(DatabaseError) in }
    isOwnerSet = true
  }

  /// Notes that the server may have undone what was set in the open transaction.
  func forgetOwner() {
    if isOwnerOfTransaction { (isOwnerSet, isOwnerOfTransaction) = (false, false) }
  }

  private func checkServer() throws(DatabaseError) {
    let version = cpostgres_server_version(handle)
    guard version >= 150_000 else {
      throw .failed(code: 0, "PostgreSQL 15 or newer is required; the server has \(version / 10_000)")
    }
    let encoding = cpostgres_parameter(handle, "server_encoding").map { String(cString: $0) } ?? "unknown"
    guard encoding == "UTF8" else {
      throw .failed(code: 0, "the database has the encoding \(encoding); create one with ENCODING 'UTF8'")
    }
  }

  private func disconnect() {
    if handle != nil { cpostgres_finish(handle) }
    (handle, unread) = (nil, 0)
  }

  /// Connects again if the connection was lost. Before each statement, so that none is sent to a server that closed the
  /// connection meanwhile: of such a statement nobody would know whether it ran.
  fileprivate func revive() throws(DatabaseError) {
    try readResults()
    // What comes first may be why it is closed.
    while handle != nil, cpostgres_has_input(handle, 0) != 0 { takeInput() }
    guard handle == nil else { return }
    guard !isInTransaction else { throw .connectionLost("the connection was lost within a transaction") }
    try connect()
  }

  /// Reads what the server sent unasked; disconnects if it closed the connection.
  private func takeInput() {
    let isAlive = cpostgres_consume_input(handle) != 0 && cpostgres_status(handle) == CONNECTION_OK
    if !isAlive { disconnect() }
  }

  /// The payloads of notifications that have come, after waiting for the first one for some milliseconds. What was sent
  /// while the connection was lost is lost: throws `connectionLost`, and whoever listens has to begin anew.
  func notifications(waiting milliseconds: Int32) throws(DatabaseError) -> [String] {
    var payloads = takeNotifications()
    if payloads.isEmpty, handle != nil, cpostgres_has_input(handle, milliseconds) != 0 {
      takeInput()
      payloads = takeNotifications()
    }
    guard handle != nil else { throw .connectionLost("the connection was lost") }
    return payloads
  }

  private func takeNotifications() -> [String] {
    var payloads: [String] = []
    while handle != nil, let notification = cpostgres_notification(handle) {
      payloads.append(String(cString: notification.pointee.extra))
      cpostgres_free_notification(notification)
    }
    return payloads
  }

  /// libpq's message about a connection, on one line.
  private func words(of handle: OpaquePointer?) -> String {
    let words = cpostgres_error_message(handle).map { String(cString: $0) } ?? ""
    return words.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  // MARK: Statements

  /// A name that no statement or cursor of this object had.
  fileprivate func newName() -> String {
    names += 1
    return "s\(names)"
  }

  /// Runs statements without parameters (PQexec).
  func execute(_ sql: String) throws(DatabaseError) {
    try revive()
    try check(cpostgres_exec(handle, sql)) { (_) throws(DatabaseError) in }
  }

  /// Calls `body` with a result, which it must not keep; throws what the server says is wrong.
  private func check<Value>(
    _ result: OpaquePointer?, _ body: (OpaquePointer) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> Value {
    do throws(DatabaseError) {
      let value = try body(try checked(result))
      cpostgres_clear(result)
      return value
    } catch {
      cpostgres_clear(result)
      throw error
    }
  }

  /// Looks at a result, which the caller clears; throws what the server says is wrong.
  fileprivate func checked(_ result: OpaquePointer?) throws(DatabaseError) -> OpaquePointer {
    noteTransaction()
    guard let result else { throw lost() }
    switch cpostgres_result_status(result) {
    case PGRES_COMMAND_OK:
      changes = cpostgres_command_rows(result).flatMap { Int(String(cString: $0)) } ?? 0
      return result
    case PGRES_TUPLES_OK: return result
    case PGRES_FATAL_ERROR:
      let state = cpostgres_result_field(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
      let isLost = cpostgres_status(handle) != CONNECTION_OK || state.hasPrefix("08") || state.hasPrefix("57P")
      guard !isLost else { throw lost() }
      let words = cpostgres_result_field(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
      throw DatabaseError(state: state, words ?? "")
    default: throw .failed(code: 0, "an unexpected kind of result")
    }
  }

  private func lost() -> DatabaseError {
    let words = words(of: handle)
    disconnect()
    return .connectionLost(words)
  }

  /// Notes whether a transaction is open now; one whose connection was lost is open until it is rolled back.
  private func noteTransaction() {
    switch cpostgres_transaction_status(handle) {
    case PQTRANS_IDLE:
      isInTransaction = false
      forgetOwner()
    case PQTRANS_INTRANS, PQTRANS_INERROR: isInTransaction = true
    default: break
    }
  }

  // MARK: Sending ahead

  /// Notes a statement of a transaction that was sent without waiting for its result.
  fileprivate func noteSent(_ isSent: Bool) throws(DatabaseError) {
    guard isSent else { throw lost() }
    unread += 1
    // More results than the connection holds would block both ends.
    if unread == PostgresConnection.mostUnread { try readResults() }
  }

  private static let mostUnread = 200

  /// Gets ready to send a statement without waiting for the results of those before it.
  fileprivate func beginSending() throws(DatabaseError) {
    guard handle != nil else { throw .connectionLost("the connection was lost within a transaction") }
    if unread == 0, cpostgres_enter_pipeline(handle) == 0 { throw lost() }
  }

  /// Reads the results of what was sent; throws what the first of them says is wrong.
  private func readResults() throws(DatabaseError) {
    guard unread > 0 else { return }
    defer { unread = 0 }
    guard cpostgres_sync(handle) != 0 else { throw lost() }
    var problem: DatabaseError?
    let count = unread
    for _ in 0..<count {
      let result = cpostgres_get_result(handle)
      defer { cpostgres_clear(result) }
      // Behind a failure the others are not run, and the first error is the one to report.
      do throws(DatabaseError) { _ = try checked(result) } catch { problem = problem ?? error }
      guard handle != nil else { break }
      // Each ends with NULL.
      cpostgres_clear(cpostgres_get_result(handle))
    }
    if handle != nil {
      cpostgres_clear(cpostgres_get_result(handle))
      if cpostgres_exit_pipeline(handle) == 0 { throw lost() }
      noteTransaction()
    }
    if let problem { throw problem }
  }

  // MARK: Transactions

  /// Begins a transaction that reads one state of the database.
  func beginReading() throws(DatabaseError) { try begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") }

  /// Begins a transaction that writes; each of its statements sees what others have committed.
  func beginWriting() throws(DatabaseError) { try begin("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE") }

  private func begin(_ sql: String) throws(DatabaseError) {
    try repeating { () throws(DatabaseError) in try execute(sql) }
    transactions += 1
  }

  /// Throws if the transaction did not take place. After `connectionLost` nobody knows whether it did.
  func commit() throws(DatabaseError) {
    try revive()
    let status = try check(cpostgres_exec(handle, "COMMIT")) { (result) throws(DatabaseError) in
      String(cString: cpostgres_command_status(result))
    }
    // The server's answer where a statement had failed.
    guard status == "COMMIT" else { throw .failed(code: 0, "the transaction was rolled back") }
  }

  func rollBack() throws(DatabaseError) {
    // Whatever they say, it is undone.
    try? readResults()
    // The server does it itself if the connection was lost.
    if handle != nil { try? execute("ROLLBACK") }
    if handle == nil { isInTransaction = false }
    guard !isInTransaction else { throw .failed(code: 0, "the transaction cannot be rolled back") }
  }

  /// Runs what may be run twice, a second time if the connection was lost outside a transaction.
  fileprivate func repeating(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    let isAlone = !isInTransaction
    do throws(DatabaseError) {
      try body()
    } catch {
      guard isAlone, case .connectionLost = error else { throw error }
      isInTransaction = false
      try body()
    }
  }
}

/// A statement on PostgreSQL. It is prepared by the server when it first runs, because only then the types of its
/// parameters are known.
///
/// What `Statement` calls for each row is not inlined there: it would keep SQLite's part from being inlined further.
final class PostgresStatement {
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

  @inline(never)
  func bind(_ value: Int64) { parameters.append(value) }
  @inline(never)
  func bindNull(_ type: ColumnType) { parameters.appendNull(type) }
  func bindText(_ bytes: UnsafeRawBufferPointer) { parameters.appendText(bytes) }
  func bindBlob(_ bytes: UnsafeRawBufferPointer) { parameters.appendBlob(bytes) }

  // MARK: Columns

  var columnCount: Int { columns.count }

  @inline(never)
  func isNull(_ column: Int) -> Bool { cpostgres_is_null(result, row, Int32(column)) != 0 }

  private func value(_ column: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: cpostgres_value(result, row, Int32(column)), count: Int(cpostgres_length(result, row, Int32(column))))
  }

  /// 0 if NULL or no number.
  @inline(never)
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
  @inline(never)
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

/// Calls `body` with texts as a list of C's texts that ends with NULL.
private func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
  let copies = texts.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies.map { UnsafePointer($0) } + [nil])
}
