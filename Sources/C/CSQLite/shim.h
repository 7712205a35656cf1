#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast that Swift does not import: SQLite copies what is bound with it.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}
// SQLite's own count of the memory it takes, which nobody reads, costs a lock at each allocation. Before any other call.
static inline void csqlite_configure(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
// sqlite3_db_config is variadic, which Swift does not import. Cells are checked as they are read; functions in a schema
// that somebody else wrote do not run.
static inline void csqlite_harden(sqlite3 *database) {
  sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}
// Limits for a database that somebody else wrote: no value of more than 1 MB, no statement of more steps than a million
// rows take. The handler runs when they are used up, and ends the statement.
static int csqlite_stop(void *nothing) { return 1; }
static inline void csqlite_limit(sqlite3 *database) {
  sqlite3_limit(database, SQLITE_LIMIT_LENGTH, 1 << 20);
  sqlite3_limit(database, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 16);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_VIEW, 0, (int *)0);
  sqlite3_db_config(database, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
  sqlite3_progress_handler(database, 200000000, csqlite_stop, (void *)0);
}
