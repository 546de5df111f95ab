/* SPDX-License-Identifier: Apache-2.0 */
#include "core/options.h"

#include "core/error.h"

#include <string.h>

assay_status assay_options_take(const char *feature, const void *given, void *options, size_t size)
{
    size_t known;

    if (!given) return ASSAY_OK;
    memcpy(&known, given, sizeof known);
    if (known < sizeof known || known > size)
        return assay_fail(ASSAY_E_VALUE, "%s: struct_size %zu is not understood", feature, known);
    memcpy(options, given, known);
    memcpy(options, &size, sizeof size);
    return ASSAY_OK;
}
