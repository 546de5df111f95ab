/* SPDX-License-Identifier: Apache-2.0 */
#include "assay/redundancy.h"

#include "core/error.h"
#include "data/matrix.h"
#include "read/score_text.h"

#include <math.h>
#include <string.h>

assay_status assay_redundancy_covariate(const assay_results *results, const assay_matrix *matrix,
                                        size_t covariate, int as_log, double *given,
                                        size_t *n_without)
{
    size_t n = 0;

    for (size_t m = 0; m < matrix->n_models; m++) {
        const char *text =
            assay_results_covariate_value(results, covariate, matrix->model_source[m]);
        double value = NAN;

        if (!text || assay_score_text_parse(text, strlen(text), 0, &value) != ASSAY_SCORED)
            value = NAN;
        if (as_log) value = value > 0.0 ? log(value) : NAN;
        given[m] = value;
        n += isnan(value) ? 0 : 1;
    }
    *n_without = matrix->n_models - n;
    if (n > 0) return ASSAY_OK;
    return assay_fail(ASSAY_E_DEGENERATE,
                      "the covariate \"%s\" has a number for none of the models",
                      assay_results_covariate(results, covariate));
}
