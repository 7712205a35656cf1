import CPostgres
import Glibc

/// A connection to a PostgreSQL server. It and `PostgresStatement` alone touch libpq's pointers.
///
/// A connection that was lost is made again when the next statement runs, but never within a transaction: all its
/// statements fail until it is rolled back. Not for two threads at once.
final class PostgresConnection {
  private let settings: PostgresSettings
  private(set) var handle: OpaquePointer?
  /// Counts the connections made: what was prepared in an earlier one is gone.
  private(set) var generation = 0
  private(set) var isInTransaction = false
  /// Counts the transactions, for cursors that end with theirs.
  private(set) var transactions = 0
  /// Whose read model statements read and write, as `current_owner` of the migrations has it.
  private var owner: Int64?
  /// The owner that the server knows until the end of the open transaction.
  private var ownerOfTransaction: Int64?
  /// How many rows the last statement that was not a query changed.
  private(set) var changes = 0
  private var names = 0
  /// Whether `Interruption` may end what runs, between statements and parts of scans; one statement has its timeout.
  var isInterruptible = false
  private let token = UInt64.random(in: 0 ... .max)
  /// How many statements were sent whose results are not read yet.
  var unread = 0

  /// Connects; throws `failed` without libpq, if the address is malformed, the server unsuitable, or if it refuses this
  /// role, password or database, and `connectionLost` if it does not respond or cannot take the connection now.
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
    if cpostgres_status(handle) != CONNECTION_OK, let refusal = refusal() {
      disconnect()
      throw refusal
    }
    do throws(DatabaseError) {
      try checkServer()
      try check(cpostgres_exec(handle, settings.sessionStart)) { (_) throws(DatabaseError) in }
    } catch {
      disconnect()
      throw error
    }
  }

  /// Why the server did not take the connection; nil if it takes it at a second attempt, which a refusal needs to name its
  /// SQLSTATE.
  private func refusal() -> DatabaseError? {
    let text = message(of: handle)
    var codes = text.contains("no password supplied") ? ["28P01"] : []
    // Only a server's refusal begins like this, not a network error.
    if text.contains("FATAL:") {
      cpostgres_reconnect_verbosely(handle)
      if cpostgres_status(handle) == CONNECTION_OK { return nil }
      codes = PostgresRefusal.codes(in: self.message(of: handle))
    }
    let message = "cannot connect: \(text)"
    return PostgresRefusal.isLasting(codes) ? .failed(code: 0, message) : .connectionLost(message)
  }

  // MARK: The owner

  /// Sets the owner, also for transactions that begin later.
  ///
  /// The server knows the owner only until the end of the transaction: where something in between gives each transaction
  /// another session, no statement finds the owner of somebody else, and one outside of a transaction fails.
  func use(owner: Int64) throws(DatabaseError) {
    self.owner = owner
    guard isInTransaction, ownerOfTransaction != owner else { return }
    try execute(PostgresConnection.setting(owner))
    ownerOfTransaction = owner
  }

  private static func setting(_ owner: Int64) -> String { "SET LOCAL metube.owner = '\(owner)'" }

  /// Notes that the server may have undone what was set in the open transaction.
  func forgetOwner() { ownerOfTransaction = nil }

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

  // MARK: Poolers

  /// Throws `failed` if something between us and the server gives each transaction another session, as PgBouncer does with
  /// `pool_mode = transaction`: what is prepared, listened to or set in a session would be lost or somebody else's.
  ///
  /// An idle pool gives the last client's session to the next one, and a busy one another session each time.
  func checkSession() throws(DatabaseError) {
    guard try process() != Int64(cpostgres_process(handle)) else { return }
    let other = try PostgresConnection(settings)
    for _ in 0..<PostgresConnection.looks {
      let mine = try process()
      try other.beginReading()
      let its = try other.process()
      // Behind a pool of one session we would wait for the other.
      let later = its == mine ? mine : try process()
      try other.rollBack()
      guard its != mine, later == mine else { throw .failed(code: 0, DatabaseError.poolMode) }
    }
  }

  private static let looks = 3

  /// The server's process that serves this connection, by its own account. Nothing is prepared for this.
  private func process() throws(DatabaseError) -> Int64 {
    try revive()
    return try check(cpostgres_exec(handle, "SELECT pg_backend_pid()")) { (result) throws(DatabaseError) in
      Int64(String(cString: cpostgres_value(result, 0, 0))) ?? 0
    }
  }

  private func disconnect() {
    if handle != nil { cpostgres_finish(handle) }
    (handle, unread) = (nil, 0)
  }

  /// Connects again if the connection was lost. Before each statement, so that none is sent to a server that closed the
  /// connection meanwhile: it would be unknown whether such a statement ran.
  func revive() throws(DatabaseError) {
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
  /// while the connection was lost is lost: throws `connectionLost`, and the listener has to begin anew.
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
  private func message(of handle: OpaquePointer?) -> String {
    let text = cpostgres_error_message(handle).map { String(cString: $0) } ?? ""
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  // MARK: Statements

  /// A name that no statement or cursor of this object had, nor one of another: in a session that a pooler gives to
  /// several, it must not mean somebody else's.
  func newName() -> String {
    names += 1
    return "s\(names)_\(token)"
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
  func checked(_ result: OpaquePointer?) throws(DatabaseError) -> OpaquePointer {
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
      let text = cpostgres_result_field(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
      throw DatabaseError(state: state, text ?? "", isStandby: isStandby)
    default: throw .failed(code: 0, "an unexpected kind of result")
    }
  }

  /// Whether the server is in recovery, as it reports by itself.
  private var isStandby: Bool {
    cpostgres_parameter(handle, "in_hot_standby").map { String(cString: $0) } == "on"
  }

  func lost() -> DatabaseError {
    let text = message(of: handle)
    disconnect()
    return .connectionLost(text)
  }

  /// Notes whether a transaction is open now; one whose connection was lost is open until it is rolled back.
  func noteTransaction() {
    switch cpostgres_transaction_status(handle) {
    case PQTRANS_IDLE:
      isInTransaction = false
      forgetOwner()
    case PQTRANS_INTRANS, PQTRANS_INERROR: isInTransaction = true
    default: break
    }
  }

  // MARK: Transactions

  /// Begins a transaction that reads one state of the database.
  func beginReading() throws(DatabaseError) { try begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") }

  /// Begins a transaction that writes; each of its statements sees what others have committed. Not `READ WRITE`: that
  /// writes where the server was set to only read, and a standby refuses it as a feature that it does not have.
  func beginWriting() throws(DatabaseError) { try begin("BEGIN ISOLATION LEVEL READ COMMITTED") }

  private func begin(_ sql: String) throws(DatabaseError) {
    let owner = owner
    try repeating { () throws(DatabaseError) in
      try execute(owner.map { "\(sql); \(PostgresConnection.setting($0))" } ?? sql)
    }
    ownerOfTransaction = owner
    transactions += 1
  }

  /// Throws if the transaction did not take place. After `connectionLost` it is unknown whether it did.
  func commit() throws(DatabaseError) {
    try revive()
    let status = try check(cpostgres_exec(handle, "COMMIT")) { (result) throws(DatabaseError) in
      String(cString: cpostgres_command_status(result))
    }
    // The server's response after a statement had failed.
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

  /// Runs an idempotent operation, again if the connection was lost outside a transaction.
  func repeating(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
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

/// Calls `body` with texts as a list of C's texts that ends with NULL.
private func withCStrings<Result>(
  _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
  let copies = texts.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies.map { UnsafePointer($0) } + [nil])
}
