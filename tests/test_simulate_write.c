/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a simulated benchmark, read again by hand. */
#include "assay/simulate.h"

#include "core/number.h"
#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 64, LINE_SIZE = 4096 };

static const char *const FILES[] = { "results.csv", "results.jsonl", "matrix.csv", "prompts.jsonl",
                                     "truth.json" };
enum { N_FILES = sizeof FILES / sizeof FILES[0] };

/* Two models, three items, two templates, two runs, and holes among them. */
static assay_simulate_options small_grid(void)
{
    assay_simulate_options opt;

    assay_simulate_options_init(&opt, sizeof opt);
    opt.seed = 18446744073709551615u;
    opt.n_models = 2;
    opt.n_items = 3;
    opt.n_clusters = 2;
    opt.n_templates = 2;
    opt.n_runs = 2;
    opt.missing_rate = 0.4;
    return opt;
}

static void make_place(char place[PATH_SIZE])
{
    strcpy(place, "simulate-XXXXXX");
    assert_non_null(mkdtemp(place));
}

static const char *path_in(const char *folder, const char *name, char path[PATH_SIZE])
{
    assert_true(snprintf(path, PATH_SIZE, "%s/%s", folder, name) < PATH_SIZE);
    return path;
}

static void remove_place(const char *place)
{
    char path[PATH_SIZE];

    for (size_t k = 0; k < N_FILES; k++) unlink(path_in(place, FILES[k], path));
    assert_int_equal(rmdir(place), 0); /* so no other file was left behind */
}

static assay_simulation *write_to(const assay_simulate_options *opt, const char *folder)
{
    assay_simulation *sim = NULL;

    assert_int_equal(assay_simulate(opt, &sim), ASSAY_OK);
    assert_int_equal(assay_simulation_write(sim, folder), ASSAY_OK);
    return sim;
}

static FILE *open_in(const char *folder, const char *name)
{
    char path[PATH_SIZE];
    FILE *from = fopen(path_in(folder, name, path), "rb");

    assert_non_null(from);
    return from;
}

static char *whole_file(const char *folder, const char *name)
{
    FILE *from = open_in(folder, name);
    size_t capacity = 1 << 20;
    char *bytes = calloc(capacity, 1);

    assert_non_null(bytes);
    assert_in_range(fread(bytes, 1, capacity - 1, from), 1, capacity - 2);
    fclose(from);
    return bytes;
}

static void expect_line(FILE *from, const char *want)
{
    char line[LINE_SIZE];

    assert_non_null(fgets(line, sizeof line, from));
    assert_string_equal(line, want);
}

static void expect_end(FILE *from)
{
    assert_int_equal(fgetc(from), EOF);
    fclose(from);
}

static const char *score_text(int outcome, const char *missing)
{
    return outcome == ASSAY_OUTCOME_MISSING ? missing : outcome ? "1" : "0";
}

static void test_long_files_hold_every_observation_in_order(void **state)
{
    assay_simulate_options opt = small_grid();
    char place[PATH_SIZE], want[LINE_SIZE];
    size_t n_missing = 0;

    (void)state;
    make_place(place);
    assay_simulation *sim = write_to(&opt, place);
    FILE *csv = open_in(place, "results.csv"), *jsonl = open_in(place, "results.jsonl");
    expect_line(csv, "model,item,template,run,score\n");
    for (size_t k = 0; k < 2 * 3 * 2 * 2; k++) {
        size_t m = k / 12, i = k / 4 % 3, t = k / 2 % 2, run = k % 2;
        int outcome = assay_simulation_outcome(sim, m, i, t, run);
        n_missing += outcome == ASSAY_OUTCOME_MISSING;
        snprintf(want, sizeof want, "model-%02zu,q%04zu,template-%zu,%zu,%s\n", m + 1, i + 1, t + 1,
                 run + 1, score_text(outcome, ""));
        expect_line(csv, want);
        snprintf(want, sizeof want,
                 "{\"model\":\"model-%02zu\",\"item\":\"q%04zu\",\"template\":\"template-%zu\","
                 "\"run\":%zu,\"score\":%s}\n",
                 m + 1, i + 1, t + 1, run + 1, score_text(outcome, "null"));
        expect_line(jsonl, want);
    }
    expect_end(csv);
    expect_end(jsonl);
    assert_in_range(n_missing, 1, 23); /* so that both kinds were seen */
    assay_simulation_free(sim);
    remove_place(place);
}

static void test_one_template_and_run_have_no_columns(void **state)
{
    assay_simulate_options opt = small_grid();
    char place[PATH_SIZE], want[LINE_SIZE];

    (void)state;
    opt.n_templates = opt.n_runs = 1;
    make_place(place);
    assay_simulation *sim = write_to(&opt, place);
    FILE *csv = open_in(place, "results.csv");
    expect_line(csv, "model,item,score\n");
    snprintf(want, sizeof want, "model-01,q0001,%s\n",
             score_text(assay_simulation_outcome(sim, 0, 0, 0, 0), ""));
    expect_line(csv, want);
    fclose(csv);
    assay_simulation_free(sim);
    remove_place(place);
}

static void append_mean(char *line, const assay_simulation *sim, size_t m, size_t i)
{
    double sum = 0.0, n = 0.0;
    char number[ASSAY_NUMBER_SIZE];

    for (size_t k = 0; k < 4; k++) {
        int outcome = assay_simulation_outcome(sim, m, i, k / 2, k % 2);
        if (outcome == ASSAY_OUTCOME_MISSING) continue;
        sum += outcome;
        n += 1.0;
    }
    strcat(line, ",");
    if (n == 0.0) return;
    assay_number_format(sum / n, number);
    strcat(line, number);
}

static void test_matrix_holds_means_of_what_was_observed(void **state)
{
    assay_simulate_options opt = small_grid();
    char place[PATH_SIZE], want[LINE_SIZE];

    (void)state;
    make_place(place);
    assay_simulation *sim = write_to(&opt, place);
    FILE *csv = open_in(place, "matrix.csv");
    expect_line(csv, "model,q0001,q0002,q0003\n");
    for (size_t m = 0; m < 2; m++) {
        snprintf(want, sizeof want, "model-%02zu", m + 1);
        for (size_t i = 0; i < 3; i++) append_mean(want, sim, m, i);
        strcat(want, "\n");
        expect_line(csv, want);
    }
    expect_end(csv);
    assay_simulation_free(sim);
    remove_place(place);
}

static void test_prompts_carry_text_and_cluster(void **state)
{
    assay_simulate_options opt = small_grid();
    char place[PATH_SIZE], want[LINE_SIZE];

    (void)state;
    make_place(place);
    assay_simulation *sim = write_to(&opt, place);
    FILE *jsonl = open_in(place, "prompts.jsonl");
    for (size_t i = 0; i < 3; i++) {
        snprintf(want, sizeof want,
                 "{\"id\":\"q%04zu\",\"prompt\":\"%s\",\"cluster\":\"t%02zu\"}\n", i + 1,
                 assay_simulation_item_text(sim, i), assay_simulation_item_cluster(sim, i) + 1);
        expect_line(jsonl, want);
    }
    expect_end(jsonl);
    assay_simulation_free(sim);
    remove_place(place);
}

static void expect_number(const char *text, const char *key, double value)
{
    char number[ASSAY_NUMBER_SIZE], want[96];

    assay_number_format(value, number);
    snprintf(want, sizeof want, "\"%s\": %s", key, number);
    assert_non_null(strstr(text, want));
}

static void test_truth_states_options_and_truth(void **state)
{
    assay_simulate_options opt = small_grid();
    char place[PATH_SIZE];

    (void)state;
    make_place(place);
    assay_simulation *sim = write_to(&opt, place);
    char *truth = whole_file(place, "truth.json");
    assert_non_null(strstr(truth, "\"schema\": \"assay.simulation/1\",\n"));
    assert_non_null(strstr(truth, "\"seed\": 18446744073709551615,\n"));
    assert_non_null(strstr(truth, "\"members\": \"share-words\",\n"));
    assert_non_null(strstr(truth, "\"templates\": 2,\n"));
    expect_number(truth, "missing_rate", 0.4);
    expect_number(truth, "ed_task", assay_simulation_dimension(sim));
    for (size_t m = 0; m < 2; m++) {
        expect_number(truth, "score", assay_simulation_score(sim, m));
        expect_number(truth, "score_of_clusters", assay_simulation_score_of_clusters(sim, m));
    }
    for (size_t t = 0; t < 2; t++)
        expect_number(truth, "effect", assay_simulation_template_effect(sim, t));
    free(truth);
    assay_simulation_free(sim);
    remove_place(place);
}

static void check_same_bytes(const assay_simulate_options *a, const assay_simulate_options *b,
                             int same)
{
    char one[PATH_SIZE], two[PATH_SIZE];

    make_place(one);
    make_place(two);
    assay_simulation_free(write_to(a, one));
    assay_simulation_free(write_to(b, two));
    for (size_t k = 0; k < N_FILES; k++) {
        char *x = whole_file(one, FILES[k]), *y = whole_file(two, FILES[k]);
        assert_int_equal(strcmp(x, y) == 0, same);
        free(x);
        free(y);
    }
    remove_place(one);
    remove_place(two);
}

static void test_a_seed_fixes_every_byte(void **state)
{
    assay_simulate_options a, b;

    (void)state;
    assay_simulate_options_init(&a, sizeof a);
    b = a;
    check_same_bytes(&a, &b, 1);
    b.seed++;
    check_same_bytes(&a, &b, 0);
}

static void test_folder_is_made_and_only_these_files_replaced(void **state)
{
    assay_simulate_options opt = small_grid();
    char place[PATH_SIZE], folder[PATH_SIZE], path[PATH_SIZE];

    (void)state;
    make_place(place);
    path_in(place, "new", folder);
    assay_simulation_free(write_to(&opt, folder));
    FILE *note = fopen(path_in(folder, "note.txt", path), "w");
    assert_non_null(note);
    fclose(note);
    opt.seed = 1;
    opt.n_items = 4;
    assay_simulation_free(write_to(&opt, folder));
    FILE *matrix = open_in(folder, "matrix.csv");
    expect_line(matrix, "model,q0001,q0002,q0003,q0004\n");
    fclose(matrix);
    assert_int_equal(unlink(path), 0); /* the note is still there */
    remove_place(folder);
    remove_place(place);
}

static void test_a_folder_that_cannot_be_is_an_error(void **state)
{
    assay_simulate_options opt = small_grid();
    char place[PATH_SIZE], path[PATH_SIZE], want[2 * PATH_SIZE];
    assay_simulation *sim = NULL;

    (void)state;
    make_place(place);
    assert_int_equal(assay_simulate(&opt, &sim), ASSAY_OK);
    path_in(place, "absent/new", path);
    assert_int_equal(assay_simulation_write(sim, path), ASSAY_E_WRITE);
    snprintf(want, sizeof want, "%s: the folder cannot be made: No such file or directory", path);
    assert_string_equal(assay_last_error(), want);

    FILE *file = fopen(path_in(place, "truth.json", path), "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(assay_simulation_write(sim, path), ASSAY_E_WRITE);
    snprintf(want, sizeof want, "%s: is not a folder", path);
    assert_string_equal(assay_last_error(), want);

    unlink(path);
    assert_int_equal(mkdir(path_in(place, "results.csv", path), 0777), 0);
    assert_int_equal(assay_simulation_write(sim, place), ASSAY_E_WRITE);
    assert_non_null(strstr(assay_last_error(), "results.csv: cannot be written"));
    assert_int_equal(rmdir(path), 0);
    assay_simulation_free(sim);
    remove_place(place);
}

typedef struct run {
    assay_simulate_options options;
    char place[PATH_SIZE];
} run;

static assay_status simulate_and_write(void *context)
{
    run *r = context;
    assay_simulation *sim = NULL;
    assay_status status = assay_simulate(&r->options, &sim);

    if (status == ASSAY_OK)
        status = assay_simulation_write(sim, r->place);
    else
        assert_null(sim);
    assay_simulation_free(sim);
    return status;
}

static void test_every_allocation_may_fail(void **state)
{
    run r = { .options = small_grid() };

    (void)state;
    make_place(r.place);
    for (int members = 0; members < 2; members++) {
        r.options.members = (assay_members)members;
        /* A path for each file and two more for its output, and over twenty arrays. */
        assert_in_range(fail_every_allocation(simulate_and_write, &r), 3 * N_FILES + 20, 80);
    }
    remove_place(r.place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_files_hold_every_observation_in_order),
        cmocka_unit_test(test_one_template_and_run_have_no_columns),
        cmocka_unit_test(test_matrix_holds_means_of_what_was_observed),
        cmocka_unit_test(test_prompts_carry_text_and_cluster),
        cmocka_unit_test(test_truth_states_options_and_truth),
        cmocka_unit_test(test_a_seed_fixes_every_byte),
        cmocka_unit_test(test_folder_is_made_and_only_these_files_replaced),
        cmocka_unit_test(test_a_folder_that_cannot_be_is_an_error),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
