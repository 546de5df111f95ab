/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_replicate.h"

#include <math.h>
#include <stdlib.h>

static const char single_runs[] = "single runs: ED is an upper bound only";
static const char single_templates[] = "one template a cell: ED is an upper bound only";
static const char not_asked[] = "no replicates were asked for";

/* By assay_replicate_source. */
static const char *const sources[] = { "runs", "templates", "clusters" };

void signals_replicate_options(struct signals_replicate *part,
                               struct cli_option options[SIGNALS_N_REPLICATE])
{
    *part = (struct signals_replicate){ .choice = SIGNALS_REPLICATE_AUTO };
    options[0] = (struct cli_option){ "replicates",
                                      0,
                                      CLI_CHOICE,
                                      &part->choice,
                                      "auto|runs|templates|clusters|none",
                                      "what removes the noise from ED" };
    options[1] =
        (struct cli_option){ "clusters", 0,
                             CLI_TEXT,   &part->clusters,
                             "FILE",     "item and cluster: its items are replicates of one" };
}

assay_status signals_replicate_check(const struct signals_replicate *part)
{
    if (part->clusters && part->choice != SIGNALS_REPLICATE_AUTO &&
        part->choice != SIGNALS_REPLICATE_CLUSTERS)
        return cli_fail(ASSAY_E_VALUE, "--clusters goes with --replicates clusters");
    return ASSAY_OK;
}

/* ---- the estimate ---- */

/* A source, or -1 for none. Left to the data, runs come before templates: they remove noise alone. */
static assay_status choose(const struct signals_replicate *part, const assay_results *results,
                           int *source)
{
    int is_auto = part->choice == SIGNALS_REPLICATE_AUTO, runs = 0, templates = 0;
    assay_status status;

    *source = -1;
    if (part->choice == SIGNALS_REPLICATE_NONE) return ASSAY_OK;
    if (part->choice == SIGNALS_REPLICATE_CLUSTERS || (is_auto && part->clusters)) {
        *source = ASSAY_REPLICATES_CLUSTERS;
        return ASSAY_OK;
    }
    status = assay_results_repeats(results, &runs, &templates);
    if (templates && part->choice != SIGNALS_REPLICATE_RUNS) *source = ASSAY_REPLICATES_TEMPLATES;
    if (runs && part->choice != SIGNALS_REPLICATE_TEMPLATES) *source = ASSAY_REPLICATES_RUNS;
    return status;
}

assay_status signals_replicate_find(struct signals_replicate *part, const assay_results *results,
                                    double level, int threads)
{
    size_t *labels = NULL;
    int source;
    assay_status status = choose(part, results, &source);

    if (status != ASSAY_OK || source < 0) return status;
    if (part->clusters) {
        labels = malloc(assay_results_n_items(results) * sizeof *labels);
        if (!labels) return cli_no_memory();
        status = assay_item_clusters_read(part->clusters, results, labels);
    }
    if (status == ASSAY_OK)
        status = assay_replicates_from_results(results, (assay_replicate_source)source, labels,
                                               &part->table);
    if (status == ASSAY_OK)
        status = assay_replicate_dimension_fit(part->table, level, threads, &part->fit);
    free(labels);
    return status;
}

void signals_replicate_free(struct signals_replicate *part)
{
    assay_replicates_free(part->table);
}

static const char *why_none(const struct signals_replicate *part)
{
    return part->choice == SIGNALS_REPLICATE_NONE        ? not_asked
           : part->choice == SIGNALS_REPLICATE_TEMPLATES ? single_templates
                                                         : single_runs;
}

const char *signals_replicate_source(const struct signals_replicate *part)
{
    return part->table ? sources[assay_replicates_source(part->table)] : NULL;
}

const char *signals_replicate_reason(const struct signals_replicate *part)
{
    return part->table ? part->fit.reason : why_none(part);
}

/* ---- the table ---- */

static size_t count(const struct signals_replicate *part, assay_replicates_count which)
{
    return assay_replicates_get(part->table, which);
}

static const char *plural(size_t n)
{
    return n == 1 ? "" : "s";
}

static void print_left_out(FILE *to, const struct signals_replicate *part)
{
    size_t models = count(part, ASSAY_REPLICATES_MODELS_LEFT_OUT);
    size_t items = count(part, ASSAY_REPLICATES_ITEMS_LEFT_OUT);
    size_t templates = count(part, ASSAY_REPLICATES_TEMPLATES_LEFT_OUT);
    size_t alone = count(part, ASSAY_REPLICATES_SINGLETONS);

    if (models || items || templates) {
        fprintf(to, "  left out, so that no cell lacks replicates: %zu model%s, %zu item%s", models,
                plural(models), items, plural(items));
        if (templates) fprintf(to, ", %zu template%s", templates, plural(templates));
        putc('\n', to);
    }
    if (alone)
        fprintf(to, "  left out for being alone in a cluster: %zu item%s\n", alone, plural(alone));
}

static void print_assumption(FILE *to, const struct signals_replicate *part)
{
    size_t alike = count(part, ASSAY_REPLICATES_MODELS_ALIKE);

    switch (assay_replicates_source(part->table)) {
    case ASSAY_REPLICATES_RUNS:
        fputs("  assumes that the runs of a cell are independent of each other\n", to);
        break;
    case ASSAY_REPLICATES_TEMPLATES:
        fputs("  counts what the templates have in common\n", to);
        break;
    case ASSAY_REPLICATES_CLUSTERS:
        fputs("  assumes that the items of a cluster ask for one thing: they count as one item\n",
              to);
        break;
    }
    if (alike)
        fprintf(to,
                "  %zu model%s the same in every replicate: copies, if at temperature 0, count as "
                "no noise\n",
                alike, alike == 1 ? " is" : "s are");
}

/* "by runs, 3 a cell, on 29 models x 54 items" */
static void print_table(FILE *to, const struct signals_replicate *part)
{
    size_t least = count(part, ASSAY_REPLICATES_LEAST), most = count(part, ASSAY_REPLICATES_MOST);
    size_t models = count(part, ASSAY_REPLICATES_N_MODELS);
    size_t items = count(part, ASSAY_REPLICATES_N_ITEMS);
    int is_clusters = assay_replicates_source(part->table) == ASSAY_REPLICATES_CLUSTERS;

    fprintf(to, "  by %s, %zu", sources[assay_replicates_source(part->table)], least);
    if (most > least) fprintf(to, " to %zu", most);
    fprintf(to, " a cell, on %zu model%s x %zu %s%s\n", models, plural(models), items,
            is_clusters ? "cluster" : "item", plural(items));
}

void signals_replicate_print(FILE *to, const struct signals_replicate *part, double level)
{
    const assay_replicate_dimension *fit = &part->fit;
    size_t least;

    if (!part->table) {
        fprintf(to, "ED with the noise removed: none (%s)\n\n", why_none(part));
        return;
    }
    least = count(part, ASSAY_REPLICATES_LEAST);
    fputs("ED with the noise removed", to);
    if (isnan(fit->value)) {
        fprintf(to, ": none (%s)\n", fit->reason);
    } else {
        fprintf(to, "\n  %-34s %8.2f", "items' means out", fit->value);
        if (isnan(fit->low))
            fprintf(to, "   (no interval: %s)\n", fit->reason);
        else
            fprintf(to, "   %g %% interval %.2f to %.2f\n", 100.0 * level, fit->low, fit->high);
    }
    if (least) print_table(to, part);
    if (!isnan(fit->low))
        fprintf(to, "  SE of log ED: models %.3f, items %.3f, counted by both %.3f\n",
                fit->se_models, fit->se_items, fit->se_shared);
    print_left_out(to, part);
    if (!isnan(fit->value)) print_assumption(to, part);
    putc('\n', to);
}

/* ---- JSON ---- */

static void json_counts(assay_json *json, const struct signals_replicate *part)
{
    static const struct {
        const char *key;
        assay_replicates_count which;
    } counts[] = {
        { "runs", ASSAY_REPLICATES_LEAST },
        { "runs_most", ASSAY_REPLICATES_MOST },
        { "models", ASSAY_REPLICATES_N_MODELS },
        { "items", ASSAY_REPLICATES_N_ITEMS },
        { "models_left_out", ASSAY_REPLICATES_MODELS_LEFT_OUT },
        { "items_left_out", ASSAY_REPLICATES_ITEMS_LEFT_OUT },
        { "templates_left_out", ASSAY_REPLICATES_TEMPLATES_LEFT_OUT },
        { "items_alone", ASSAY_REPLICATES_SINGLETONS },
        { "models_alike", ASSAY_REPLICATES_MODELS_ALIKE },
    };

    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        assay_json_key(json, counts[i].key);
        assay_json_count(json, count(part, counts[i].which));
    }
}

static void number(assay_json *json, const char *key, double value)
{
    assay_json_key(json, key);
    assay_json_number(json, value);
}

void signals_replicate_json(assay_json *json, const struct signals_replicate *part, double level)
{
    const assay_replicate_dimension *fit = &part->fit;

    if (!part->table) {
        cli_json_estimate(json, "ed_replicate", NAN, why_none(part));
        return;
    }
    assay_json_key(json, "ed_replicate");
    assay_json_begin_object(json);
    number(json, "value", fit->value);
    number(json, "low", fit->low);
    number(json, "high", fit->high);
    if (fit->reason) {
        assay_json_key(json, "reason");
        assay_json_text(json, fit->reason);
    }
    number(json, "level", level);
    assay_json_key(json, "source");
    assay_json_text(json, sources[assay_replicates_source(part->table)]);
    number(json, "se_models", fit->se_models);
    number(json, "se_items", fit->se_items);
    number(json, "se_shared", fit->se_shared);
    number(json, "df", fit->df);
    json_counts(json, part);
    assay_json_end_object(json);
}
