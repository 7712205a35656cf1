#ifndef CARCHIVE_H
#define CARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

/* libarchive, loaded when the first archive is read, so that no other command pays for it and its dependencies. */

/* Opens an archive that is read through callbacks, archive_read(3); NULL without libarchive or memory. Supports zip
   files through their central directory if `is_zip`, tar files within gzip otherwise. */
struct archive *carchive_open(int is_zip, void *client, archive_read_callback *read, archive_seek_callback *seek);
/* Goes to the next entry: ARCHIVE_OK, ARCHIVE_EOF or an error. The name is UTF-8 as far as the archive's is, and valid
   until the next call. */
int carchive_next(struct archive *archive, const char **name, int *is_file);
/* Whether an error means that this is not an archive of the supported kind. */
int carchive_is_unknown(struct archive *archive);
/* The next bytes of the entry: their count, 0 at its end, or a negative error. */
la_ssize_t carchive_data(struct archive *archive, void *buffer, size_t count);
/* How many bytes of the file have been consumed. */
la_int64_t carchive_consumed(struct archive *archive);
void carchive_close(struct archive *archive);

#endif
