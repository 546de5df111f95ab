/* SPDX-License-Identifier: Apache-2.0 */
#include "signals_atlas.h"

#include "cli.h"
#include "output.h"
#include "print_atlas.h"

#include <assay/benchmarks.h>
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

static assay_status find_places(int n_paths, char **paths, struct places *places);
static void free_places(struct places *places);
static assay_status check_outputs(const struct signals_atlas *part,
                                  const struct signals_atlas_with *with,
                                  const struct places *places);
static assay_status fit_all(const struct signals_atlas_with *with, const struct places *places,
                            struct atlas_answer *answer);
static int print_all(const struct signals_atlas *part, const struct signals_atlas_with *with,
                     const struct atlas_answer *answer);
static int finish(const struct cli_common *common, const struct atlas_answer *answer);
static void free_answer(struct atlas_answer *answer);

void signals_atlas_options(struct signals_atlas *part, struct cli_option options[SIGNALS_N_ATLAS])
{
    *part = (struct signals_atlas){ 0 };
    const struct cli_option all[SIGNALS_N_ATLAS] = {
        { "atlas", 0, CLI_FLAG, &part->is_asked, NULL,
          "a row each MATRIX, or each file and sub-folder of a folder; 100 shuffles" },
        { "sort", 0, CLI_CHOICE, &part->sort, ATLAS_SORTS,
          "by what the rows are ordered, the highest first" },
        { "csv", 0, CLI_OUTPUT, &part->csv, "FILE.csv", "the rows, not rounded" },
    };
    memcpy(options, all, sizeof all);
}

assay_status signals_atlas_check(const struct signals_atlas *part,
                                 const struct signals_atlas_with *with)
{
    if (!part->is_asked) {
        if (cli_was_said(&part->csv) || cli_was_said(&part->sort))
            return cli_fail(ASSAY_E_VALUE, "--%s is for --atlas", part->csv ? "csv" : "sort");
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
    struct places places = { NULL, 0 };
    assay_status status = find_places(n_paths, paths, &places);
    int exit_status = -1;

    if (status == ASSAY_OK) status = check_outputs(part, with, &places);
    if (status == ASSAY_OK) status = fit_all(with, &places, &answer);
    if (status == ASSAY_OK) status = atlas_tell_apart(&answer);
    if (status != ASSAY_OK) exit_status = cli_failed(status);
    if (exit_status < 0) {
        atlas_sort(&answer);
        if (!with->common->quiet) atlas_note_same_content(&answer);
        exit_status = print_all(part, with, &answer);
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
static assay_status find_places(int n_paths, char **paths, struct places *places)
{
    assay_status status = ASSAY_OK;
    size_t kept = 0;

    for (int i = 0; i < n_paths && status == ASSAY_OK; i++) {
        assay_benchmarks *list;

        status = assay_benchmarks_list(paths[i], &list);
        if (status != ASSAY_OK) { /* reading it says why, when its turn comes */
            status = is_fatal(status) ? status : add_place(places, paths[i], 0);
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

static assay_status check_outputs(const struct signals_atlas *part,
                                  const struct signals_atlas_with *with,
                                  const struct places *places)
{
    const char *const outputs[] = { with->common->output, part->csv, with->plot };

    for (size_t k = 0; k < places->n; k++)
        for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
            if (outputs[i] && cli_output_is_input(outputs[i], places->each[k].path))
                return cli_fail(ASSAY_E_VALUE, "%s is an input, and would be overwritten",
                                places->each[k].path);
    return ASSAY_OK;
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

/* The options are for all of them, and a column to drop need not be in each. */
static assay_status fit_all(const struct signals_atlas_with *with, const struct places *places,
                            struct atlas_answer *answer)
{
    assay_signals_options signals = *with->signals;
    assay_read_options read = with->reading->read;
    const struct atlas_request request = { with->common, &read, &signals, with->replicate->choice };
    uint64_t met = 0;
    assay_status status;

    signals.most_permutations = MOST_PERMUTATIONS;
    read.format = (assay_format)with->reading->format;
    read.rows = (assay_rows)with->reading->rows;
    read.join = (assay_join)with->reading->join;
    read.progress = cli_progress(with->common->quiet);
    read.drop_met = &met;
    status = fit_places(&request, places, answer);
    if (status == ASSAY_OK && answer->n) status = assay_read_drop_check(read.drop, met);
    return status;
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
