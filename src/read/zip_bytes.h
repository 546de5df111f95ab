/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as zip archives hold them: little-endian, anywhere. */
#ifndef ASSAY_READ_ZIP_BYTES_H
#define ASSAY_READ_ZIP_BYTES_H

#include <stdint.h>

static inline uint16_t assay_zip_u16(const unsigned char *bytes)
{
    return (uint16_t)(bytes[0] | bytes[1] << 8);
}

static inline uint32_t assay_zip_u32(const unsigned char *bytes)
{
    return assay_zip_u16(bytes) | (uint32_t)assay_zip_u16(bytes + 2) << 16;
}

static inline uint64_t assay_zip_u64(const unsigned char *bytes)
{
    return assay_zip_u32(bytes) | (uint64_t)assay_zip_u32(bytes + 4) << 32;
}

#endif
