#ifndef CCHECKSUM_H
#define CCHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// The CRC-32C (RFC 3720, appendix B.4) of `count` bytes that follow bytes whose CRC-32C is `before`; 0 before the first.
/// By the processor's own instruction where it has one.
uint32_t cchecksum_crc32c(uint32_t before, const void *_Nullable bytes, size_t count);

/// The same by a table, as on a processor without the instruction.
uint32_t cchecksum_crc32c_by_table(uint32_t before, const void *_Nullable bytes, size_t count);

#endif
