/* SPDX-License-Identifier: Apache-2.0 */
/* Ids such as "q0001", numbered from 1 and padded so that they sort as they count. */
#include "core/error.h"
#include "core/memory.h"
#include "simulate/simulation.h"

#include <string.h>

static assay_simulated_name *number_names(const char *prefix, size_t count, size_t least_digits);
static size_t digits_of(size_t n);

assay_status assay_simulation_make_names(assay_simulation *sim)
{
    const assay_simulate_options *opt = &sim->options;

    sim->item_name = number_names("q", opt->n_items, 4);
    sim->cluster_name = number_names("t", opt->n_clusters, 2);
    sim->model_name = number_names("model-", opt->n_models, 2);
    sim->template_name = number_names("template-", opt->n_templates, 1);
    if (!sim->item_name || !sim->cluster_name || !sim->model_name || !sim->template_name)
        return assay_fail(ASSAY_E_NOMEM, "simulate: no memory for the names");
    return ASSAY_OK;
}

static assay_simulated_name *number_names(const char *prefix, size_t count, size_t least_digits)
{
    assay_simulated_name *names = assay_alloc_zero(count, sizeof *names);
    size_t needed = digits_of(count), prefix_length = strlen(prefix);
    size_t digits = needed > least_digits ? needed : least_digits;

    if (!names) return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t number = i + 1;
        memcpy(names[i].text, prefix, prefix_length);
        for (size_t k = digits; k > 0; k--, number /= 10)
            names[i].text[prefix_length + k - 1] = (char)('0' + number % 10);
    }
    return names;
}

static size_t digits_of(size_t n)
{
    size_t digits = 1;

    for (; n >= 10; n /= 10) digits++;
    return digits;
}
