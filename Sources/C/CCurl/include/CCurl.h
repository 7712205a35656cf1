#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>

/* libcurl, loaded on the first call of any of these instead of at program start: loading it with its dependencies would
   take half the total run time of `list`. Each function wraps the libcurl function of the same name; see its
   documentation. Variadic ones, which Swift cannot call, have a typed wrapper for each argument type. */

/* The handles, named so that Swift sees the same type whether libcurl declares them as void or as a struct. */
typedef CURL *CurlEasyHandle;
typedef CURLM *CurlMultiHandle;

/* Why libcurl cannot be used, as the dynamic linker's message; NULL if it can. If it cannot, no handle is ever created,
   and functions that take a handle must not be called. */
const char *ccurl_problem(void);

CURLcode ccurl_global_init(long flags);
/* Version information about this libcurl, in the layout of these headers; NULL without libcurl. */
const curl_version_info_data *ccurl_version(void);
/* -1 without libcurl. */
time_t ccurl_getdate(const char *date);

CurlEasyHandle ccurl_easy_init(void);
void ccurl_easy_cleanup(CurlEasyHandle easy);
CURLHcode ccurl_easy_header(CurlEasyHandle easy, const char *name, size_t index, struct curl_header **header);
const struct curl_easyoption *ccurl_easy_option_by_id(CURLoption option);

CURLcode ccurl_set_long(CurlEasyHandle easy, CURLoption option, long value);
CURLcode ccurl_set_offset(CurlEasyHandle easy, CURLoption option, curl_off_t value);
CURLcode ccurl_set_string(CurlEasyHandle easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CurlEasyHandle easy, CURLoption option, void *value);
CURLcode ccurl_set_list(CurlEasyHandle easy, CURLoption option, struct curl_slist *value);
/* The bytes are copied. */
CURLcode ccurl_set_blob(CurlEasyHandle easy, CURLoption option, const void *bytes, size_t count);
/* For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION. */
CURLcode ccurl_set_write_callback(CurlEasyHandle easy, CURLoption option, curl_write_callback value);
CURLcode ccurl_set_opensocket_callback(CurlEasyHandle easy, curl_opensocket_callback value);
CURLcode ccurl_set_resolver_callback(CurlEasyHandle easy, curl_resolver_start_callback value);
CURLcode ccurl_set_prereq_callback(CurlEasyHandle easy, curl_prereq_callback value);

CURLcode ccurl_get_long(CurlEasyHandle easy, CURLINFO info, long *value);
CURLcode ccurl_get_offset(CurlEasyHandle easy, CURLINFO info, curl_off_t *value);
CURLcode ccurl_get_string(CurlEasyHandle easy, CURLINFO info, const char **value);
CURLcode ccurl_get_pointer(CurlEasyHandle easy, CURLINFO info, void **value);

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *line);
void ccurl_slist_free_all(struct curl_slist *list);

CurlMultiHandle ccurl_multi_init(void);
CURLMcode ccurl_multi_cleanup(CurlMultiHandle multi);
CURLMcode ccurl_multi_set_long(CurlMultiHandle multi, CURLMoption option, long value);
CURLMcode ccurl_multi_add_handle(CurlMultiHandle multi, CurlEasyHandle easy);
CURLMcode ccurl_multi_remove_handle(CurlMultiHandle multi, CurlEasyHandle easy);
CURLMcode ccurl_multi_perform(CurlMultiHandle multi, int *running);
CURLMcode ccurl_multi_poll(CurlMultiHandle multi, struct curl_waitfd *extra, unsigned int count, int milliseconds);
CURLMsg *ccurl_multi_info_read(CurlMultiHandle multi, int *left);
/* The result of a message of kind CURLMSG_DONE, which Swift cannot read out of the union. */
CURLcode ccurl_message_result(const CURLMsg *message);

/* NULL without libcurl. */
CURLU *ccurl_url(void);
void ccurl_url_cleanup(CURLU *url);
CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags);
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text);
void ccurl_free(void *memory);

#endif
