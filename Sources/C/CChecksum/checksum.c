// CRC-32C, because processors have an instruction for it; in C, because a function can use that instruction without the
// whole program being compiled for a specific processor.

#include "CChecksum.h"

#include <string.h>

#if defined(__x86_64__)
#define WITH_INSTRUCTION __attribute__((target("sse4.2")))
#define ADD_WORD(crc, word) ((uint32_t)__builtin_ia32_crc32di(crc, word))
#define ADD_BYTE(crc, byte) __builtin_ia32_crc32qi(crc, byte)
#define HAS_INSTRUCTION __builtin_cpu_supports("sse4.2")
#elif defined(__aarch64__)
#include <sys/auxv.h>
#ifndef HWCAP_CRC32
#define HWCAP_CRC32 (1 << 7)
#endif
#define WITH_INSTRUCTION __attribute__((target("crc")))
#define ADD_WORD(crc, word) __builtin_arm_crc32cd(crc, word)
#define ADD_BYTE(crc, byte) __builtin_arm_crc32cb(crc, byte)
#define HAS_INSTRUCTION (getauxval(AT_HWCAP) & HWCAP_CRC32)
#endif

static uint32_t table[256];

__attribute__((constructor)) static void fill_table(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    // The polynomial 0x1edc6f41, bit-reversed.
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
    table[byte] = crc;
  }
}

uint32_t cchecksum_crc32c_by_table(uint32_t before, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  uint32_t crc = ~before;
  for (; count > 0; next++, count--) crc = crc >> 8 ^ table[(crc ^ *next) & 255];
  return ~crc;
}

#if defined(WITH_INSTRUCTION)
WITH_INSTRUCTION static uint32_t by_instruction(uint32_t before, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  uint32_t crc = ~before;
  for (; count >= 8; next += 8, count -= 8) {
    uint64_t word;
    memcpy(&word, next, 8);
    crc = ADD_WORD(crc, word);
  }
  for (; count > 0; next++, count--) crc = ADD_BYTE(crc, *next);
  return ~crc;
}
#endif

uint32_t cchecksum_crc32c(uint32_t before, const void *bytes, size_t count) {
#if defined(WITH_INSTRUCTION)
  if (HAS_INSTRUCTION) return by_instruction(before, bytes, count);
#endif
  return cchecksum_crc32c_by_table(before, bytes, count);
}
