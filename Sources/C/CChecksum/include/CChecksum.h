#ifndef CCHECKSUM_H
#define CCHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// The CRC-32C (RFC 3720, appendix B.4) of `count` bytes, continuing from `before`, the CRC-32C of the preceding bytes;
/// 0 at the start. Uses the processor's CRC instruction if it has one.
uint32_t cchecksum_crc32c(uint32_t before, const void *_Nullable bytes, size_t count);

/// The same from a table, as on processors without the instruction.
uint32_t cchecksum_crc32c_by_table(uint32_t before, const void *_Nullable bytes, size_t count);

#endif
