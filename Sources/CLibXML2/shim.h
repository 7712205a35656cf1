#ifndef METUBE_RSS_CLIBXML2_SHIM_H
#define METUBE_RSS_CLIBXML2_SHIM_H
#include <libxml/parser.h>
#include <libxml/SAX2.h>
#include <libxml/xmlerror.h>
#endif
