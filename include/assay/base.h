/* SPDX-License-Identifier: Apache-2.0 */
/* Status codes, error text, version and progress: what every other header of assay needs. */
#ifndef ASSAY_BASE_H
#define ASSAY_BASE_H

#include <stddef.h>
#include <stdint.h>

#define ASSAY_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* Every call that can fail returns one of these. Numbers are part of the ABI: never renumber. */
typedef enum assay_status {
    ASSAY_OK = 0,
    ASSAY_E_NOMEM = -1,      /* an allocation failed */
    ASSAY_E_SHAPE = -2,      /* sizes are zero, too small or do not agree */
    ASSAY_E_VALUE = -3,      /* a number or an option is out of range */
    ASSAY_E_DEGENERATE = -4, /* input is valid but the answer is undefined */
    ASSAY_E_CANCELLED = -5,  /* the progress callback asked to stop */
    ASSAY_E_READ = -6,       /* a file is missing or cannot be read */
    ASSAY_E_FORMAT = -7,     /* a file is malformed, or of a kind that assay does not read */
    ASSAY_E_CONFLICT = -8,   /* two observations of one cell disagree */
    ASSAY_E_WRITE = -9       /* a file cannot be written */
} assay_status;

/* Short fixed text for a status, such as "out of memory". */
ASSAY_API const char *assay_status_text(assay_status status);

/* What went wrong in this thread's latest failed call: one sentence with the offending values,
   control characters shown as escapes, so that it is safe to print. Owned by assay; valid until
   this thread's next failing call. */
ASSAY_API const char *assay_last_error(void);

/* Copy text to out (size >= 8 bytes, always ended by NUL) so that it is safe to print: control
   characters, C1 controls, bidirectional marks and invalid UTF-8 become \xNN, an escape a byte;
   text that does not fit is cut and ends in "...". Returns out. */
ASSAY_API char *assay_printable(char *out, size_t size, const char *text, size_t length);

/* "MAJOR.MINOR.PATCH" of the library that is running. */
ASSAY_API const char *assay_version(void);

/**
 * Called now and then during long work, always on the thread that called the library.
 *
 * @param user      the pointer given beside the callback.
 * @param stage     what is being done, such as "permutations"; a literal.
 * @param fraction  how much of this stage is done, in [0, 1].
 * @return 0 to go on; anything else stops the work, and the call returns ASSAY_E_CANCELLED.
 */
typedef int (*assay_progress_fn)(void *user, const char *stage, double fraction);

/* A progress callback with its pointer. A NULL step means: do not report. */
typedef struct assay_progress {
    assay_progress_fn step;
    void *user;
} assay_progress;

#ifdef __cplusplus
}
#endif
#endif
