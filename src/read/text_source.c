/* SPDX-License-Identifier: Apache-2.0 */
#include "read/text_source.h"

#include <string.h>

assay_status assay_text_source_read(void *user, char *buffer, size_t size, size_t *got)
{
    assay_text_source *source = user;

    *got = source->left < size ? source->left : size;
    if (*got > 0) memcpy(buffer, source->text, *got);
    source->text += *got;
    source->left -= *got;
    return ASSAY_OK;
}
