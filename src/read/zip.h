/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of a zip archive, and the bytes of single members, whatever else the archive
   holds.

   libarchive, which reads .npz archives here, serves for whole archives: it visits every member
   to list them, and (3.6) ends a member early whose Zstandard frame ends where its buffer does.
   A log of 4 GB is read by two members out of many thousands, each of several such frames. */
#ifndef ASSAY_READ_ZIP_H
#define ASSAY_READ_ZIP_H

#include "read/input.h"

typedef struct assay_zip_member {
    char *name; /* as the directory has it, ended by NUL; only compared, never a path */
    unsigned method, flags;
    uint32_t crc;
    uint64_t packed, size, at; /* bytes within the archive and unpacked; where it begins */
} assay_zip_member;

typedef struct assay_zip {
    assay_input_stream *input;
    uint64_t directory;        /* where it begins */
    uint64_t n_listed;         /* members, wanted or not */
    assay_zip_member *members; /* n wanted ones, as the directory lists them */
    size_t n, capacity;
    char sha256[65]; /* of the directory's bytes: it holds each member's name, size and CRC-32 */
} assay_zip;         /* all zero is none; close it whatever happened */

/* Whether a member is one to be kept. A name may hold anything, NUL characters too. */
typedef int (*assay_zip_wants)(const char *name, size_t length);

/**
 * Read an archive's directory, and keep the members that are wanted.
 *
 * ZIP64 is looked for where a field of the plain directory is full, so that bytes that happen to
 * look like its locator mislead nobody. What stands before the archive's end is believed only where
 * it is consistent: the directory ends before its own record, every entry within the directory,
 * every member within the file before the directory.
 *
 * @return ASSAY_OK; ASSAY_E_FORMAT where the input is not seekable (standard input, or an archive
 *         within gzip), without a directory (an archive that was cut short), for one that
 *         contradicts itself or spans several disks, and where the wanted members take more bytes
 *         than the file has, which therefore overlap; ASSAY_E_READ; ASSAY_E_NOMEM;
 *         ASSAY_E_CANCELLED.
 * Cost: the directory's bytes. Memory: 256 KiB, and the wanted members.
 */
assay_status assay_zip_open(assay_zip *zip, assay_input_stream *input, assay_zip_wants wants);
void assay_zip_close(assay_zip *zip);

/* The wanted member of that name; *member is NULL where there is none. ASSAY_OK; ASSAY_E_FORMAT
   when several members of the name differ. */
assay_status assay_zip_find(const assay_zip *zip, const char *name,
                            const assay_zip_member **member);

typedef struct assay_zip_stream assay_zip_stream; /* opaque */

/**
 * Enter a member, to read it once through. It may be stored, deflated or packed by Zstandard (in
 * any number of frames), and of any size; zip must outlive the stream.
 *
 * @return ASSAY_OK; ASSAY_E_FORMAT when it is encrypted or packed otherwise, when what stands at
 *         its place is another member, or when it declares more than 64 MiB and 1,100 times its
 *         packed size; ASSAY_E_READ; ASSAY_E_NOMEM; ASSAY_E_CANCELLED.
 * Memory: 64 KiB, and what the decompressor takes.
 */
assay_status assay_zip_enter(const assay_zip *zip, const assay_zip_member *member,
                             assay_zip_stream **out);
void assay_zip_leave(assay_zip_stream *stream); /* NULL is fine */

/* How messages call it: "PATH[NAME]". */
const char *assay_zip_label(const assay_zip_stream *stream);

/* The next bytes, as assay_input_read() gives them. ASSAY_E_FORMAT where packed data are corrupt
   or end early, where more or fewer bytes come out than the directory declares, and, once all
   came out, where their CRC-32 is another. */
assay_status assay_zip_read(void *stream, char *buffer, size_t size, size_t *got);

#endif
