/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_copies.h"

#include "session.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t n_copies(const struct signals_copies *copies)
{
    return copies->found.n_exact + copies->found.n_near;
}

static assay_status fit_without(const assay_matrix *matrix, const assay_signals_options *options,
                                struct signals_copies *copies)
{
    size_t n = assay_matrix_n_models(matrix), *kept = malloc(n * sizeof *kept);
    assay_matrix *left = NULL;
    assay_status status;

    if (!kept) return cli_no_memory();
    for (size_t m = 0; m < n; m++)
        if (copies->like[m] == m) kept[copies->n_left++] = m;
    status = assay_matrix_take_models(matrix, kept, copies->n_left, &left);
    if (status == ASSAY_OK) status = assay_signals_fit(left, options, &copies->without);
    assay_matrix_free(left);
    free(kept);
    if (status != ASSAY_E_SHAPE && status != ASSAY_E_DEGENERATE) return status;
    snprintf(copies->no_without, sizeof copies->no_without, "%s", assay_last_error());
    return ASSAY_OK;
}

assay_status signals_copies_find(const assay_matrix *matrix, const assay_signals_options *options,
                                 struct signals_copies *copies)
{
    size_t n = assay_matrix_n_models(matrix);
    assay_status status;

    *copies = (struct signals_copies){ .matrix = matrix, .level = options->level };
    copies->like = malloc(n * sizeof *copies->like);
    copies->near = malloc(n);
    if (!copies->like || !copies->near) return cli_no_memory();
    status = assay_model_copies_find(matrix, copies->like, copies->near, &copies->found);
    return status == ASSAY_OK && n_copies(copies) > 0 ? fit_without(matrix, options, copies)
                                                      : status;
}

void signals_copies_free(struct signals_copies *copies)
{
    assay_signals_free(copies->without);
    free(copies->like);
    free(copies->near);
}

/* ---- the table ---- */

enum { SHOWN_GROUPS = 5, SHOWN_MODELS = 5 };

static void print_name(FILE *to, const struct signals_copies *copies, size_t model)
{
    const char *name = assay_matrix_model(copies->matrix, model);
    char safe[64];

    fputs(assay_printable(safe, sizeof safe, name, strlen(name)), to);
}

/* "  a: b, c (nearly)" */
static void print_group(FILE *to, const struct signals_copies *copies, size_t first)
{
    size_t n = 0;

    fputs("  ", to);
    print_name(to, copies, first);
    for (size_t m = 0; m < assay_matrix_n_models(copies->matrix); m++) {
        if (m == first || copies->like[m] != first || n++ >= SHOWN_MODELS) continue;
        fputs(n == 1 ? ": " : ", ", to);
        print_name(to, copies, m);
        if (copies->near[m]) fputs(" (nearly)", to);
    }
    if (n > SHOWN_MODELS) fprintf(to, " and %zu more", n - SHOWN_MODELS);
    putc('\n', to);
}

static int is_first(const struct signals_copies *copies, size_t model)
{
    for (size_t m = 0; m < assay_matrix_n_models(copies->matrix); m++)
        if (m != model && copies->like[m] == model) return 1;
    return 0;
}

static void print_without(FILE *to, const struct signals_copies *copies)
{
    const assay_signals *fit = copies->without;
    double low, parallel;

    if (!fit) {
        fprintf(to, "  without them: no ED (%s)\n", copies->no_without);
        return;
    }
    low = assay_signals_value(fit, ASSAY_SIGNALS_ED_LOW);
    parallel = assay_signals_value(fit, ASSAY_SIGNALS_PARALLEL_ANALYSIS);
    fprintf(to, "  without them, %zu models: ED %.2f", copies->n_left,
            assay_signals_value(fit, ASSAY_SIGNALS_ED_TASK));
    if (!isnan(low))
        fprintf(to, ", %g %% interval %.2f to %.2f", 100.0 * copies->level, low,
                assay_signals_value(fit, ASSAY_SIGNALS_ED_HIGH));
    if (!isnan(parallel)) fprintf(to, "; %.0f above shuffled (parallel analysis)", parallel);
    putc('\n', to);
}

void print_signals_copies(FILE *to, const struct signals_copies *copies)
{
    size_t shown = 0, n = n_copies(copies), n_groups = 0;

    if (n == 0) return;
    fprintf(to, "%zu model%s an earlier one's outcomes", n, n == 1 ? " repeats" : "s repeat");
    if (copies->found.n_near == n)
        fputs(", nearly", to);
    else if (copies->found.n_near)
        fprintf(to, ", %zu of them nearly", copies->found.n_near);
    fputs("; counted as systems of their own they can\n"
          "narrow the interval of ED and lift components above shuffled\n",
          to);
    if (copies->found.n_by_chance)
        fprintf(to, "  of them on so few outcomes that chance may do it: %zu\n",
                copies->found.n_by_chance);
    for (size_t m = 0; m < assay_matrix_n_models(copies->matrix); m++) {
        if (copies->like[m] != m || !is_first(copies, m)) continue;
        if (n_groups++ < SHOWN_GROUPS) print_group(to, copies, m), shown++;
    }
    if (n_groups > shown) fprintf(to, "  and %zu more such groups (--json)\n", n_groups - shown);
    print_without(to, copies);
}

/* ---- JSON ---- */

static void json_groups(assay_json *json, const struct signals_copies *copies)
{
    size_t n = assay_matrix_n_models(copies->matrix);

    assay_json_key(json, "groups");
    assay_json_begin_array(json);
    for (size_t first = 0; first < n; first++) {
        if (copies->like[first] != first || !is_first(copies, first)) continue;
        assay_json_begin_array_in_line(json);
        for (size_t m = first; m < n; m++)
            if (copies->like[m] == first)
                assay_json_text(json, assay_matrix_model(copies->matrix, m));
        assay_json_end_array(json);
    }
    assay_json_end_array(json);
}

static void json_estimate(assay_json *json, const struct signals_copies *copies, const char *key,
                          assay_signals_number number)
{
    cli_json_estimate(json, key, assay_signals_value(copies->without, number),
                      assay_signals_reason(copies->without, number));
}

static void json_without(assay_json *json, const struct signals_copies *copies)
{
    if (!copies->without) {
        cli_json_estimate(json, "without", NAN,
                          n_copies(copies) ? copies->no_without : "there are no copies");
        return;
    }
    assay_json_key(json, "without");
    assay_json_begin_object(json);
    assay_json_key(json, "models");
    assay_json_count(json, copies->n_left);
    json_estimate(json, copies, "ed", ASSAY_SIGNALS_ED_TASK);
    json_estimate(json, copies, "ed_low", ASSAY_SIGNALS_ED_LOW);
    json_estimate(json, copies, "ed_high", ASSAY_SIGNALS_ED_HIGH);
    json_estimate(json, copies, "ed_over_null", ASSAY_SIGNALS_ED_OVER_NULL);
    json_estimate(json, copies, "parallel_analysis", ASSAY_SIGNALS_PARALLEL_ANALYSIS);
    assay_json_end_object(json);
}

void json_signals_copies(assay_json *json, const struct signals_copies *copies)
{
    assay_json_key(json, "model_copies");
    assay_json_begin_object(json);
    assay_json_key(json, "exact");
    assay_json_count(json, copies->found.n_exact);
    assay_json_key(json, "may_be_chance");
    assay_json_count(json, copies->found.n_by_chance);
    cli_json_estimate(json, "near", copies->found.no_near ? NAN : (double)copies->found.n_near,
                      copies->found.no_near);
    json_groups(json, copies);
    json_without(json, copies);
    assay_json_end_object(json);
}
