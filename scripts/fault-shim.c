// fault-shim.c: injects a fault into one of a program's calls that change the disk. Preloaded (ld.so(8)) by
// crash-sweep.py and power-cut.py.
//
//   FAULT_UNDER   the folder whose files are counted; standard output is counted too
//   FAULT_AT      the number of the faulty call, from 1; 0 disables faults
//   FAULT         before, after: SIGKILL then; torn: half of a write, then SIGKILL; short: half of a write;
//                 else the errno with which the call fails. With a + every later call fails too (short+: with EIO).
//                 unsynced: every sync does nothing and succeeds
//   FAULT_READS   calls that read, fstat and pread, are counted instead of those that change the disk
//   FAULT_CALLS   a file that receives one line per call: its name and path
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { descriptors = 1024, path_length = 256 };
static char paths[descriptors][path_length];
static int calls = -1, number, wanted, stays, reads;
static const char *under;
static char fault[16];

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("FAULT_CALLS"), *at = getenv("FAULT_AT");
  under = getenv("FAULT_UNDER");
  snprintf(fault, sizeof fault, "%s", getenv("FAULT") ? getenv("FAULT") : "");
  size_t last = strlen(fault) - 1;
  if (fault[0] && fault[last] == '+') stays = 1, fault[last] = 0;
  wanted = at ? atoi(at) : 0;
  reads = getenv("FAULT_READS") != NULL;
  if (file) calls = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  strcpy(paths[1], "standard output");
}

static int is(const char *name) { return strcmp(fault, name) == 0; }

static int counts(const char *path) { return under && strncmp(path, under, strlen(under)) == 0; }

static void note(int descriptor, const char *path) {
  if (descriptor >= 0 && descriptor < descriptors) snprintf(paths[descriptor], path_length, "%s", counts(path) ? path : "");
}

static const char *path_of(int descriptor) {
  return descriptor >= 0 && descriptor < descriptors ? paths[descriptor] : "";
}

// Counts a call on a counted path. Returns 0 to perform it, 1 to fail with errno, 2 to perform half of it.
static int counted(const char *call, const char *path) {
  if (!path[0]) return 0;
  char line[path_length + 32];
  int length = snprintf(line, sizeof line, "%s %s\n", call, path);
  if (calls >= 0) syscall(SYS_write, calls, line, length);
  if (!wanted || ++number < wanted || is("after")) return 0;
  if (number > wanted) return stays ? (errno = atoi(fault) ? atoi(fault) : EIO, 1) : 0;
  if (is("before")) raise(SIGKILL);
  if (is("torn") || is("short")) return 2;
  errno = atoi(fault);
  return 1;
}

static int disturbs(const char *call, const char *path) { return reads ? 0 : counted(call, path); }

static int disturbs_reading(const char *call, int descriptor) {
  return reads && counted(call, path_of(descriptor));
}

// Kills the process after a counted call if requested; otherwise returns the result.
static long done(const char *path, long result) {
  if (path[0] && !reads && wanted && number == wanted && (is("after") || is("torn"))) raise(SIGKILL);
  return result;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  const char *path = path_of(descriptor);
  int disturbance = disturbs("write", path);
  if (disturbance == 1) return -1;
  return done(path, syscall(SYS_write, descriptor, bytes, disturbance == 2 ? count / 2 : count));
}

#define ON_DESCRIPTOR(name, parameters, ...)                  \
  int name parameters {                                       \
    const char *path = path_of(descriptor);                   \
    if (disturbs(#name, path)) return -1;                     \
    return done(path, syscall(SYS_##name, __VA_ARGS__));      \
  }

#define SYNC(name)                                            \
  int name(int descriptor) {                                  \
    const char *path = path_of(descriptor);                   \
    if (is("unsynced")) return 0;                             \
    if (disturbs(#name, path)) return -1;                     \
    return done(path, syscall(SYS_##name, descriptor));       \
  }
SYNC(fsync)
SYNC(fdatasync)

ON_DESCRIPTOR(ftruncate, (int descriptor, off_t size), descriptor, size)

#define ON_PATH(name, which, parameters, ...)                 \
  int name parameters {                                       \
    const char *path = counts(which) ? which : "";            \
    if (disturbs(#name, path)) return -1;                     \
    return done(path, syscall(SYS_##name, __VA_ARGS__));      \
  }
ON_PATH(rename, new, (const char *old, const char *new), old, new)
ON_PATH(link, new, (const char *old, const char *new), old, new)
ON_PATH(unlink, path_, (const char *path_), path_)
ON_PATH(mkdir, path_, (const char *path_, mode_t mode), path_, mode)

static int opened(int folder, const char *path, int flags, mode_t mode) {
  // Only creating a file changes the disk.
  const char *made = flags & O_CREAT && counts(path) && access(path, F_OK) ? path : "";
  if (disturbs("open", made)) return -1;
  int descriptor = syscall(SYS_openat, folder, path, flags, mode);
  note(descriptor, path);
  return done(made, descriptor);
}

#define MODE(flags)                                           \
  va_list rest;                                               \
  va_start(rest, flags);                                      \
  mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;   \
  va_end(rest);
int open(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE(flags) return opened(folder, path, flags, mode); }

#define FSTAT(name, type)                                     \
  int name(int descriptor, type *status) {                    \
    if (disturbs_reading("fstat", descriptor)) return -1;     \
    return syscall(SYS_fstat, descriptor, status);            \
  }
FSTAT(fstat, struct stat)
FSTAT(fstat64, struct stat64)

#define PREAD(name, type)                                     \
  ssize_t name(int descriptor, void *bytes, size_t count, type offset) { \
    if (disturbs_reading("pread", descriptor)) return -1;     \
    return syscall(SYS_pread64, descriptor, bytes, count, offset); \
  }
PREAD(pread, off_t)
PREAD(pread64, off64_t)

int close(int descriptor) {
  if (descriptor > 2 && descriptor < descriptors) paths[descriptor][0] = 0;
  return syscall(SYS_close, descriptor);
}
