#define _GNU_SOURCE
#include "CArchive.h"

#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <pthread.h>

#define FUNCTIONS(each) \
  each(archive_entry_filetype) each(archive_entry_pathname) each(archive_errno) each(archive_filter_bytes) \
  each(archive_read_data) each(archive_read_free) each(archive_read_new) each(archive_read_next_header) each(archive_read_open1) \
  each(archive_read_set_callback_data) each(archive_read_set_read_callback) each(archive_read_set_seek_callback) \
  each(archive_read_support_filter_gzip) each(archive_read_support_format_tar) \
  each(archive_read_support_format_zip_seekable)

#define POINTER(name) __typeof__(name) *name;
static struct { FUNCTIONS(POINTER) } library;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;
/* libarchive converts names to the locale's character set. */
static locale_t unicode;

static void load(void) {
  void *handle = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
  is_loaded = handle != NULL;
#define LOAD(name) is_loaded = is_loaded && (*(void **)&library.name = dlsym(handle, #name));
  FUNCTIONS(LOAD)
  unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

struct archive *carchive_open(int is_zip, void *client, archive_read_callback *read, archive_seek_callback *seek) {
  pthread_once(&once, load);
  struct archive *archive = is_loaded ? library.archive_read_new() : NULL;
  if (!archive) return NULL;
  if (is_zip) {
    library.archive_read_support_format_zip_seekable(archive);
    library.archive_read_set_seek_callback(archive, seek);
  } else {
    library.archive_read_support_filter_gzip(archive);
    library.archive_read_support_format_tar(archive);
  }
  library.archive_read_set_read_callback(archive, read);
  library.archive_read_set_callback_data(archive, client);
  library.archive_read_open1(archive);
  return archive;
}

int carchive_next(struct archive *archive, const char **name, int *is_file) {
  struct archive_entry *entry = NULL;
  locale_t old = unicode ? uselocale(unicode) : (locale_t)0;
  int status = library.archive_read_next_header(archive, &entry);
  if (status == ARCHIVE_OK || status == ARCHIVE_WARN) {
    *name = library.archive_entry_pathname(entry);
    *is_file = library.archive_entry_filetype(entry) == AE_IFREG;
  }
  if (unicode) uselocale(old);
  return status;
}

int carchive_is_unknown(struct archive *archive) {
  // Their ARCHIVE_ERRNO_FILE_FORMAT.
  return library.archive_errno(archive) == EILSEQ;
}
la_ssize_t carchive_data(struct archive *archive, void *buffer, size_t count) {
  return library.archive_read_data(archive, buffer, count);
}
la_int64_t carchive_consumed(struct archive *archive) { return library.archive_filter_bytes(archive, -1); }
void carchive_close(struct archive *archive) { library.archive_read_free(archive); }
