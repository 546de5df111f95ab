/* SPDX-License-Identifier: Apache-2.0 */
#include "embed/kept.h"

#include "core/error.h"
#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>

/* Memory is for the caller to hear of; any other failure ends the use of the store. */
static assay_status note(assay_kept *kept, assay_status status)
{
    if (status == ASSAY_OK || status == ASSAY_E_NOMEM) return status;
    snprintf(kept->fault, sizeof kept->fault, "%s", assay_last_error());
    assay_store_close(kept->store);
    kept->store = NULL;
    return ASSAY_OK;
}

assay_status assay_kept_open(assay_kept *kept, const char *folder, const char *space, size_t n)
{
    *kept = (assay_kept){ 0 };
    if (!folder) return ASSAY_OK;
    kept->keys = assay_alloc(n, sizeof *kept->keys);
    if (!kept->keys) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu keys", n);
    return note(kept, assay_store_open(folder, space, &kept->store));
}

void assay_kept_close(assay_kept *kept)
{
    assay_store_close(kept->store);
    free(kept->keys);
    kept->store = NULL;
    kept->keys = NULL;
}

int assay_kept_find(const assay_kept *kept, size_t k, size_t d, float *out)
{
    return kept->store && assay_store_dimensions(kept->store) == d &&
           assay_store_find(kept->store, kept->keys[k], out);
}

assay_status assay_kept_put(assay_kept *kept, size_t k, const float *vector, size_t d)
{
    return kept->store ? note(kept, assay_store_put(kept->store, kept->keys[k], vector, d))
                       : ASSAY_OK;
}

assay_status assay_kept_flush(assay_kept *kept)
{
    return kept->store ? note(kept, assay_store_flush(kept->store)) : ASSAY_OK;
}
