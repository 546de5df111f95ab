/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of files that are known by their first bytes. */
#ifndef ASSAY_READ_KINDS_H
#define ASSAY_READ_KINDS_H

#include "assay/base.h"

/* ASSAY_OK, or ASSAY_E_FORMAT saying which kind that is not read it is, and what to do about it. */
assay_status assay_kinds_refuse_other(const char *path, const char *bytes, size_t length);

/* Whether the first character that is no space begins a JSON object or array. */
int assay_kinds_is_json(const char *bytes, size_t length);

#endif
