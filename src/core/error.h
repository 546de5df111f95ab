/* SPDX-License-Identifier: Apache-2.0 */
/* How the library reports a failure: one call, at the place that notices it. */
#ifndef ASSAY_CORE_ERROR_H
#define ASSAY_CORE_ERROR_H

#include "assay/base.h"

/* Keep the sentence as this thread's last error and return the status. Control characters and
   broken UTF-8 in the values are kept out of it (see assay_printable). */
__attribute__((format(printf, 2, 3))) assay_status assay_fail(assay_status status,
                                                              const char *format, ...);

/* The same for a fault in an input: the sentence begins "PATH:LINE: ", or "PATH: " for line 0. */
__attribute__((format(printf, 4, 5))) assay_status assay_fail_at(assay_status status,
                                                                 const char *path, size_t line,
                                                                 const char *format, ...);

#endif
