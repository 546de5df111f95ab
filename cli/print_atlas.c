/* SPDX-License-Identifier: Apache-2.0 */
#include "print_atlas.h"

#include "atlas_answer.h"
#include "print_score.h"
#include "session.h"

#include <assay/plot.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the table: 110 columns at most ---- */

enum { NAME_SIZE = 200, NAME_ROOM = 28, NAME_ROOM_BESIDE_NOISE = 19 };

static int n_characters(const char *text)
{
    int n = 0;

    for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

/* The name, made safe and cut to the room there is. Its characters, not its bytes, are counted. */
static int shown(const char *name, int room, char safe[NAME_SIZE])
{
    size_t size = NAME_SIZE;

    do {
        assay_printable(safe, size, name, strlen(name));
        size -= 4;
    } while (n_characters(safe) > room);
    return n_characters(safe);
}

static void cell(FILE *to, int width, int decimals, double x)
{
    if (isnan(x))
        fprintf(to, " %*s", width, "-");
    else
        fprintf(to, " %*.*f", width, decimals, x);
}

/* Three digits are enough for an interval. */
static int decimals_of(double x)
{
    return x < 9.995 ? 2 : x < 99.95 ? 1 : 0;
}

static void print_interval(FILE *to, const struct atlas_row *row)
{
    double low = atlas_value(row, ASSAY_SIGNALS_ED_LOW);
    double high = atlas_value(row, ASSAY_SIGNALS_ED_HIGH);
    char text[64] = "-";

    if (!isnan(low))
        snprintf(text, sizeof text, "%.*f-%.*f", decimals_of(low), low, decimals_of(high), high);
    fprintf(to, " %9s", text);
}

/* Two digits, so that a few holes are not told as none. */
static void print_share(FILE *to, double percent)
{
    fprintf(to, percent < 10.0 ? " %6.2g" : " %6.0f", percent);
}

static int has_replicates(const struct atlas_answer *answer)
{
    for (size_t k = 0; k < answer->n; k++)
        if (answer->rows[k].replicate.source) return 1;
    return 0;
}

static void print_row(FILE *to, const struct atlas_row *row, int width, int beside_noise)
{
    double cells = (double)row->models * (double)row->items;
    char safe[NAME_SIZE];
    int n = shown(row->name, width, safe);

    fprintf(to, "%s%*s %6zu %5zu", safe, width - n, "", row->models, row->items);
    print_share(to, 100.0 * (double)atlas_n_missing(row) / cells);
    cell(to, 6, 2, atlas_value(row, ASSAY_SIGNALS_ED_TASK));
    print_interval(to, row);
    cell(to, 6, 2, atlas_value(row, ASSAY_SIGNALS_ED_MODEL));
    cell(to, 6, 2, atlas_value(row, ASSAY_SIGNALS_ED_DOUBLE));
    cell(to, 5, 1, 100.0 * atlas_value(row, ASSAY_SIGNALS_PC1_SHARE));
    cell(to, 6, 2, atlas_value(row, ASSAY_SIGNALS_MARCHENKO_PASTUR));
    cell(to, 7, 4, atlas_value(row, ASSAY_SIGNALS_ED_OVER_NULL));
    cell(to, 2, 0, atlas_value(row, ASSAY_SIGNALS_PARALLEL_ANALYSIS));
    cell(to, 6, 0, atlas_value(row, ASSAY_SIGNALS_KAISER));
    if (beside_noise) cell(to, 8, 2, row->replicate.value);
    putc('\n', to);
}

static void print_head(FILE *to, int width, int beside_noise)
{
    fprintf(to,
            "%-*s models items miss %%     ED  interval  model double PC1 %%   null ED/null PA "
            "Kaiser",
            width, "benchmark");
    fputs(beside_noise ? " no noise\n" : "\n", to);
}

static void print_rows(FILE *to, const struct atlas_answer *answer)
{
    int beside_noise = has_replicates(answer), width = 9;
    int room = beside_noise ? NAME_ROOM_BESIDE_NOISE : NAME_ROOM;
    size_t n = atlas_n_comparable(answer);
    char safe[NAME_SIZE];

    for (size_t k = 0; k < answer->n; k++) {
        int own = shown(answer->rows[k].name, room, safe);

        if (own > width) width = own;
    }
    print_head(to, width, beside_noise);
    for (size_t k = 0; k < answer->n; k++) {
        if (k == n)
            fprintf(to, "min(models, items) at most %d: ED has no room, and cannot be compared\n",
                    ATLAS_SMALL_SIDE);
        print_row(to, &answer->rows[k], width, beside_noise);
    }
}

static void print_legend(FILE *to, const struct atlas_answer *answer)
{
    fprintf(to,
            "\nED: items' means out, with its %g %% interval (delete-one jackknife over models); "
            "model: models' means\nout; double: both. PC1: share of the first component. null: ED "
            "of pure noise (Marchenko-Pastur). PA:\ncomponents above shuffled (parallel analysis). "
            "Kaiser: above the mean. -: not estimable; --json says why.\n",
            100.0 * answer->analysis->level);
    if (has_replicates(answer))
        fputs("no noise: ED with the noise of the outcomes removed, from runs or templates.\n", to);
    fputs("ED is an upper bound for screening, not a sample size: on single runs much of it is "
          "noise.\n",
          to);
}

assay_status print_atlas_table(FILE *to, const void *data)
{
    static const char *const sorts[] = { "ED", "ED / null", "models", "items", "name" };
    const struct atlas_answer *answer = data;
    char safe[512];

    cli_print_coverage_of(to, atlas_coverage(answer));
    fprintf(to, "%zu benchmark%s, by %s", answer->n, answer->n == 1 ? "" : "s",
            sorts[answer->sort]);
    if (answer->left_out.n)
        fprintf(to, "; left out of folders, for holding no results: %zu", answer->left_out.n);
    fputs("\n\n", to);
    if (answer->n) {
        print_rows(to, answer);
        print_legend(to, answer);
    }
    for (size_t k = 0; k < answer->refused.n; k++)
        fprintf(to, "%s  %s\n", k == 0 ? "\nrefused (standard error and --json say why)\n" : "",
                assay_printable(safe, sizeof safe, answer->refused.each[k].path,
                                strlen(answer->refused.each[k].path)));
    return ASSAY_OK;
}

/* ---- CSV ---- */

static void field(FILE *to, double x)
{
    putc(',', to);
    if (!isnan(x)) fprintf(to, "%.10g", x);
}

/* A file may be called anything, and a CSV is also looked at in a terminal. */
static assay_status name_field(FILE *to, const char *name)
{
    size_t length = strlen(name), size = 4 * length + 8; /* room for each byte as \x1b */
    char *safe = malloc(size);

    if (!safe) return cli_no_memory();
    print_score_field(to, assay_printable(safe, size, name, length));
    free(safe);
    return ASSAY_OK;
}

assay_status print_atlas_csv(FILE *to, const void *data)
{
    static const assay_signals_number numbers[] = {
        ASSAY_SIGNALS_ED_TASK,          ASSAY_SIGNALS_ED_LOW,       ASSAY_SIGNALS_ED_HIGH,
        ASSAY_SIGNALS_ED_MODEL,         ASSAY_SIGNALS_ED_DOUBLE,    ASSAY_SIGNALS_PC1_SHARE,
        ASSAY_SIGNALS_MARCHENKO_PASTUR, ASSAY_SIGNALS_ED_OVER_NULL, ASSAY_SIGNALS_PARALLEL_ANALYSIS,
        ASSAY_SIGNALS_KAISER,
    };
    const struct atlas_answer *answer = data;
    assay_status status = ASSAY_OK;

    fputs("name,path,models,items,missing,ed_task,ed_low,ed_high,ed_model,ed_double,pc1_share,"
          "marchenko_pastur,ed_over_null,parallel_analysis,kaiser,ed_replicate,small_shape\n",
          to);
    for (size_t k = 0; k < answer->n && status == ASSAY_OK; k++) {
        const struct atlas_row *row = &answer->rows[k];

        status = name_field(to, row->name);
        putc(',', to);
        if (status == ASSAY_OK) status = name_field(to, row->path);
        fprintf(to, ",%zu,%zu,%" PRIu64, row->models, row->items, atlas_n_missing(row));
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
            field(to, atlas_value(row, numbers[i]));
        field(to, row->replicate.value);
        fprintf(to, ",%d\n", atlas_is_small(row));
    }
    return status;
}

/* ---- the figure ---- */

assay_status print_atlas_plot(FILE *to, const void *data)
{
    const struct atlas_answer *answer = data;
    assay_plot_benchmark *rows = malloc((answer->n + 1) * sizeof *rows);
    char title[64];

    if (!rows) return cli_no_memory();
    for (size_t k = 0; k < answer->n; k++) {
        const struct atlas_row *row = &answer->rows[k];

        rows[k] = (assay_plot_benchmark){ .name = row->name,
                                          .ed = atlas_value(row, ASSAY_SIGNALS_ED_TASK),
                                          .low = atlas_value(row, ASSAY_SIGNALS_ED_LOW),
                                          .high = atlas_value(row, ASSAY_SIGNALS_ED_HIGH),
                                          .noise = atlas_value(row, ASSAY_SIGNALS_MARCHENKO_PASTUR),
                                          .is_small = atlas_is_small(row) };
    }
    snprintf(title, sizeof title, "%zu benchmark%s", answer->n, answer->n == 1 ? "" : "s");
    assay_plot_atlas(rows, answer->n, title, to);
    free(rows);
    return ASSAY_OK;
}
