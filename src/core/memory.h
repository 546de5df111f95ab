/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation of arrays whose size in bytes may overflow. All of it is freed with free(). */
#ifndef ASSAY_CORE_MEMORY_H
#define ASSAY_CORE_MEMORY_H

#include <stddef.h>

/* count x size bytes, not cleared; NULL when there is no memory or the product overflows.
   A count of 0 gives a pointer that may be freed. */
void *assay_alloc(size_t count, size_t size);

/* The same, cleared. */
void *assay_alloc_zero(size_t count, size_t size);

/* The same, cleared, at a multiple of 64 bytes: for arrays that vector code or BLAS works on. */
void *assay_alloc_aligned(size_t count, size_t size);

/* Room for at least need elements of size bytes in *array (an object pointer's address), growing
   by doubling; *capacity follows. Returns 0, or -1 when there is no memory and nothing changed. */
int assay_grow(void *array, size_t *capacity, size_t need, size_t size);

/* A NUL-ended copy of length bytes of text, or NULL. */
char *assay_copy_text(const char *text, size_t length);

#endif
