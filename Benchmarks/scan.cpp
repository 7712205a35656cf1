// Finds the unwatched videos in a log with simdjson, as a reference for speed: parses every line, reads three members,
// verifies no checksum, and keeps only a status per video.
//
//   c++ -O3 -march=native scan.cpp -o scan -lsimdjson
//   ./scan LOG      prints the number of unwatched videos
#include <simdjson.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <unordered_map>

using namespace simdjson;

static const size_t longest_line = 4 << 20;

int main(int count, char **arguments) {
  if (count != 2) return std::fprintf(stderr, "usage: scan LOG\n"), 64;
  padded_string log;
  if (padded_string::load(arguments[1]).get(log)) return std::fprintf(stderr, "scan: %s: cannot read\n", arguments[1]), 74;
  ondemand::parser parser;
  ondemand::document_stream lines;
  if (parser.iterate_many(log, longest_line).get(lines)) return 65;
  std::unordered_map<std::string, bool> is_new;
  for (auto line : lines) {
    std::string_view kind, video, status;
    if (line["kind"].get_string().get(kind)) return 65;
    bool is_found = kind == "videoFound";
    if (!is_found && kind != "statusSet") continue;
    if (line["video"].get_string().get(video)) return 65;
    if (is_found) {
      is_new.emplace(video, true);
    } else if (!line["status"].get_string().get(status)) {
      is_new[std::string(video)] = status == "new";
    }
  }
  size_t unwatched = 0;
  for (auto &entry : is_new) unwatched += entry.second;
  std::printf("%zu\n", unwatched);
}
