/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of an input as its reader wants them: compression undone, the digest of what stands on
   disk taken as it passes. */
#ifndef ASSAY_READ_INPUT_H
#define ASSAY_READ_INPUT_H

#include "assay/base.h"

typedef struct assay_input_stream assay_input_stream; /* opaque */

/**
 * Open a file, or standard input for "-". Gzip (also several members one after the other) and
 * Zstandard (also several frames) are recognised from their first bytes, never from the name.
 *
 * @param path      copied.
 * @param progress  asked when a signal interrupts the wait for bytes, which may last for ever.
 *                  Borrowed for as long as the stream lives; NULL for none.
 * @param out       the stream, owned by the caller; NULL on failure.
 * @return ASSAY_OK; ASSAY_E_READ when the file is missing, a folder or unreadable; ASSAY_E_NOMEM;
 *         ASSAY_E_CANCELLED.
 * Memory: 320 KiB, and what the decompressor takes; 1 MiB more once 4 MB were read, when one helper
 * thread begins to take the digest, and to read ahead in regular files. It ends in assay_input_sha256() or assay_input_close().
 */
assay_status assay_input_open(const char *path, const assay_progress *progress,
                              assay_input_stream **out);
void assay_input_close(assay_input_stream *input); /* NULL is fine */

/**
 * The next bytes, decompressed. stream is an assay_input_stream: the type is that of a source of
 * the CSV and JSON readers.
 *
 * @param got  how many of size bytes were filled; 0 only at the end.
 * @return ASSAY_OK; ASSAY_E_READ; ASSAY_E_FORMAT when compressed data are cut short or corrupt,
 *         once everything before the fault was handed out; ASSAY_E_NOMEM; ASSAY_E_CANCELLED.
 *         Failures repeat.
 */
assay_status assay_input_read(void *stream, char *buffer, size_t size, size_t *got);

/* The first bytes (at most 65536) of what assay_input_read() will hand out; owned by the stream.
   Only before the first read. A fault after the first byte is left for assay_input_read(). */
assay_status assay_input_peek(assay_input_stream *input, const char **bytes, size_t *length);

/* Whether its bytes on disk can be had in any order: a regular file by its name, not compressed
   as a whole. And how many they are; 0 when that is unknown. */
int assay_input_is_seekable(const assay_input_stream *input);
uint64_t assay_input_size(const assay_input_stream *input);

/* The bytes on disk at a place, of an input that is seekable; what assay_input_read() hands out is
   not moved by it. *got is less than size only at the file's end. ASSAY_OK; ASSAY_E_READ;
   ASSAY_E_CANCELLED. */
assay_status assay_input_read_at(assay_input_stream *input, uint64_t at, void *buffer, size_t size,
                                 size_t *got);

/* The SHA-256 of the file's bytes on disk in hexadecimal; whatever is still unread is read. To be
   called once, last. ASSAY_OK, ASSAY_E_READ, ASSAY_E_NOMEM or ASSAY_E_CANCELLED. */
assay_status assay_input_sha256(assay_input_stream *input, char hex[65]);

/* How messages call it: the path, or "standard input". */
const char *assay_input_name(const assay_input_stream *input);

/* Bytes on disk read so far, and their share of the file in [0, 1] (0 when its size is unknown). */
uint64_t assay_input_taken(const assay_input_stream *input);
double assay_input_fraction(const assay_input_stream *input);

/* 1 when reading failed because compressed data end too early. */
int assay_input_is_cut(const assay_input_stream *input);

#endif
