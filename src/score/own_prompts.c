/* SPDX-License-Identifier: Apache-2.0 */
#include "score/validation.h"

#include "core/error.h"
#include "core/memory.h"

#include <math.h>
#include <stdlib.h>

assay_status assay_own_prompts_take(const assay_dendrogram *tree, const double *x, const double *m,
                                    assay_own_prompts *own)
{
    size_t n = tree->n;
    unsigned char *has = assay_alloc(n, 1);
    assay_status status = ASSAY_OK;

    *own = (assay_own_prompts){ 0 };
    own->kept = assay_alloc(n, sizeof *own->kept);
    own->x = assay_alloc(n, sizeof *own->x);
    own->m = assay_alloc(n, sizeof *own->m);
    if (!has || !own->kept || !own->x || !own->m)
        status = assay_fail(ASSAY_E_NOMEM, "no memory for the outcomes of %zu prompts", n);
    for (size_t i = 0; status == ASSAY_OK && i < n; i++) {
        has[i] = !(isnan(x[i]) || isnan(m[i]) || m[i] == 0.0);
        if (!has[i]) continue;
        if (!(x[i] >= 0.0 && x[i] <= m[i] && isfinite(m[i])))
            status = assay_fail(ASSAY_E_VALUE,
                                "validation: prompt %zu has %g successes of %g runs, expected 0 <= "
                                "successes <= runs",
                                i, x[i], m[i]);
        own->x[own->n] = x[i];
        own->m[own->n++] = m[i];
    }
    if (status == ASSAY_OK && own->n == 0)
        status = assay_fail(ASSAY_E_SHAPE, "validation: the model has no prompt");
    if (status == ASSAY_OK) status = assay_dendrogram_prune(tree, has, own->kept, &own->tree);
    free(has);
    return status;
}

void assay_own_prompts_free(assay_own_prompts *own)
{
    free(own->kept);
    free(own->x);
    free(own->m);
    assay_dendrogram_free(own->tree);
    *own = (assay_own_prompts){ 0 };
}

assay_status assay_check_beta(double a, double b)
{
    if (a > 0.0 && b > 0.0 && isfinite(a) && isfinite(b)) return ASSAY_OK;
    return assay_fail(ASSAY_E_VALUE, "validation: Beta(%g, %g), expected numbers above 0", a, b);
}
