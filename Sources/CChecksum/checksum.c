// CRC-32C, because processors have an instruction for it; in C, because a function can use that instruction without the
// whole program being compiled for a specific processor.

#include "CChecksum.h"

#include <string.h>

#if defined(__aarch64__)
#include <sys/auxv.h>
#ifndef HWCAP_CRC32
#define HWCAP_CRC32 (1 << 7)
#endif
#endif

// The polynomial 0x1edc6f41, bit-reversed.
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

#define WITH_INSTRUCTION __attribute__((target("sse4.2")))
#define ADD_WORD(crc, word) ((uint32_t)__builtin_ia32_crc32di(crc, word))
#define ADD_BYTE(crc, byte) __builtin_ia32_crc32qi(crc, byte)

static int has_instruction(void) { return __builtin_cpu_supports("sse4.2"); }

#elif defined(__aarch64__)

#define WITH_INSTRUCTION __attribute__((target("crc")))
#define ADD_WORD(crc, word) __builtin_arm_crc32cd(crc, word)
#define ADD_BYTE(crc, byte) __builtin_arm_crc32cb(crc, byte)

static int has_instruction(void) { return (getauxval(AT_HWCAP) & HWCAP_CRC32) != 0; }

#endif

#if defined(WITH_INSTRUCTION)

// The instruction has a latency of three cycles and a throughput of one per cycle: so three parts of equal length are
// computed in parallel, and combined by advancing a checksum over as many zero bytes as a part has.
enum { long_bits = 15, short_bits = 11 };  // Powers of two: parts of 4096 and of 256 bytes.
static uint32_t over_long[4][256], over_short[4][256];

// The product of two polynomials modulo the checksum's; the highest bit is the coefficient of x to the power of 0.
static uint32_t product(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (uint32_t bit = 0x80000000; bit != 0; bit >>= 1) {
    if (a & bit) sum ^= b;
    b = b >> 1 ^ (b & 1 ? polynomial : 0);
  }
  return sum;
}

static void fill_over(uint32_t over[4][256], int bits) {
  uint32_t power = 0x40000000;
  for (; bits > 0; bits--) power = product(power, power);
  for (int place = 0; place < 4; place++)
    for (uint32_t byte = 1; byte < 256; byte++) {
      uint32_t lowest = byte & -byte;
      over[place][byte] =
          byte == lowest ? product(power, byte << 8 * place) : over[place][lowest] ^ over[place][byte ^ lowest];
    }
}

__attribute__((constructor)) static void fill_both(void) {
  fill_over(over_long, long_bits);
  fill_over(over_short, short_bits);
}

static uint64_t word_at(const uint8_t *bytes) {
  uint64_t word;
  memcpy(&word, bytes, 8);
  return word;
}

static uint32_t moved(uint32_t over[4][256], uint32_t crc) {
  return over[0][crc & 255] ^ over[1][crc >> 8 & 255] ^ over[2][crc >> 16 & 255] ^ over[3][crc >> 24];
}

WITH_INSTRUCTION static uint32_t three_parts(uint32_t crc, const uint8_t *bytes, size_t part, uint32_t over[4][256]) {
  uint32_t second = 0, third = 0;
  for (const uint8_t *end = bytes + part; bytes < end; bytes += 8) {
    crc = ADD_WORD(crc, word_at(bytes));
    second = ADD_WORD(second, word_at(bytes + part));
    third = ADD_WORD(third, word_at(bytes + 2 * part));
  }
  return moved(over, moved(over, crc) ^ second) ^ third;
}

WITH_INSTRUCTION static uint32_t by_instruction(uint32_t before, const void *bytes, size_t count) {
  const size_t long_part = (1 << long_bits) / 8, short_part = (1 << short_bits) / 8;
  const uint8_t *next = bytes;
  uint32_t crc = ~before;
  for (; count >= 3 * long_part; next += 3 * long_part, count -= 3 * long_part)
    crc = three_parts(crc, next, long_part, over_long);
  for (; count >= 3 * short_part; next += 3 * short_part, count -= 3 * short_part)
    crc = three_parts(crc, next, short_part, over_short);
  for (; count >= 8; next += 8, count -= 8) crc = ADD_WORD(crc, word_at(next));
  for (; count > 0; next++, count--) crc = ADD_BYTE(crc, *next);
  return ~crc;
}

#else

static uint32_t by_instruction(uint32_t before, const void *bytes, size_t count) {
  return cchecksum_crc32c_by_table(before, bytes, count);
}

static int has_instruction(void) { return 0; }

#endif

uint32_t cchecksum_crc32c(uint32_t before, const void *bytes, size_t count) {
  return has_instruction() ? by_instruction(before, bytes, count) : cchecksum_crc32c_by_table(before, bytes, count);
}
