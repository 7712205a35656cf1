import CSQLite
import Glibc

/// A connection to one database, of SQLite or PostgreSQL. This file and that of `Statement` alone touch SQLite's
/// pointers.
///
/// What is written in SQL is understood by both engines, or translated by `Dialect`.
///
/// Not for two threads at once: each thread opens its own.
@usableFromInline package final class Database {
  /// How a database is opened.
  package enum Access {
    /// Created if absent.
    case readWrite
    case readOnly
    /// Private and gone with the connection.
    case memory
  }

  /// nil on PostgreSQL.
  private let handle: OpaquePointer?
  private let postgres: PostgresConnection?
  /// Whether `Interruption` may end what runs: reading, which leaves nothing half done.
  private var isInterruptible = false { didSet { postgres?.isInterruptible = isInterruptible } }
  /// How SQLite waits for other connections; nil on PostgreSQL.
  private let wait: BusyWait?
  private var statements: [SQL: Statement] = [:]
  /// Those that read in parts.
  private var scans: [SQL: Statement] = [:]

  /// Connects to PostgreSQL.
  package init(_ settings: PostgresSettings) throws(DatabaseError) {
    (handle, wait) = (nil, nil)
    postgres = try PostgresConnection(settings)
  }

  /// Whether this is a connection to PostgreSQL.
  package var isPostgres: Bool { postgres != nil }

  /// Opens a database (`sqlite3_open_v2`); other connections are waited for, see `BusyWait`.
  package init(_ path: String, _ access: Access) throws(DatabaseError) {
    let flags =
      switch access {
      case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readOnly: SQLITE_OPEN_READONLY
      case .memory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY
      }
    Database.configured
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      throw DatabaseError(code, "cannot open")
    }
    let wait = BusyWait(for: path)
    (handle, postgres, self.wait) = (opened, nil, wait)
    // The connection, which ends with this object, has it as long as it lives.
    sqlite3_busy_handler(
      handle,
      { context, attempt in
        guard let context else { return 0 }
        return Unmanaged<BusyWait>.fromOpaque(context).takeUnretainedValue().waits(Int(attempt)) ? 1 : 0
      }, Unmanaged.passUnretained(wait).toOpaque())
    // A damaged schema must not run functions or triggers of its own.
    csqlite_harden(handle)
    sqlite3_progress_handler(
      handle, Database.steps, { Database.isInterrupted($0) ? 1 : 0 }, Unmanaged.passUnretained(self).toOpaque())
    // Before any temporary table exists: later it cannot be changed within a transaction.
    try execute(.sqlite("PRAGMA temp_store = MEMORY"))
  }

  /// Opens a copy of a database that another program wrote, which may be hostile, for reading (`sqlite3_deserialize`).
  /// Statements that take too many steps fail.
  convenience init(foreign bytes: [UInt8]) throws(DatabaseError) {
    try self.init(":memory:", .memory)
    csqlite_limit(handle)
    guard bytes.count > 100, let copy = sqlite3_malloc64(UInt64(bytes.count)) else {
      throw .damaged(code: SQLITE_NOTADB, "no header")
    }
    bytes.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress { copy.copyMemory(from: start, byteCount: bytes.count) }
    }
    // A copy in memory has no write-ahead log (file format, §1.3.3).
    copy.storeBytes(of: 0x0101, toByteOffset: 18, as: UInt16.self)
    let code = sqlite3_deserialize(
      handle, "main", copy.assumingMemoryBound(to: UInt8.self), Int64(bytes.count), Int64(bytes.count),
      UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY))
    guard code == SQLITE_OK else { throw error(code) }
    try execute(.sqlite("PRAGMA cell_size_check = ON"))
  }

  private static let configured: Void = csqlite_configure()

  /// The number of SQLite's steps, about 1 ms, between two checks whether the read must end.
  private static let steps: Int32 = 20_000

  /// Called by SQLite with the database whose statement runs on this thread (`sqlite3_progress_handler`).
  private static func isInterrupted(_ database: UnsafeMutableRawPointer?) -> Bool {
    guard let database else { return false }
    let isInterruptible = Unmanaged<Database>.fromOpaque(database).takeUnretainedValue().isInterruptible
    return isInterruptible && Interruption.current?.isOver ?? false
  }

  deinit {
    for statement in statements.values { statement.finalize() }
    if handle != nil { sqlite3_close(handle) }
  }

  /// Runs statements that return no rows and take no parameters (`sqlite3_exec`).
  package func execute(_ sql: SQL) throws(DatabaseError) {
    if let postgres { return try postgres.execute(Dialect.postgres(sql)) }
    #if DEBUG
      Dialect.check(sql)
    #endif
    let code = sqlite3_exec(handle, sql.description, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// The prepared statement of some SQL, reset and without parameters; prepared once for each connection.
  @usableFromInline
  package func prepare(_ sql: SQL) throws(DatabaseError) -> Statement {
    if let statement = statements[sql] {
      statement.reset()
      return statement
    }
    if let postgres {
      let statement = Statement(PostgresStatement(try Dialect.postgres(sql), in: postgres, isScan: false))
      statements[sql] = statement
      return statement
    }
    #if DEBUG
      Dialect.check(sql)
    #endif
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql.description, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw error(code) }
    let statement = Statement(prepared, in: handle)
    statements[sql] = statement
    return statement
  }

  /// A query with possibly many rows, whose first rows may be enough: on PostgreSQL they are fetched in parts, which
  /// takes more round trips.
  @usableFromInline
  package func prepareScan(_ sql: SQL) throws(DatabaseError) -> Statement {
    guard let postgres else { return try prepare(sql) }
    if let statement = scans[sql] {
      statement.reset()
      return statement
    }
    let statement = Statement(PostgresStatement(try Dialect.postgres(sql), in: postgres, isScan: true))
    scans[sql] = statement
    return statement
  }

  /// Runs a statement to its end.
  @inlinable
  package func run<each Parameter: Bindable>(_ sql: SQL, _ parameter: repeat each Parameter) throws(DatabaseError) {
    let statement = try prepare(sql)
    repeat (each parameter).bind(to: statement)
    try statement.finish()
  }

  /// Runs a statement of a transaction to its end; nothing of its result is read, not even `changes`. On PostgreSQL it
  /// is sent without waiting for the result; if it fails, a later statement or the transaction's end throws.
  @inlinable
  package func send<each Parameter: Bindable>(_ sql: SQL, _ parameter: repeat each Parameter) throws(DatabaseError) {
    let statement = try prepare(sql)
    repeat (each parameter).bind(to: statement)
    try statement.send()
  }

  /// Calls `body` with each row of a query. Another query with the same SQL must not run within it.
  @inlinable
  package func forEach<each Parameter: Bindable>(
    _ sql: SQL, _ parameter: repeat each Parameter, body: (Statement) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let statement = try prepare(sql)
    repeat (each parameter).bind(to: statement)
    defer { statement.reset() }
    while try statement.step() { try body(statement) }
  }

  /// Calls `body` with each row of a query of possibly many rows; see `prepareScan`.
  @inlinable
  package func scan<each Parameter: Bindable>(
    _ sql: SQL, _ parameter: repeat each Parameter, body: (Statement) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let statement = try prepareScan(sql)
    repeat (each parameter).bind(to: statement)
    defer { statement.reset() }
    while try statement.step() { try body(statement) }
  }

  /// What `body` makes of the first row of a query; nil without rows.
  @inlinable
  package func first<Result, each Parameter: Bindable>(
    _ sql: SQL, _ parameter: repeat each Parameter, body: (Statement) throws(DatabaseError) -> Result
  ) throws(DatabaseError) -> Result? {
    let statement = try prepare(sql)
    repeat (each parameter).bind(to: statement)
    defer { statement.reset() }
    return try statement.step() ? try body(statement) : nil
  }

  /// The integer in the first column of the first row; nil without rows, or if it is NULL.
  @inlinable
  package func integer<each Parameter: Bindable>(
    _ sql: SQL, _ parameter: repeat each Parameter
  ) throws(DatabaseError) -> Int64? {
    try first(sql, repeat each parameter) { (row) throws(DatabaseError) in row.optionalInt(0) } ?? nil
  }

  /// Runs an `INSERT … RETURNING` of one row; returns the number that it gave the row.
  package func inserted<each Parameter: Bindable>(
    _ sql: SQL, _ parameter: repeat each Parameter
  ) throws(DatabaseError) -> Int64 {
    guard let number = try integer(sql, repeat each parameter) else {
      throw .failed(code: SQLITE_EMPTY, "no row was inserted")
    }
    return number
  }

  /// Runs several queries on one state of the database, whatever other connections commit meanwhile. `Interruption` may
  /// end them.
  package func snapshot<Result>(_ body: () throws(DatabaseError) -> Result) throws(DatabaseError) -> Result {
    if isInTransaction { return try body() }
    try Interruption.check()
    try beginReading()
    defer { endReading() }
    isInterruptible = true
    // Not while the transaction ends.
    defer { isInterruptible = false }
    return try body()
  }

  /// Begins a transaction that only reads; `endReading` ends it.
  package func beginReading() throws(DatabaseError) {
    if let postgres { try postgres.beginReading() } else { try run(.sqlite("BEGIN")) }
  }

  /// Ends a transaction of `beginReading`.
  package func endReading() {
    // Nothing was written that could be lost.
    if let postgres { try? postgres.rollBack() } else { try? run(.sqlite("COMMIT")) }
  }

  /// Runs `body` in a transaction that writes; undone if it throws. On PostgreSQL others write at the same time, and each
  /// statement sees what they have committed.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    if let postgres { try postgres.beginWriting() } else { try execute(.sqlite("BEGIN IMMEDIATE")) }
    do {
      let result = try body()
      if let postgres { try postgres.commit() } else { try execute(.sqlite("COMMIT")) }
      return result
    } catch {
      // The first error is the one to report.
      if isInTransaction { try? rollBack() }
      throw error
    }
  }

  private func rollBack() throws(DatabaseError) {
    if let postgres { try postgres.rollBack() } else { try execute(.sqlite("ROLLBACK")) }
  }

  /// Throws `failed` if a pooler gives each transaction another session of the server; see `PostgresConnection`.
  package func checkSession() throws(DatabaseError) { try postgres?.checkSession() }

  /// Has what follows read and write the read model of an owner. In SQLite a file is one owner's.
  package func use(owner: Int64) throws(DatabaseError) { try postgres?.use(owner: owner) }

  /// Runs `body` in a transaction that writes, or within the one that is open; what it did is undone if it throws.
  package func nestedTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    guard isInTransaction else { return try transaction(body) }
    try execute("SAVEPOINT nested")
    do {
      let result = try body()
      try execute("RELEASE nested")
      return result
    } catch {
      // The first error is the one to report.
      try? execute("ROLLBACK TO nested; RELEASE nested")
      postgres?.forgetOwner()
      throw error
    }
  }

  /// The payloads of PostgreSQL's notifications; see `PostgresConnection`.
  package func notifications(waiting milliseconds: Int32) throws(DatabaseError) -> [String] {
    try postgres?.notifications(waiting: milliseconds) ?? []
  }

  /// How many rows the last statement changed (`sqlite3_changes`).
  package var changes: Int { postgres?.changes ?? Int(sqlite3_changes(handle)) }
  /// Whether a transaction is open.
  package var isInTransaction: Bool { postgres?.isInTransaction ?? (sqlite3_get_autocommit(handle) == 0) }

  /// Makes this database a copy of another one (`sqlite3_backup_step`).
  package func copy(_ other: Database) throws(DatabaseError) {
    guard handle != nil, other.handle != nil else {
      throw .failed(code: 0, "the tables in PostgreSQL cannot be copied into memory")
    }
    guard let backup = sqlite3_backup_init(handle, "main", other.handle, "main") else {
      throw error(sqlite3_errcode(handle))
    }
    let code = sqlite3_backup_step(backup, -1)
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else { throw error(code) }
  }

  private func error(_ code: Int32) -> DatabaseError { DatabaseError(code, String(cString: sqlite3_errmsg(handle))) }
}
