/* SPDX-License-Identifier: Apache-2.0 */
/* A prompt set from what a results table says of its items, and clusters as numbers. */
#include "core/error.h"
#include "core/memory.h"
#include "data/names.h"
#include "read/prompts.h"

#include <string.h>

assay_status assay_prompts_from_results(const assay_results *results, assay_prompts **out)
{
    size_t n = assay_results_n_items(results);
    assay_prompts *prompts = assay_alloc_zero(1, sizeof *prompts);
    assay_status status = ASSAY_OK;

    *out = NULL;
    if (!prompts) return assay_fail(ASSAY_E_NOMEM, "no memory for %zu prompts", n);
    for (size_t i = 0; i < n && status == ASSAY_OK; i++) {
        const char *id = assay_results_item(results, i),
                   *text = assay_results_item_text(results, i);
        const char *cluster = assay_results_item_cluster(results, i);
        assay_name parts[ASSAY_N_PROMPT_PARTS] = { { id, strlen(id) } };

        if (!text) {
            status = assay_fail(
                ASSAY_E_SHAPE,
                "the results hold no text for item \"%.80s\": give the prompts too (--prompts)",
                id);
            break;
        }
        parts[ASSAY_PROMPT_TEXT] = (assay_name){ text, strlen(text) };
        if (cluster) parts[ASSAY_PROMPT_CLUSTER] = (assay_name){ cluster, strlen(cluster) };
        status = assay_prompts_add(prompts, "results", 0, parts);
    }
    if (status == ASSAY_OK) status = assay_prompts_finish(prompts);
    if (status == ASSAY_OK)
        *out = prompts;
    else
        assay_prompts_free(prompts);
    return status;
}

assay_status assay_prompts_labels(const assay_prompts *prompts, size_t *labels, size_t *n_labels)
{
    assay_names names = { 0 };
    size_t n = assay_prompts_n(prompts), n_alone = 0;
    assay_status status = ASSAY_OK;

    *n_labels = 0;
    for (size_t i = 0; i < n && status == ASSAY_OK; i++) {
        const char *cluster = assay_prompts_cluster(prompts, i);

        if (cluster && assay_names_add(&names, cluster, strlen(cluster), &labels[i]) != 0)
            status = assay_fail(ASSAY_E_NOMEM, "no memory for the clusters of %zu prompts", n);
    }
    for (size_t i = 0; i < n && status == ASSAY_OK; i++)
        if (!assay_prompts_cluster(prompts, i)) labels[i] = names.count + n_alone++;
    if (names.count) *n_labels = names.count + n_alone;
    assay_names_free(&names);
    return status;
}
