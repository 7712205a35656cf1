#ifndef CPOSTGRES_H
#define CPOSTGRES_H

/* Some distributions keep the headers in a folder of their own: openSUSE the first, Debian the second. */
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#elif __has_include(<pgsql/libpq-fe.h>)
#include <pgsql/libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif

/* libpq, loaded on the first call of `cpostgres_problem` instead of at program start, because few programs connect to a
   server. Each function wraps the libpq function of the same name; see its documentation. */

/* Why libpq cannot be used, as the dynamic linker's message; NULL if it can. Nothing else may be called if it cannot. */
const char *cpostgres_problem(void);

/* PQconnectdbParams, with notices of the server discarded. */
PGconn *cpostgres_connect(const char *const *keywords, const char *const *values);
/* PQsetErrorVerbosity and PQreset: connects once more; the error message then has SQLSTATEs, and lines `LOCATION: …`. */
void cpostgres_reconnect_verbosely(PGconn *connection);
void cpostgres_finish(PGconn *connection);
ConnStatusType cpostgres_status(const PGconn *connection);
const char *cpostgres_error_message(const PGconn *connection);
PGTransactionStatusType cpostgres_transaction_status(const PGconn *connection);
int cpostgres_server_version(const PGconn *connection);
/* PQbackendPID: the process that whoever accepted the connection names. */
int cpostgres_process(const PGconn *connection);
const char *cpostgres_parameter(const PGconn *connection, const char *name);
/* Whether the server sent something unasked, or closed the connection; waits for it up to some milliseconds. */
int cpostgres_has_input(const PGconn *connection, int milliseconds);
int cpostgres_consume_input(PGconn *connection);
/* PQnotifies and PQfreemem. */
PGnotify *cpostgres_notification(PGconn *connection);
void cpostgres_free_notification(PGnotify *notification);

/* Whether PQconninfoParse understands a connection string. */
int cpostgres_is_valid(const char *address);

PGresult *cpostgres_exec(PGconn *connection, const char *sql);
PGresult *cpostgres_prepare(
    PGconn *connection, const char *name, const char *sql, int count, const Oid *types);
/* Parameters and results are binary. */
PGresult *cpostgres_exec_prepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, const int *formats);
PGresult *cpostgres_exec_params(
    PGconn *connection, const char *sql, int count, const Oid *types, const char *const *values, const int *lengths,
    const int *formats);

/* Statements whose results are read later; see libpq's "Pipeline Mode". Each returns 0 on failure. */
int cpostgres_enter_pipeline(PGconn *connection);
int cpostgres_send_prepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, const int *formats);
int cpostgres_sync(PGconn *connection);
PGresult *cpostgres_get_result(PGconn *connection);
int cpostgres_exit_pipeline(PGconn *connection);

ExecStatusType cpostgres_result_status(const PGresult *result);
const char *cpostgres_result_field(const PGresult *result, int code);
const char *cpostgres_command_status(PGresult *result);
const char *cpostgres_command_rows(PGresult *result);
void cpostgres_clear(PGresult *result);
int cpostgres_rows(const PGresult *result);
int cpostgres_columns(const PGresult *result);
Oid cpostgres_type(const PGresult *result, int column);
int cpostgres_is_null(const PGresult *result, int row, int column);
int cpostgres_length(const PGresult *result, int row, int column);
const char *cpostgres_value(const PGresult *result, int row, int column);

#endif
