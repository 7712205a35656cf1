#ifndef METUBE_RSS_CCURL_SHIM_H
#define METUBE_RSS_CCURL_SHIM_H
#include <curl/curl.h>

/* libcurl sets and reads its options by variadic functions, which Swift cannot call: one typed wrapper here for each
   shape of argument. What an option wants is in curl_easy_setopt(3), curl_easy_getinfo(3) and curl_multi_setopt(3). */

/* The handles, named so that Swift sees one type whether this libcurl declares them as void or as a struct. */
typedef CURL *CurlEasyHandle;
typedef CURLM *CurlMultiHandle;

static inline CURLcode ccurl_set_long(CurlEasyHandle easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_offset(CurlEasyHandle easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_string(CurlEasyHandle easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_pointer(CurlEasyHandle easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_list(CurlEasyHandle easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}
/* For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION. */
static inline CURLcode ccurl_set_write_callback(CurlEasyHandle easy, CURLoption option, curl_write_callback value) {
  return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_opensocket_callback(CurlEasyHandle easy, curl_opensocket_callback value) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline CURLcode ccurl_set_resolver_callback(CurlEasyHandle easy, curl_resolver_start_callback value) {
  return curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, value);
}
static inline CURLcode ccurl_set_prereq_callback(CurlEasyHandle easy, curl_prereq_callback value) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}
/* The bytes are copied. */
static inline CURLcode ccurl_set_blob(CurlEasyHandle easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl_easy_setopt(easy, option, &blob);
}

static inline CURLcode ccurl_get_long(CurlEasyHandle easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode ccurl_get_offset(CurlEasyHandle easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode ccurl_get_string(CurlEasyHandle easy, CURLINFO info, const char **value) {
  return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode ccurl_get_pointer(CurlEasyHandle easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode ccurl_multi_set_long(CurlMultiHandle multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/* The result of a message of kind CURLMSG_DONE, which Swift cannot read out of the union. */
static inline CURLcode ccurl_message_result(const CURLMsg *message) { return message->data.result; }

/* What this libcurl is, laid out as these headers know it (CURLVERSION_NOW is a macro that Swift does not see). */
static inline const curl_version_info_data *ccurl_version(void) { return curl_version_info(CURLVERSION_NOW); }
#endif
