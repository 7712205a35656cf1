#ifndef METUBE_RSS_CZLIB_SHIM_H
#define METUBE_RSS_CZLIB_SHIM_H
#include <zlib.h>
#endif
