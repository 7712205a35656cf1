#ifndef METUBE_RSS_CCURL_SHIM_H
#define METUBE_RSS_CCURL_SHIM_H
#include <curl/curl.h>
#endif
