/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a store: a header of 24 bytes, then records of one size, all little-endian.
     header   "ASSAYVEC", version (32 bits), numbers a vector d (32 bits), check
     record   key (32 bytes), d floats, check
   A check is 64 bits over what goes before it. */
#ifndef ASSAY_EMBED_STORE_FILE_H
#define ASSAY_EMBED_STORE_FILE_H

#include "embed/store.h"

enum {
    ASSAY_STORE_HEADER = 24,
    ASSAY_STORE_MOST = 1 << 20 /* numbers a vector; keeps every size below far from overflow */
};

/* Bytes of a record, and where record i begins. */
size_t assay_store_record_size(size_t d);
uint64_t assay_store_offset(size_t d, uint64_t i);

void assay_store_make_record(unsigned char *record, const unsigned char key[ASSAY_STORE_KEY],
                             const float *vector, size_t d);
void assay_store_take_vector(const unsigned char *record, size_t d, float *out);

/* 1 if the check of a record is that of its bytes. */
int assay_store_is_intact(const unsigned char *record, size_t d);

/* The file's size, and d from its header: 0 when it is empty or ends within its header, as after a
   crash. path is for the sentence. ASSAY_OK; ASSAY_E_READ; ASSAY_E_FORMAT. */
assay_status assay_store_read_header(int file, const char *path, uint64_t *size, size_t *d);
/* 0, or -1 with errno. */
int assay_store_write_header(int file, size_t d);

/* Read up to size bytes from an offset: fewer at the end of the file, -1 with errno. */
long long assay_store_read_at(int file, unsigned char *out, size_t size, uint64_t offset);
/* Write all of them: 0, or -1 with errno. */
int assay_store_write_at(int file, const unsigned char *bytes, size_t size, uint64_t offset);

#endif
