// The lower bound for parsing a feed: libxml2's SAX2 push parser in C, extracting the minimum of useful fields from
// each entry (video ID, title, published, updated). They are copied and summed so that the compiler cannot drop them.
//
//   cc -O3 -march=native sax2-push.c -o sax2-push $(xml2-config --cflags --libs)
//   ./sax2-push FOLDER PASSES        prints: µs per feed: the median of the passes, and the mean of each feed's
//                                    fastest pass, which load on the machine hardly changes; feeds, entries, sum
#include <dirent.h>
#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CHUNK = 16 << 10, MOST_FEEDS = 100000 };

struct feed { char *bytes; size_t count; double quickest; };

struct reading {
  int in_entry, in_group, wanted;
  size_t length;
  unsigned long entries, sum;
  char text[64 << 10];
};

static int is(const xmlChar *name, const char *literal) { return strcmp((const char *)name, literal) == 0; }

static void start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri, int namespaces,
                  const xmlChar **declared, int attributes, int defaulted, const xmlChar **values) {
  struct reading *r = context;
  (void)uri, (void)namespaces, (void)declared, (void)attributes, (void)defaulted, (void)values;
  if (!r->in_entry) {
    if (!prefix && is(name, "entry")) r->in_entry = 1, r->entries++;
  } else if (prefix && is(name, "group")) {
    r->in_group = 1;
  } else if (!r->in_group) {
    r->wanted = prefix ? is(name, "videoId") : is(name, "title") || is(name, "published") || is(name, "updated");
  }
}

static void end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri) {
  struct reading *r = context;
  (void)uri;
  if (r->wanted) {
    for (size_t i = 0; i < r->length; i++) r->sum = r->sum * 31 + (unsigned char)r->text[i];
    r->wanted = 0, r->length = 0;
  } else if (!prefix && is(name, "entry")) {
    r->in_entry = 0;
  } else if (prefix && is(name, "group")) {
    r->in_group = 0;
  }
}

static void characters(void *context, const xmlChar *text, int count) {
  struct reading *r = context;
  if (!r->wanted || r->length + (size_t)count > sizeof r->text) return;
  memcpy(r->text + r->length, text, (size_t)count);
  r->length += (size_t)count;
}

static int parse(xmlSAXHandler *handler, struct reading *r, struct feed feed) {
  r->in_entry = r->in_group = r->wanted = 0, r->length = 0;
  xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(handler, r, NULL, 0, NULL);
  if (!parser) return -1;
  xmlCtxtUseOptions(parser, XML_PARSE_NONET);
  for (size_t at = 0; at < feed.count; at += CHUNK) {
    size_t rest = feed.count - at;
    xmlParseChunk(parser, feed.bytes + at, (int)(rest < CHUNK ? rest : CHUNK), 0);
  }
  int code = xmlParseChunk(parser, NULL, 0, 1);
  xmlFreeParserCtxt(parser);
  return code;
}

static struct feed load(const char *folder, const char *name) {
  struct feed feed = {0};
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) return feed;
  fseek(file, 0, SEEK_END);
  feed.count = (size_t)ftell(file);
  rewind(file);
  feed.bytes = malloc(feed.count + 1);
  if (!feed.bytes || fread(feed.bytes, 1, feed.count, file) != feed.count) feed.count = 0;
  fclose(file);
  return feed;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int count, char **arguments) {
  if (count != 3 || atoi(arguments[2]) < 1) return fprintf(stderr, "usage: sax2-push FOLDER PASSES\n"), 64;
  int passes = atoi(arguments[2]), feeds = 0;
  struct feed *feed = calloc(MOST_FEEDS, sizeof *feed);
  double *took = calloc((size_t)passes, sizeof *took);
  DIR *folder = opendir(arguments[1]);
  if (!folder || !feed || !took) return fprintf(stderr, "sax2-push: %s: cannot read\n", arguments[1]), 66;
  for (struct dirent *entry; (entry = readdir(folder)) && feeds < MOST_FEEDS;) {
    size_t length = strlen(entry->d_name);
    if (length > 4 && !strcmp(entry->d_name + length - 4, ".xml")) feed[feeds++] = load(arguments[1], entry->d_name);
  }
  if (!feeds) return fprintf(stderr, "sax2-push: %s: no feeds\n", arguments[1]), 66;

  xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC, .startElementNs = start, .endElementNs = end,
                           .characters = characters, .cdataBlock = characters};
  struct reading *r = calloc(1, sizeof *r);
  xmlInitParser();
  for (int pass = 0; pass < passes; pass++) {
    double begin = seconds(), before = begin;
    r->entries = r->sum = 0;
    for (int i = 0; i < feeds; i++) {
      if (parse(&handler, r, feed[i]) != 0) return fprintf(stderr, "sax2-push: malformed feed\n"), 65;
      double now = seconds();
      if (pass == 0 || now - before < feed[i].quickest) feed[i].quickest = now - before;
      before = now;
    }
    took[pass] = (before - begin) / feeds * 1e6;
  }
  double quickest = 0;
  for (int i = 0; i < feeds; i++) quickest += feed[i].quickest / feeds * 1e6;
  qsort(took, (size_t)passes, sizeof *took, ascending);
  printf("%.2f µs per feed, %.2f at best, %d passes over %d feeds, %lu entries, sum %lx\n", took[passes / 2],
         quickest, passes, feeds, r->entries, r->sum);
  return 0;
}
