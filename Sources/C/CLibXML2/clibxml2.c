#include "CLibXML2.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

/* The soname changed with the layout of structures that we read, so it must be that of the headers. */
#if LIBXML_VERSION >= 21400
static const char library_name[] = "libxml2.so.16";
#else
static const char library_name[] = "libxml2.so.2";
#endif

#define FUNCTIONS(each) \
  each(xmlCreatePushParserCtxt) each(xmlCtxtUseOptions) each(xmlDictSize) each(xmlFreeParserCtxt) each(xmlInitParser) \
  each(xmlParseChunk) each(xmlStopParser)

#define POINTER(name) __typeof__(name) *name;
static struct { FUNCTIONS(POINTER) } xml;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[256];

static void load(void) {
  void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (!library) strncpy(problem, dlerror(), sizeof problem - 1);
#define LOAD(name) \
  if (library && !(*(void **)&xml.name = dlsym(library, #name))) strncpy(problem, dlerror(), sizeof problem - 1);
  FUNCTIONS(LOAD)
  /* Never cleaned up: other parts of the process may use the library. */
  if (!problem[0]) xml.xmlInitParser();
}

const char *clibxml2_problem(void) {
  pthread_once(&once, load);
  return problem[0] ? problem : NULL;
}

xmlParserCtxtPtr clibxml2_create_push_parser(xmlSAXHandlerPtr handler) {
  return clibxml2_problem() ? NULL : xml.xmlCreatePushParserCtxt(handler, NULL, NULL, 0, NULL);
}
void clibxml2_free_parser(xmlParserCtxtPtr parser) { xml.xmlFreeParserCtxt(parser); }
int clibxml2_use_options(xmlParserCtxtPtr parser, int options) { return xml.xmlCtxtUseOptions(parser, options); }
int clibxml2_parse_chunk(xmlParserCtxtPtr parser, const char *chunk, int size, int is_last) {
  return xml.xmlParseChunk(parser, chunk, size, is_last);
}
void clibxml2_stop_parser(xmlParserCtxtPtr parser) { xml.xmlStopParser(parser); }
int clibxml2_dictionary_size(xmlDictPtr dictionary) { return xml.xmlDictSize(dictionary); }
