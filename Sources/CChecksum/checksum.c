// CRC-32C is the one checksum that processors compute by themselves, and no other language than C names the
// instruction without naming a processor for the whole program.

#include "CChecksum.h"

#include <string.h>

#if defined(__aarch64__)
#include <sys/auxv.h>
#ifndef HWCAP_CRC32
#define HWCAP_CRC32 (1 << 7)
#endif
#endif

// The polynomial 0x1edc6f41 with its bits reversed.
static const uint32_t polynomial = 0x82f63b78;

// Eight tables: byte k of a word is looked up in table 7 - k ("slicing by 8").
static uint32_t tables[8][256];

__attribute__((constructor)) static void fill_tables(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
    tables[0][byte] = crc;
  }
  for (int table = 1; table < 8; table++)
    for (int byte = 0; byte < 256; byte++) {
      uint32_t crc = tables[table - 1][byte];
      tables[table][byte] = crc >> 8 ^ tables[0][crc & 255];
    }
}

uint32_t cchecksum_crc32c_by_table(uint32_t before, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  uint32_t crc = ~before;
  for (; count >= 8; next += 8, count -= 8) {
    uint32_t low = crc ^ ((uint32_t)next[0] | (uint32_t)next[1] << 8 | (uint32_t)next[2] << 16 | (uint32_t)next[3] << 24);
    crc = tables[7][low & 255] ^ tables[6][low >> 8 & 255] ^ tables[5][low >> 16 & 255] ^ tables[4][low >> 24] ^
          tables[3][next[4]] ^ tables[2][next[5]] ^ tables[1][next[6]] ^ tables[0][next[7]];
  }
  for (; count > 0; next++, count--) crc = crc >> 8 ^ tables[0][(crc ^ *next) & 255];
  return ~crc;
}

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) static uint32_t by_instruction(uint32_t before, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  uint64_t crc = (uint32_t)~before;
  for (; count >= 8; next += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    crc = __builtin_ia32_crc32di(crc, word);
  }
  uint32_t rest = (uint32_t)crc;
  for (; count > 0; next++, count--) rest = __builtin_ia32_crc32qi(rest, *next);
  return ~rest;
}

static int has_instruction(void) { return __builtin_cpu_supports("sse4.2"); }

#elif defined(__aarch64__)

__attribute__((target("crc"))) static uint32_t by_instruction(uint32_t before, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  uint32_t crc = ~before;
  for (; count >= 8; next += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    crc = __builtin_arm_crc32cd(crc, word);
  }
  for (; count > 0; next++, count--) crc = __builtin_arm_crc32cb(crc, *next);
  return ~crc;
}

static int has_instruction(void) { return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0; }

#else

static uint32_t by_instruction(uint32_t before, const void *bytes, size_t count) {
  return cchecksum_crc32c_by_table(before, bytes, count);
}

static int has_instruction(void) { return 0; }

#endif

uint32_t cchecksum_crc32c(uint32_t before, const void *bytes, size_t count) {
  return has_instruction() ? by_instruction(before, bytes, count) : cchecksum_crc32c_by_table(before, bytes, count);
}
