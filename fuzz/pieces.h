/* SPDX-License-Identifier: Apache-2.0 */
/* An input that comes in pieces: a source for the readers that pull their bytes. */
#ifndef FUZZ_PIECES_H
#define FUZZ_PIECES_H

#include "assay/base.h"

#include <string.h>

typedef struct input {
    const uint8_t *data;
    size_t left, step; /* step: bytes of the largest piece */
} input;

static inline assay_status from_memory(void *user, char *buffer, size_t size, size_t *got)
{
    input *in = user;

    *got = in->left < size ? in->left : size;
    if (*got > in->step) *got = in->step;
    memcpy(buffer, in->data, *got);
    in->data += *got;
    in->left -= *got;
    return ASSAY_OK;
}

static inline void check(int holds)
{
    if (!holds) __builtin_trap();
}

#endif
