/* SPDX-License-Identifier: Apache-2.0 */
/* Options structs that may grow: the first field is the size that the caller was compiled with. */
#ifndef ASSAY_CORE_OPTIONS_H
#define ASSAY_CORE_OPTIONS_H

#include "assay/base.h"

/* Over options (size bytes, holding the defaults) lay as much as the caller's struct knew about.
   given is NULL or points at a struct_size. ASSAY_OK; ASSAY_E_VALUE for a size that is not
   understood. */
assay_status assay_options_take(const char *feature, const void *given, void *options, size_t size);

#endif
