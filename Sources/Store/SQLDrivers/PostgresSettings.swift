/// Where a PostgreSQL server is, and what a connection may take there.
package struct PostgresSettings: Sendable {
  /// `postgresql://user@host:port/database?sslmode=verify-full` or `host=… dbname=…`, with every option of libpq, which
  /// also reads PGPASSWORD, PGSSLMODE and the password file. Never part of a message, for it may have the password.
  package var address: String
  /// The schema that has the tables.
  package var schema: String
  /// Seconds that one statement may take; 0 for any time.
  package var statementTimeout: Int
  /// How long to wait for another transaction's lock, seconds.
  package var lockTimeout: Int

  package init(address: String, schema: String = "metube", statementTimeout: Int = 60, lockTimeout: Int = 10) {
    (self.address, self.schema) = (address, schema)
    (self.statementTimeout, self.lockTimeout) = (statementTimeout, lockTimeout)
  }

  /// What a session begins with. Compiling a plan (`jit`) takes longer than any of our queries. Plans are kept, and one
  /// that was made while tables were small, or that hopes to meet an owner's rows soon, would read those of all owners.
  var sessionStart: String {
    """
    SET search_path = \(SQL.quoted(schema));
    SET statement_timeout = '\(statementTimeout)s'; SET lock_timeout = '\(lockTimeout)s';
    SET jit = off; SET enable_seqscan = off; SET client_min_messages = error; SET standard_conforming_strings = on;
    """
  }
}
