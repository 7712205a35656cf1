#include "CPostgres.h"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>

/* The library's soname, with its ABI version; the same on every distribution. */
static const char library_name[] = "libpq.so.5";

#define FUNCTIONS(each) \
  each(PQbackendPID) each(PQreset) each(PQsetErrorVerbosity) \
  each(PQclear) each(PQcmdStatus) each(PQcmdTuples) each(PQconnectdbParams) each(PQconninfoFree) \
  each(PQconninfoParse) each(PQconsumeInput) each(PQenterPipelineMode) each(PQerrorMessage) each(PQexec) \
  each(PQexecParams) each(PQexecPrepared) each(PQexitPipelineMode) each(PQfinish) each(PQfreemem) each(PQftype) \
  each(PQgetResult) each(PQnotifies) each(PQgetisnull) each(PQgetlength) each(PQgetvalue) each(PQnfields) each(PQntuples) \
  each(PQparameterStatus) each(PQpipelineSync) each(PQprepare) each(PQresultErrorField) each(PQresultStatus) \
  each(PQsendQueryPrepared) each(PQserverVersion) each(PQsetNoticeReceiver) each(PQsocket) each(PQstatus) \
  each(PQtransactionStatus)

#define POINTER(name) __typeof__(name) *name;
static struct { FUNCTIONS(POINTER) } pq;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256];

static void note_problem(const char *words) {
  strncpy(problem, words ? words : library_name, sizeof problem - 1);
}

static void load(void) {
  void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    note_problem(dlerror());
    return;
  }
#define LOAD(name) \
  if (!(*(void **)&pq.name = dlsym(library, #name)) && !problem[0]) note_problem(dlerror());
  FUNCTIONS(LOAD)
}

const char *cpostgres_problem(void) {
  pthread_once(&once, load);
  return problem[0] ? problem : NULL;
}

static void discard(void *nothing, const PGresult *notice) {}

PGconn *cpostgres_connect(const char *const *keywords, const char *const *values) {
  PGconn *connection = pq.PQconnectdbParams(keywords, values, 1);
  if (connection) pq.PQsetNoticeReceiver(connection, discard, NULL);
  return connection;
}
void cpostgres_reconnect_verbosely(PGconn *connection) {
  pq.PQsetErrorVerbosity(connection, PQERRORS_VERBOSE);
  pq.PQreset(connection);
  pq.PQsetErrorVerbosity(connection, PQERRORS_DEFAULT);
}
void cpostgres_finish(PGconn *connection) { pq.PQfinish(connection); }
ConnStatusType cpostgres_status(const PGconn *connection) { return pq.PQstatus(connection); }
const char *cpostgres_error_message(const PGconn *connection) { return pq.PQerrorMessage(connection); }
PGTransactionStatusType cpostgres_transaction_status(const PGconn *connection) {
  return pq.PQtransactionStatus(connection);
}
int cpostgres_server_version(const PGconn *connection) { return pq.PQserverVersion(connection); }
int cpostgres_process(const PGconn *connection) { return pq.PQbackendPID(connection); }
const char *cpostgres_parameter(const PGconn *connection, const char *name) {
  return pq.PQparameterStatus(connection, name);
}
int cpostgres_has_input(const PGconn *connection, int milliseconds) {
  struct pollfd descriptor = {pq.PQsocket(connection), POLLIN, 0};
  return descriptor.fd < 0 || poll(&descriptor, 1, milliseconds) > 0;
}
int cpostgres_consume_input(PGconn *connection) { return pq.PQconsumeInput(connection); }
PGnotify *cpostgres_notification(PGconn *connection) { return pq.PQnotifies(connection); }
void cpostgres_free_notification(PGnotify *notification) { pq.PQfreemem(notification); }

int cpostgres_is_valid(const char *address) {
  char *words = NULL;
  PQconninfoOption *options = pq.PQconninfoParse(address, &words);
  if (words) pq.PQfreemem(words);
  if (!options) return 0;
  pq.PQconninfoFree(options);
  return 1;
}

PGresult *cpostgres_exec(PGconn *connection, const char *sql) { return pq.PQexec(connection, sql); }
PGresult *cpostgres_prepare(
    PGconn *connection, const char *name, const char *sql, int count, const Oid *types) {
  return pq.PQprepare(connection, name, sql, count, types);
}
PGresult *cpostgres_exec_prepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats) {
  return pq.PQexecPrepared(connection, name, count, values, lengths, formats, 1);
}
PGresult *cpostgres_exec_params(
    PGconn *connection, const char *sql, int count, const Oid *types, const char *const *values, const int *lengths,
    const int *formats) {
  return pq.PQexecParams(connection, sql, count, types, values, lengths, formats, 1);
}

int cpostgres_enter_pipeline(PGconn *connection) { return pq.PQenterPipelineMode(connection); }
int cpostgres_send_prepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats) {
  return pq.PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1);
}
int cpostgres_sync(PGconn *connection) { return pq.PQpipelineSync(connection); }
PGresult *cpostgres_get_result(PGconn *connection) { return pq.PQgetResult(connection); }
int cpostgres_exit_pipeline(PGconn *connection) { return pq.PQexitPipelineMode(connection); }

ExecStatusType cpostgres_result_status(const PGresult *result) { return pq.PQresultStatus(result); }
const char *cpostgres_result_field(const PGresult *result, int code) { return pq.PQresultErrorField(result, code); }
const char *cpostgres_command_status(PGresult *result) { return pq.PQcmdStatus(result); }
const char *cpostgres_command_rows(PGresult *result) { return pq.PQcmdTuples(result); }
void cpostgres_clear(PGresult *result) { pq.PQclear(result); }
int cpostgres_rows(const PGresult *result) { return pq.PQntuples(result); }
int cpostgres_columns(const PGresult *result) { return pq.PQnfields(result); }
Oid cpostgres_type(const PGresult *result, int column) { return pq.PQftype(result, column); }
int cpostgres_is_null(const PGresult *result, int row, int column) { return pq.PQgetisnull(result, row, column); }
int cpostgres_length(const PGresult *result, int row, int column) { return pq.PQgetlength(result, row, column); }
const char *cpostgres_value(const PGresult *result, int row, int column) { return pq.PQgetvalue(result, row, column); }
