#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* The library's soname, with its ABI version; the same on every distribution. */
static const char library_name[] = "libcurl.so.4";

#define FUNCTIONS(each) \
  each(curl_easy_cleanup) each(curl_easy_getinfo) each(curl_easy_header) each(curl_easy_init) \
  each(curl_easy_option_by_id) each(curl_easy_setopt) each(curl_free) each(curl_getdate) each(curl_global_init) \
  each(curl_multi_add_handle) each(curl_multi_cleanup) each(curl_multi_info_read) each(curl_multi_init) \
  each(curl_multi_perform) each(curl_multi_poll) each(curl_multi_remove_handle) each(curl_multi_setopt) \
  each(curl_slist_append) each(curl_slist_free_all) each(curl_url) each(curl_url_cleanup) each(curl_url_get) \
  each(curl_url_set) each(curl_version_info)

#define POINTER(name) __typeof__(name) *name;
static struct { FUNCTIONS(POINTER) } curl;

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
  if (!(*(void **)&curl.name = dlsym(library, #name)) && !problem[0]) note_problem(dlerror());
  FUNCTIONS(LOAD)
}

const char *ccurl_problem(void) {
  pthread_once(&once, load);
  return problem[0] ? problem : NULL;
}

CURLcode ccurl_global_init(long flags) { return ccurl_problem() ? CURLE_FAILED_INIT : curl.curl_global_init(flags); }
const curl_version_info_data *ccurl_version(void) {
  return ccurl_problem() ? NULL : curl.curl_version_info(CURLVERSION_NOW);
}
time_t ccurl_getdate(const char *date) { return ccurl_problem() ? -1 : curl.curl_getdate(date, NULL); }

CurlEasyHandle ccurl_easy_init(void) { return ccurl_problem() ? NULL : curl.curl_easy_init(); }
void ccurl_easy_cleanup(CurlEasyHandle easy) { curl.curl_easy_cleanup(easy); }
CURLHcode ccurl_easy_header(CurlEasyHandle easy, const char *name, size_t index, struct curl_header **header) {
  return curl.curl_easy_header(easy, name, index, CURLH_HEADER, -1, header);
}
const struct curl_easyoption *ccurl_easy_option_by_id(CURLoption option) { return curl.curl_easy_option_by_id(option); }

CURLcode ccurl_set_long(CurlEasyHandle easy, CURLoption option, long value) {
  return curl.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_offset(CurlEasyHandle easy, CURLoption option, curl_off_t value) {
  return curl.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_string(CurlEasyHandle easy, CURLoption option, const char *value) {
  return curl.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_pointer(CurlEasyHandle easy, CURLoption option, void *value) {
  return curl.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_list(CurlEasyHandle easy, CURLoption option, struct curl_slist *value) {
  return curl.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_blob(CurlEasyHandle easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl.curl_easy_setopt(easy, option, &blob);
}
CURLcode ccurl_set_write_callback(CurlEasyHandle easy, CURLoption option, curl_write_callback value) {
  return curl.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_opensocket_callback(CurlEasyHandle easy, curl_opensocket_callback value) {
  return curl.curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}
CURLcode ccurl_set_resolver_callback(CurlEasyHandle easy, curl_resolver_start_callback value) {
  return curl.curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, value);
}
CURLcode ccurl_set_prereq_callback(CurlEasyHandle easy, curl_prereq_callback value) {
  return curl.curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

CURLcode ccurl_get_long(CurlEasyHandle easy, CURLINFO info, long *value) {
  return curl.curl_easy_getinfo(easy, info, value);
}
CURLcode ccurl_get_offset(CurlEasyHandle easy, CURLINFO info, curl_off_t *value) {
  return curl.curl_easy_getinfo(easy, info, value);
}
CURLcode ccurl_get_string(CurlEasyHandle easy, CURLINFO info, const char **value) {
  return curl.curl_easy_getinfo(easy, info, value);
}
CURLcode ccurl_get_pointer(CurlEasyHandle easy, CURLINFO info, void **value) {
  return curl.curl_easy_getinfo(easy, info, value);
}

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *line) {
  return curl.curl_slist_append(list, line);
}
void ccurl_slist_free_all(struct curl_slist *list) {
  if (list) curl.curl_slist_free_all(list);
}

CurlMultiHandle ccurl_multi_init(void) { return ccurl_problem() ? NULL : curl.curl_multi_init(); }
CURLMcode ccurl_multi_cleanup(CurlMultiHandle multi) { return curl.curl_multi_cleanup(multi); }
CURLMcode ccurl_multi_set_long(CurlMultiHandle multi, CURLMoption option, long value) {
  return curl.curl_multi_setopt(multi, option, value);
}
CURLMcode ccurl_multi_add_handle(CurlMultiHandle multi, CurlEasyHandle easy) {
  return curl.curl_multi_add_handle(multi, easy);
}
CURLMcode ccurl_multi_remove_handle(CurlMultiHandle multi, CurlEasyHandle easy) {
  return curl.curl_multi_remove_handle(multi, easy);
}
CURLMcode ccurl_multi_perform(CurlMultiHandle multi, int *running) { return curl.curl_multi_perform(multi, running); }
CURLMcode ccurl_multi_poll(CurlMultiHandle multi, struct curl_waitfd *extra, unsigned int count, int milliseconds) {
  return curl.curl_multi_poll(multi, extra, count, milliseconds, NULL);
}
CURLMsg *ccurl_multi_info_read(CurlMultiHandle multi, int *left) { return curl.curl_multi_info_read(multi, left); }
CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }

CURLU *ccurl_url(void) { return ccurl_problem() ? NULL : curl.curl_url(); }
void ccurl_url_cleanup(CURLU *url) { curl.curl_url_cleanup(url); }
CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
  return curl.curl_url_set(url, part, text, flags);
}
/* Whether the handle is const depends on the version of the headers. */
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text) { return curl.curl_url_get(url, part, text, 0); }
void ccurl_free(void *memory) { curl.curl_free(memory); }
