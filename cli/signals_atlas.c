/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_atlas.h"

#include "cli.h"
#include "output.h"
#include "print_atlas.h"

#include <assay/benchmarks.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Shuffles of a benchmark: ten of the usual size take seconds. */
enum { MOST_PERMUTATIONS = 100 };

/* Where a benchmark may be. */
struct place {
    char *path;
    int is_entry; /* of a folder that was given: it may be something else */
};

struct places {
    struct place *each;
    size_t n;
};

static assay_status find_places(int n_paths, char **paths, struct places *places,
                                struct atlas_answer *answer);
static void free_places(struct places *places);
static assay_status fit_places(const struct atlas_request *request, const struct places *places,
                               struct atlas_answer *answer);
static assay_status tell_apart(struct atlas_answer *answer);
static void sort_rows(struct atlas_answer *answer);
static void note_same_content(const struct atlas_answer *answer);
static int print_all(const struct signals_atlas *part, const struct signals_atlas_with *with,
                     const struct atlas_answer *answer);
static int finish(const struct cli_common *common, const struct atlas_answer *answer);
static void free_answer(struct atlas_answer *answer);

void signals_atlas_options(struct signals_atlas *part, struct cli_option options[SIGNALS_N_ATLAS])
{
    *part = (struct signals_atlas){ 0 };
    const struct cli_option all[SIGNALS_N_ATLAS] = {
        { "atlas", 0, CLI_FLAG, &part->is_asked, NULL,
          "a row each MATRIX, or each file and sub-folder of a folder" },
        { "sort", 0, CLI_CHOICE, &part->sort, ATLAS_SORTS,
          "by what the rows are ordered, the highest first" },
        { "csv", 0, CLI_TEXT, &part->csv, "FILE.csv", "the rows, not rounded" },
    };
    memcpy(options, all, sizeof all);
}

assay_status signals_atlas_check(const struct signals_atlas *part,
                                 const struct signals_atlas_with *with)
{
    if (!part->is_asked) {
        if (part->csv || part->sort)
            return cli_fail(ASSAY_E_VALUE, "--%s goes with --atlas", part->csv ? "csv" : "sort");
        return ASSAY_OK;
    }
    if (with->tetrachoric || with->replicate->clusters)
        return cli_fail(ASSAY_E_VALUE, "--%s is of one benchmark, not of --atlas",
                        with->tetrachoric ? "tetrachoric" : "clusters");
    return ASSAY_OK;
}

int signals_atlas(const struct signals_atlas *part, const struct signals_atlas_with *with,
                  int n_paths, char **paths)
{
    struct atlas_answer answer = { .analysis = with->analysis, .sort = part->sort };
    assay_signals_options signals = *with->signals;
    assay_read_options read = with->reading->read;
    struct atlas_request request = { with->common, &read, &signals, with->replicate->choice };
    struct places places = { NULL, 0 };
    uint64_t met = 0;
    assay_status status;
    int exit_status = -1;

    signals.most_permutations = MOST_PERMUTATIONS;
    read.format = (assay_format)with->reading->format;
    read.rows = (assay_rows)with->reading->rows;
    read.progress = cli_progress(with->common->quiet);
    read.drop_met = &met;
    status = find_places(n_paths, paths, &places, &answer);
    for (size_t k = 0; status == ASSAY_OK && k < places.n; k++)
        if ((with->common->output &&
             cli_output_is_input(with->common->output, places.each[k].path)) ||
            (part->csv && cli_output_is_input(part->csv, places.each[k].path)))
            status = cli_fail(ASSAY_E_VALUE, "%s is an input, and would be overwritten",
                              places.each[k].path);
    if (status == ASSAY_OK) status = fit_places(&request, &places, &answer);
    if (status == ASSAY_OK && answer.n) status = assay_read_drop_check(read.drop, met);
    if (status == ASSAY_OK) status = tell_apart(&answer);
    if (status == ASSAY_OK) {
        sort_rows(&answer);
        if (!with->common->quiet) note_same_content(&answer);
        exit_status = print_all(part, with, &answer);
    } else {
        exit_status = cli_failed(status);
    }
    if (exit_status < 0) exit_status = finish(with->common, &answer);
    free_places(&places);
    free_answer(&answer);
    return exit_status;
}

/* ---- where they are ---- */

static assay_status add_failure(struct atlas_failures *failures, const char *path,
                                const char *reason)
{
    struct atlas_failure *grown =
        realloc(failures->each, (failures->n + 1) * sizeof *failures->each);
    struct atlas_failure *last;

    if (!grown) return cli_no_memory();
    failures->each = grown;
    last = &grown[failures->n++];
    *last = (struct atlas_failure){ strdup(path), strdup(reason) };
    return last->path && last->reason ? ASSAY_OK : cli_no_memory();
}

static int is_fatal(assay_status status)
{
    return status == ASSAY_E_NOMEM || status == ASSAY_E_CANCELLED || status == ASSAY_E_WRITE;
}

/* The last error as a sentence that begins with the path. */
static void say_why(const char *path, char *out, size_t size)
{
    const char *error = assay_last_error();
    char safe[512];

    if (strcmp(path, "-") == 0) path = "standard input";
    assay_printable(safe, sizeof safe, path, strlen(path));
    if (strncmp(error, safe, strlen(safe)) == 0)
        snprintf(out, size, "%s", error);
    else
        snprintf(out, size, "%s: %s", safe, error);
}

/* One line, and the next benchmark; unless there is no going on. */
static assay_status refuse(struct atlas_answer *answer, const char *path, assay_status status)
{
    char reason[1536];

    if (is_fatal(status)) return status;
    say_why(path, reason, sizeof reason);
    fprintf(stderr, "assay: refused: %s\n", reason);
    return add_failure(&answer->refused, path, reason);
}

static assay_status add_place(struct places *places, const char *path, int is_entry)
{
    struct place *grown = realloc(places->each, (places->n + 1) * sizeof *places->each);

    if (!grown) return cli_no_memory();
    places->each = grown;
    grown[places->n] = (struct place){ strdup(path), is_entry };
    return grown[places->n++].path ? ASSAY_OK : cli_no_memory();
}

/* By their paths; of the same path, one that was given itself comes first. */
static int compare_places(const void *a, const void *b)
{
    const struct place *p = a, *q = b;
    int order = strcmp(p->path, q->path);

    return order ? order : p->is_entry - q->is_entry;
}

/* All of them in an order of their own, so that it does not matter how they were given; what was
   given twice is there once. */
static assay_status find_places(int n_paths, char **paths, struct places *places,
                                struct atlas_answer *answer)
{
    assay_status status = ASSAY_OK;
    size_t kept = 0;

    for (int i = 0; i < n_paths && status == ASSAY_OK; i++) {
        assay_benchmarks *list;

        status = assay_benchmarks_list(paths[i], &list);
        if (status != ASSAY_OK) {
            status = refuse(answer, paths[i], status);
            continue;
        }
        for (size_t k = 0; status == ASSAY_OK && k < assay_benchmarks_n(list); k++)
            status =
                add_place(places, assay_benchmarks_path(list, k), assay_benchmarks_is_folder(list));
        assay_benchmarks_free(list);
    }
    if (places->n) qsort(places->each, places->n, sizeof *places->each, compare_places);
    for (size_t k = 0; k < places->n; k++) {
        if (kept && strcmp(places->each[kept - 1].path, places->each[k].path) == 0)
            free(places->each[k].path);
        else
            places->each[kept++] = places->each[k];
    }
    places->n = kept;
    return status;
}

static void free_places(struct places *places)
{
    for (size_t k = 0; k < places->n; k++) free(places->each[k].path);
    free(places->each);
}

/* ---- each of them ---- */

/* What a folder has beside results (their dates, say) is no fault: it gives no observation. */
static int is_something_else(const struct place *place, assay_status status, uint64_t n_rows)
{
    struct stat about;

    if (!place->is_entry || n_rows > 0) return 0;
    return status == ASSAY_E_FORMAT ||
           (status == ASSAY_E_READ && stat(place->path, &about) == 0 && S_ISDIR(about.st_mode));
}

static assay_status leave_out(const struct atlas_request *request, struct atlas_answer *answer,
                              const char *path)
{
    char reason[1536];

    say_why(path, reason, sizeof reason);
    if (!request->common->quiet) fprintf(stderr, "assay: left out: %s\n", reason);
    return add_failure(&answer->left_out, path, reason);
}

static assay_status fit_places(const struct atlas_request *request, const struct places *places,
                               struct atlas_answer *answer)
{
    answer->rows = calloc(places->n + 1, sizeof *answer->rows);
    if (!answer->rows) return cli_no_memory();
    for (size_t k = 0; k < places->n; k++) {
        const struct place *place = &places->each[k];
        uint64_t n_rows;
        assay_status status =
            atlas_benchmark_fit(request, place->path, &answer->rows[answer->n], &n_rows);

        if (status == ASSAY_OK)
            answer->n++;
        else if (is_something_else(place, status, n_rows))
            status = leave_out(request, answer, place->path);
        else
            status = refuse(answer, place->path, status);
        if (status != ASSAY_OK) return status;
    }
    return ASSAY_OK;
}

/* ---- their names and order ---- */

/* Tell which rows have a name that another one has too; returns how many. */
static size_t mark_shared(const struct atlas_answer *answer, char *is_shared)
{
    size_t n = 0;

    memset(is_shared, 0, answer->n);
    for (size_t a = 0; a < answer->n; a++)
        for (size_t b = 0; b < a; b++)
            if (strcmp(answer->rows[a].name, answer->rows[b].name) == 0)
                is_shared[a] = is_shared[b] = 1;
    for (size_t k = 0; k < answer->n; k++) n += (size_t)is_shared[k];
    return n;
}

/* Benchmarks that are called the same are called with the folder above them, all of them, or with
   more folders; what that does not tell apart (two endings, say) is called by its path. */
static assay_status tell_apart(struct atlas_answer *answer)
{
    enum { MOST_FOLDERS = 3 };
    char *is_shared = calloc(answer->n + 1, 1);
    assay_status status = is_shared ? ASSAY_OK : cli_no_memory();

    for (size_t folders = 1; status == ASSAY_OK && folders <= MOST_FOLDERS + 1; folders++) {
        if (mark_shared(answer, is_shared) == 0) break;
        for (size_t k = 0; k < answer->n; k++) {
            struct atlas_row *row = &answer->rows[k];
            size_t size = strlen(row->path) + sizeof "standard input";
            char *name;

            if (!is_shared[k]) continue;
            if (!(name = malloc(size))) {
                status = cli_no_memory();
                break;
            }
            if (folders <= MOST_FOLDERS)
                assay_benchmark_name(row->path, folders, name, size);
            else
                snprintf(name, size, "%s", row->path);
            free(row->name);
            row->name = name;
        }
    }
    free(is_shared);
    return status;
}

/* What a row is ordered by; the larger comes first, NaN last. */
static double key_of(const struct atlas_row *row, int sort)
{
    switch (sort) {
    case ATLAS_BY_ED: return atlas_value(row, ASSAY_SIGNALS_ED_TASK);
    case ATLAS_BY_ED_OVER_NULL: return atlas_value(row, ASSAY_SIGNALS_ED_OVER_NULL);
    case ATLAS_BY_MODELS: return (double)row->models;
    case ATLAS_BY_ITEMS: return (double)row->items;
    default: return 0.0; /* the name decides */
    }
}

static int comes_after(const struct atlas_row *a, const struct atlas_row *b, int sort)
{
    double x = key_of(a, sort), y = key_of(b, sort);

    if (atlas_is_small(a) != atlas_is_small(b)) return atlas_is_small(a);
    if (isnan(x) != isnan(y)) return isnan(x);
    if (x < y || x > y) return x < y;
    return strcmp(a->name, b->name) > 0;
}

static void sort_rows(struct atlas_answer *answer)
{
    for (size_t k = 1; k < answer->n; k++) {
        struct atlas_row row = answer->rows[k];
        size_t to = k;

        for (; to > 0 && comes_after(&answer->rows[to - 1], &row, answer->sort); to--)
            answer->rows[to] = answer->rows[to - 1];
        answer->rows[to] = row;
    }
}

static void note_same_content(const struct atlas_answer *answer)
{
    for (size_t b = 0; b < answer->n; b++) {
        for (size_t a = 0; a < b; a++) {
            const struct atlas_row *one = &answer->rows[a], *other = &answer->rows[b];
            char safe[2][512];

            if (one->n_inputs != 1 || other->n_inputs != 1 ||
                strcmp(one->inputs->sha256, other->inputs->sha256) != 0)
                continue;
            fprintf(stderr, "assay: %s: the same content as %s; both have a row\n",
                    assay_printable(safe[0], sizeof *safe, other->path, strlen(other->path)),
                    assay_printable(safe[1], sizeof *safe, one->path, strlen(one->path)));
            break;
        }
    }
}

/* ---- the answer ---- */

static int print_all(const struct signals_atlas *part, const struct signals_atlas_with *with,
                     const struct atlas_answer *answer)
{
    int exit_status = -1;

    if (with->plot) exit_status = cli_plot(with->plot, "atlas.svg", print_atlas_plot, answer);
    if (exit_status < 0 && part->csv)
        exit_status = cli_output_raw(part->csv, print_atlas_csv, answer);
    if (exit_status < 0)
        exit_status =
            cli_output(with->common->output,
                       with->analysis->json ? print_atlas_json : print_atlas_table, answer);
    return exit_status;
}

/* An atlas that lacks a benchmark that was given is no whole answer. */
static int finish(const struct cli_common *common, const struct atlas_answer *answer)
{
    int exit_status = cli_finish(common, NULL);

    if (exit_status != EXIT_DONE) return exit_status;
    if (answer->refused.n > 0) return EXIT_NO_ANSWER;
    if (answer->n == 0) return cli_failed(cli_fail(ASSAY_E_READ, "there is no benchmark to list"));
    for (size_t k = 0; common->strict && k < answer->n; k++)
        if (answer->rows[k].is_damaged) return EXIT_DAMAGED;
    return EXIT_DONE;
}

static void free_failures(struct atlas_failures *failures)
{
    for (size_t k = 0; k < failures->n; k++) {
        free(failures->each[k].path);
        free(failures->each[k].reason);
    }
    free(failures->each);
}

static void free_answer(struct atlas_answer *answer)
{
    for (size_t k = 0; k < answer->n; k++) atlas_row_free(&answer->rows[k]);
    free(answer->rows);
    free_failures(&answer->refused);
    free_failures(&answer->left_out);
}
