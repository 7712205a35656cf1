#ifndef CLIBXML2_H
#define CLIBXML2_H

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/xmlerror.h>

/* libxml2, loaded when the first document is parsed instead of at program start: it brings ICU with it, and both would
   take a tenth of the total run time of `list`. Each function wraps the libxml2 function of the same name; see its
   documentation. */

/* A parser of chunks that sends its events to `handler`; NULL without libxml2 or memory. */
xmlParserCtxtPtr clibxml2_create_push_parser(xmlSAXHandlerPtr handler);
void clibxml2_free_parser(xmlParserCtxtPtr parser);
int clibxml2_use_options(xmlParserCtxtPtr parser, int options);
int clibxml2_parse_chunk(xmlParserCtxtPtr parser, const char *chunk, int size, int is_last);
void clibxml2_stop_parser(xmlParserCtxtPtr parser);
int clibxml2_dictionary_size(xmlDictPtr dictionary);

/* Why libxml2 cannot be used, as the dynamic linker's message; NULL if it can. */
const char *clibxml2_problem(void);

#endif
