/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_tetrachoric.h"

#include <math.h>

enum { MOST_ITEMS = 3000 }; /* about 5 seconds, and 72 MB */
enum { LEAST_MODELS = 4 };  /* that fill the four cells of a table */
static const char too_few_models[] = "fewer than 4 models: every table would have an empty cell";
static const char over_the_most[] = "more than 3,000 items that are not constant";
static const char not_asked[] = "many items: --tetrachoric estimates it";

assay_status signals_tetrachoric(const assay_matrix *matrix, int asked, int threads,
                                 assay_progress progress, assay_tetrachoric_ed *out)
{
    assay_tetrachoric_options options;
    assay_status status;

    assay_tetrachoric_options_init(&options, sizeof options);
    if (asked) options.max_items = MOST_ITEMS;
    options.threads = threads;
    options.progress = progress;
    status = assay_tetrachoric_dimension(matrix, &options, out);
    if (status == ASSAY_OK && out->n_items > options.max_items)
        out->reason = out->n_items > MOST_ITEMS ? over_the_most : not_asked;
    if (status == ASSAY_OK && !out->reason && assay_matrix_n_models(matrix) < LEAST_MODELS) {
        out->raw = out->clipped = out->least = NAN;
        out->reason = too_few_models;
    }
    return status;
}

void print_signals_tetrachoric(FILE *to, const assay_tetrachoric_ed *ed)
{
    fputs("ED of tetrachoric correlations (our reading of the paper's)\n", to);
    if (ed->reason) {
        fprintf(to, "  %-34s        -   (%s)\n\n", "as they are", ed->reason);
        return;
    }
    fprintf(to, "  %-34s %8.2f   smallest eigenvalue %.2f\n", "as they are", ed->raw, ed->least);
    fprintf(to, "  %-34s %8.2f\n", "negative eigenvalues set to 0", ed->clipped);
    if (ed->n_left_out)
        fprintf(to, "  %-34s %8zu   of %zu, for having too few models in common with others\n",
                "items left out", ed->n_left_out, ed->n_items + ed->n_left_out);
    putc('\n', to);
}

void json_signals_tetrachoric(assay_json *json, const assay_tetrachoric_ed *ed)
{
    assay_json_key(json, "ed_tetrachoric");
    assay_json_begin_object(json);
    assay_json_key(json, "raw");
    assay_json_number(json, ed->raw);
    assay_json_key(json, "clipped");
    assay_json_number(json, ed->clipped);
    assay_json_key(json, "smallest_eigenvalue");
    assay_json_number(json, ed->least);
    assay_json_key(json, "items");
    assay_json_count(json, ed->n_items);
    assay_json_key(json, "items_left_out");
    assay_json_count(json, ed->n_left_out);
    if (ed->reason) {
        assay_json_key(json, "reason");
        assay_json_text(json, ed->reason);
    }
    assay_json_end_object(json);
}
