/* SPDX-License-Identifier: Apache-2.0 */
#include "logs/metrics.h"

#include "core/error.h"
#include "data/results.h"

#include <string.h>

static assay_status fail(const assay_table *table, const char *list);

assay_status assay_log_choose_metric(const assay_table *table, const char *const *names, size_t n,
                                     size_t *index)
{
    char list[ASSAY_HEADER_LIST_SIZE] = "";

    *index = 0;
    if (!table->options->metric) return ASSAY_OK;
    for (size_t k = 0; k < n; k++) {
        if (strcmp(names[k], table->options->metric) == 0) {
            *index = k;
            return ASSAY_OK;
        }
        assay_header_list_add(list, names[k], strlen(names[k]));
    }
    return fail(table, list);
}

void assay_log_list(const assay_names *names, size_t but, char list[ASSAY_HEADER_LIST_SIZE])
{
    list[0] = '\0';
    for (size_t k = 0; k < names->count; k++)
        if (k != but) assay_header_list_add(list, names->text[k], strlen(names->text[k]));
}

assay_status assay_log_fail_metric(const assay_table *table, const assay_names *seen)
{
    char list[ASSAY_HEADER_LIST_SIZE];

    assay_log_list(seen, SIZE_MAX, list);
    return fail(table, list);
}

assay_status assay_log_note_metrics(assay_table *table, const assay_names *seen, const char *taken)
{
    char list[ASSAY_HEADER_LIST_SIZE] = "";

    if (table->options->metric || seen->count < 2) return ASSAY_OK;
    for (size_t k = 0; k < seen->count; k++)
        if (strcmp(seen->text[k], taken) != 0)
            assay_header_list_add(list, seen->text[k], strlen(seen->text[k]));
    return assay_results_add_note(table->results,
                                  "%s: scored by \"%.60s\"; --metric chooses another: %s",
                                  table->path, taken, list);
}

static assay_status fail(const assay_table *table, const char *list)
{
    return assay_fail_at(ASSAY_E_VALUE, table->path, 0,
                         "no score \"%.60s\" (--metric); there are: %s", table->options->metric,
                         list);
}
