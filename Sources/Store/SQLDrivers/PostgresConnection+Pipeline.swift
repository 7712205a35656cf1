import CPostgres

/// Statements of a transaction that are sent without waiting for the results of those before them: pipeline mode of libpq.
extension PostgresConnection {
  /// Notes a statement of a transaction that was sent without waiting for its result.
  func noteSent(_ isSent: Bool) throws(DatabaseError) {
    guard isSent else { throw lost() }
    unread += 1
    // More results than the connection holds would block both ends.
    if unread == PostgresConnection.maxUnread { try readResults() }
  }

  private static let maxUnread = 200

  /// Gets ready to send a statement without waiting for the results of those before it.
  func beginSending() throws(DatabaseError) {
    guard handle != nil else { throw .connectionLost("the connection was lost within a transaction") }
    if unread == 0, cpostgres_enter_pipeline(handle) == 0 { throw lost() }
  }

  /// Reads the results of what was sent; throws what the first of them says is wrong.
  func readResults() throws(DatabaseError) {
    guard unread > 0 else { return }
    defer { unread = 0 }
    guard cpostgres_sync(handle) != 0 else { throw lost() }
    var problem: DatabaseError?
    let count = unread
    for _ in 0..<count {
      let result = cpostgres_get_result(handle)
      defer { cpostgres_clear(result) }
      // After a failure the others are not run; the first error is reported.
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
}
