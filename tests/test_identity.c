/* SPDX-License-Identifier: Apache-2.0 */
/* Which items of several inputs are one: by what they ask, by their ids, in whatever order the inputs
   come. */
#include "failing_memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/error.h"
#include "core/random.h"
#include "data/identity.h"
#include "logs/cell.h"
#include "reading.h"

/* ---- what a table holds, by what its items ask ---- */

static size_t item_of_text(const assay_results *results, const char *text)
{
    for (size_t i = 0; i < assay_results_n_items(results); i++) {
        const char *known = assay_results_item_text(results, i);

        if (known && strcmp(known, text) == 0) return i;
    }
    fail_msg("no item asks \"%s\"", text);
    return 0;
}

static size_t n_scored(const assay_results *results, const char *model)
{
    size_t m = find(assay_results_n_models(results), assay_results_model, results, model), n = 0;

    for (size_t r = 0; r < assay_results_n_records(results); r++)
        for (size_t i = 0; i < assay_results_n_items(results); i++) {
            double score;

            if (assay_results_record(results, r).model == m &&
                assay_results_cell(results, r, i, &score) == ASSAY_SCORED)
                n++;
        }
    return n;
}

static assay_results *read_all(const char *const *paths, const size_t *order, size_t n, int force,
                               assay_status expected)
{
    assay_results *results = NULL;
    assay_status status = assay_results_new(force, &results);

    for (size_t k = 0; k < n && status == ASSAY_OK; k++)
        status = assay_read(results, paths[order[k]], NULL);
    if (status != expected) fail_msg("%d: %s", (int)status, assay_last_error());
    return results;
}

static const size_t in_order[] = { 0, 1, 2, 3, 4 };

/* The next permutation in the order of the dictionary; 0 after the last. */
static int next_order(size_t *order, size_t n)
{
    size_t i = n - 1, j = n - 1;

    while (i > 0 && order[i - 1] >= order[i]) i--;
    if (i == 0) return 0;
    while (order[j] <= order[i - 1]) j--;
    for (size_t swap = order[i - 1], done = 0; !done; done = 1) {
        order[i - 1] = order[j];
        order[j] = swap;
    }
    for (size_t a = i, b = n - 1; a < b; a++, b--) {
        size_t swap = order[a];

        order[a] = order[b];
        order[b] = swap;
    }
    return 1;
}

/* Read the files in every order; n items and so many scores in all must come of each. */
static void assert_every_order(const char *const *paths, size_t n, int force, size_t n_items,
                               uint64_t used)
{
    size_t order[5] = { 0, 1, 2, 3, 4 };

    do {
        assay_results *results = read_all(paths, order, n, force, ASSAY_OK);

        if (assay_results_n_items(results) != n_items ||
            assay_results_coverage(results).used != used)
            fail_msg("order %zu%zu%zu...: %zu items, %d used, expected %zu and %d", order[0],
                     order[1], order[2], assay_results_n_items(results),
                     (int)assay_results_coverage(results).used, n_items, (int)used);
        assay_results_free(results);
    } while (next_order(order, n));
}

/* ---- by content ---- */

static void equal_texts_are_one_item_whatever_their_ids(void **state)
{
    const char *const paths[] = {
        write_text("a.csv", "model,id,prompt,score\nx,1,Say  hi,1\nx,2,Caf\xc3\xa9?,0\n"),
        /* spaces, a line's end, and e with a combining accent */
        write_text("b.csv",
                   "model,id,prompt,score\ny,q7,\"Cafe\xcc\x81?\n\",1\ny,q9, Say\thi ,0\n"),
        write_text("c.csv", "model,id,prompt,score\nz,1,Say hi,1\nz,3,say hi,1\n"),
    };
    assay_results *results = read_all(paths, in_order, 3, 0, ASSAY_OK);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 3); /* the case counts */
    assert_true(score_of(results, "y", "", "", "1") == 0.0);
    assert_true(score_of(results, "y", "", "", "2") == 1.0);
    assert_true(score_of(results, "z", "", "", "1") == 1.0);
    assert_true(
        has_note(results, "b.csv: 2 items have other ids here than before, joined by content"));
    assert_false(has_note(results, "c.csv: 1 item"));
    assay_results_free(results);
    assert_every_order(paths, 3, 0, 3, 6);
}

static void t47_t48_t49_duplicates_of_one_file_stay_items_of_their_own(void **state)
{
    const char *const paths[] = {
        write_text("a.csv", "model,id,prompt,score\nx,253,3^3=,1\nx,271,3^3=,0\nx,9,other,1\n"),
        write_text("b.csv", "model,id,prompt,score\ny,271,3^3=,1\ny,253,3^3=,1\ny,9,other,0\n"),
        write_text("c.csv", "model,id,prompt,score\nz,1,3^3=,1\nz,2,3^3=,0\nz,4,3^3=,0\n"),
    };
    assay_results *results = read_all(paths, in_order, 2, 0, ASSAY_OK);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 3);
    assert_true(score_of(results, "x", "", "", "271") == 0.0);
    assert_true(score_of(results, "y", "", "", "271") == 1.0);
    assert_false(has_note(results, "joined by content"));
    assay_results_free(results);
    assert_every_order(paths, 3, 0, 4, 9); /* c asks it three times */
}

/* A benchmark in two files for each model, of which both ask one thing. */
static void duplicates_of_two_files_of_one_model_are_not_one_item(void **state)
{
    const char *const paths[] = {
        write_text("a1.csv", "model,id,prompt,score\nx,5,3^3=,1\n"),
        write_text("a2.csv", "model,id,prompt,score\nx,900,3^3=,0\n"),
        write_text("b1.csv", "model,id,prompt,score\ny,5,3^3=,1\n"),
        write_text("b2.csv", "model,id,prompt,score\ny,900,3^3=,0\n"),
    };
    assay_results *results = read_all(paths, in_order, 4, 0, ASSAY_OK);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 2);
    assert_int_equal(n_scored(results, "x"), 2);
    assert_int_equal(n_scored(results, "y"), 2);
    assert_int_equal(assay_results_coverage(results).duplicate, 0);
    assay_results_free(results);
}

static void prompts_that_a_template_made_are_not_compared(void **state)
{
    const char *const paths[] = {
        write_text("a.csv", "model,id,template,prompt,score\nx,1,t,Q: hi,1\nx,1,u,hi?,0\n"),
        write_text("b.csv", "model,id,template,prompt,score\ny,1,t,Q: hi,1\ny,2,t,hi?,0\n"),
    };

    (void)state;
    assert_every_order(paths, 2, 0, 2, 4);
}

/* ---- by id ---- */

static void the_id_decides_where_one_side_says_no_content(void **state)
{
    const char *const paths[] = {
        write_text("a.csv", "model,id,prompt,score\nx,1,hi,1\nx,2,ho,0\n"),
        write_text("b.csv", "model,id,score\ny,1,1\ny,2,1\n"),
        write_text("c.jsonl", "{\"model\":\"z\",\"id\":2,\"score\":1}\n"),
        write_text("d.csv", "model,1,2\nw,0,1\n"),
    };

    (void)state;
    assert_every_order(paths, 4, 0, 2, 7);
}

/* c says that its 7 asks what a calls 1; b's 7 is then 1 too, also where it came before either. */
static void what_a_later_file_tells_of_an_id_holds_for_earlier_ones(void **state)
{
    const char *const paths[] = {
        write_text("a.csv", "model,id,prompt,score\nx,1,hi,1\nx,2,ho,0\n"),
        write_text("b.csv", "model,id,score\ny,7,1\ny,8,0\n"),
        write_text("c.csv", "model,id,prompt,score\nz,7,hi,1\nz,8,ho,1\n"),
        write_text("d.csv", "model,7\nw,0\n"),
    };
    const size_t order[] = { 1, 0, 2 };
    assay_results *results = read_all(paths, order, 3, 0, ASSAY_OK);

    (void)state;
    assert_true(has_note(results, "c.csv: 2 items without content in other inputs"));
    assert_true(score_of(results, "y", "", "", "1") == 1.0);
    assert_true(score_of(results, "z", "", "", "2") == 1.0);
    assert_int_equal(item_of_text(results, "hi"), 0);
    assay_results_free(results);
    assert_every_order(paths, 4, 0, 2, 7);
}

/* The same, but that one model answers both ids: then they are two, whoever asks the same. */
static void ids_that_one_file_tells_apart_stay_apart(void **state)
{
    const char *const paths[] = {
        write_text("a.csv", "model,id,prompt,score\nx,1,hi,1\n"),
        write_text("b.csv", "model,id,score\ny,1,1\ny,7,0\n"),
        write_text("c.csv", "model,id,prompt,score\nz,7,hi,1\n"),
    };
    assay_results *results = read_all(paths, in_order, 3, 0, ASSAY_OK);

    (void)state;
    assert_int_equal(assay_results_n_items(results), 2);
    assert_int_equal(n_scored(results, "y"), 2);
    assay_results_free(results);
}

static void numbers_and_texts_are_one_id(void **state)
{
    const char *const paths[] = {
        write_text("a.jsonl", "{\"model\":\"x\",\"id\":1,\"score\":1}\n{\"model\":\"x\",\"id\":2,"
                              "\"score\":0}\n"),
        write_text("b.jsonl", "{\"model\":\"y\",\"id\":\"1\",\"score\":1}\n{\"model\":\"y\",\"id\":"
                              "\"2\",\"score\":1}\n"),
    };
    assay_results *results = read_all(paths, in_order, 2, 0, ASSAY_OK);

    (void)state;
    assert_true(has_note(results, "b.jsonl: 2 ids are a number in one input and a text in another; "
                                  "taken for the same"));
    assay_results_free(results);
    assert_every_order(paths, 2, 0, 2, 4);
}

/* ---- ids that are reused, or wrong ---- */

static void t18_one_id_with_two_contents_is_a_conflict(void **state)
{
    const char *const paths[] = {
        write_text("a.csv", "model,id,prompt,score\nx,0,zero,1\nx,1,one,0\nx,2,two,1\n"),
        write_text("b.csv", "model,id,prompt,score\ny,0,two,1\ny,1,three,0\n"),
    };
    const size_t reversed[] = { 1, 0 };
    assay_results *results = read_all(paths, in_order, 2, 0, ASSAY_E_CONFLICT);

    (void)state;
    assert_string_equal(
        assay_last_error(),
        "b.csv:2: item \"0\" asks something else than in a.csv; --force joins items "
        "by what they ask, --join id by their ids");
    assay_results_free(results);
    results = read_all(paths, reversed, 2, 0, ASSAY_E_CONFLICT);
    assert_memory_equal(assay_last_error(), "a.csv:2: item \"0\" asks something else than in b.csv",
                        51);
    assay_results_free(results);
}

static void t18_with_force_the_content_decides(void **state)
{
    const char *const paths[] = {
        write_text("a.csv", "model,id,prompt,score\nx,0,zero,1\nx,1,one,0\nx,2,two,1\n"),
        write_text("b.csv", "model,id,prompt,score\ny,0,two,1\ny,1,three,0\n"),
        write_text("c.csv", "model,id,prompt,score\nz,1,three,1\nz,0,zero,0\n"),
    };
    assay_results *results = read_all(paths, in_order, 3, 1, ASSAY_OK);
    size_t three = item_of_text(results, "three");

    (void)state;
    assert_int_equal(assay_results_n_items(results), 4);
    assert_true(score_of(results, "y", "", "", "2") == 1.0);
    assert_memory_equal(assay_results_item(results, three), "1~", 2);
    assert_int_equal(strlen(assay_results_item(results, three)), 10);
    assert_true(score_of(results, "y", "", "", assay_results_item(results, three)) == 0.0);
    assert_true(score_of(results, "z", "", "", assay_results_item(results, three)) == 1.0);
    assert_true(has_note(results, "b.csv: 2 ids stand for another content than in earlier inputs; "
                                  "joined by content (--force)"));
    assay_results_free(results);
    assert_every_order(paths, 3, 1, 4, 7);
}

static void an_alias_may_not_change_its_content_either(void **state)
{
    const char *const paths[] = {
        write_text("a.csv", "model,id,prompt,score\nx,1,hi,1\n"),
        write_text("b.csv", "model,id,prompt,score\ny,7,hi,1\n"),
        write_text("c.csv", "model,id,prompt,score\nz,7,ho,1\n"),
    };
    size_t order[] = { 0, 1, 2 };

    (void)state;
    do {
        assay_results_free(read_all(paths, order, 3, 0, ASSAY_E_CONFLICT));
    } while (next_order(order, 3));
    assert_every_order(paths, 3, 1, 2, 3);
}

static void join_id_trusts_the_ids(void **state)
{
    assay_read_options options = defaults();
    assay_results *results;

    (void)state;
    options.join = ASSAY_JOIN_ID;
    results =
        read_ok(write_text("a.csv", "model,id,prompt,score\nx,1,<s>hi,1\nx,2,ho,1\n"), &options);
    write_text("b.csv", "model,id,prompt,score\ny,1,[INST]hi,1\ny,3,ho,0\n");
    assert_int_equal(assay_read(results, "b.csv", &options), ASSAY_OK);
    assert_int_equal(assay_results_n_items(results), 3);
    assay_results_free(results);
    options.join = (assay_join)2;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(assay_read(results, "a.csv", &options), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "read: join is 2, expected 0 or 1");
    assay_results_free(results);
}

/* ---- files ---- */

static void t19_the_order_of_rows_does_not_matter(void **state)
{
    enum { N = 64, RANKS = 8 };
    static char sorted[16384], strided[16384];
    size_t a = 0, b = 0;
    assay_results *first, *second;

    (void)state;
    a += (size_t)snprintf(sorted, sizeof sorted, "model,id,prompt,score\n");
    b += (size_t)snprintf(strided, sizeof strided, "model,id,prompt,score\n");
    for (size_t i = 0; i < N; i++) {
        size_t j = i % (N / RANKS) * RANKS + i / (N / RANKS); /* 0, 8, 16, ..., 1, 9, ... */

        a += (size_t)snprintf(sorted + a, sizeof sorted - a, "x,%zu,ask %zu,%d\n", i, i % 50,
                              i % 3 == 0);
        b += (size_t)snprintf(strided + b, sizeof strided - b, "y,%zu,ask %zu,%d\n", j, j % 50,
                              j % 3 == 0);
    }
    first = read_ok(write_text("a.csv", sorted), NULL);
    write_text("b.csv", strided);
    assert_int_equal(assay_read(first, "b.csv", NULL), ASSAY_OK);
    second = read_ok("b.csv", NULL);
    assert_int_equal(assay_results_n_items(first), N);
    for (size_t i = 0; i < N; i++) {
        const char *id = assay_results_item(first, i);

        assert_true(score_of(first, "x", "", "", id) == score_of(first, "y", "", "", id));
        assert_true(score_of(second, "y", "", "", id) == score_of(first, "x", "", "", id));
    }
    assay_results_free(first);
    assay_results_free(second);
}

static void t72_a_file_given_twice_counts_once(void **state)
{
    const char *const paths[] = {
        write_text("a.csv", "model,id,prompt,score\nx,1,hi,1\nx,2,hi,0\nx,3,ho,0\n"),
        write_text("b.csv", "model,id,prompt,score\ny,7,hi,1\ny,8,hi,0\ny,9,ho,0\n"),
        "a.csv",
        "b.csv",
    };

    (void)state;
    assert_every_order(paths, 4, 0, 3, 6);
}

static void t72_a_log_in_two_forms_counts_once(void **state)
{
    const char *const paths[] = {
        write_text("a.csv", "model,id,prompt,score\nx,1,hi,1\nx,2,hi,0\nx,3,ho,\n"),
        write_text("a.jsonl", "{\"id\":3,\"score\":null,\"prompt\":\"ho\",\"model\":\"x\"}\n"
                              "{\"id\":2,\"score\":0,\"prompt\":\"hi\",\"model\":\"x\"}\n"
                              "{\"id\":1,\"score\":1,\"prompt\":\"hi\",\"model\":\"x\"}\n"),
    };
    assay_results *results = read_all(paths, in_order, 2, 0, ASSAY_OK);

    (void)state;
    assert_int_equal(assay_results_coverage(results).duplicate, 3);
    assay_results_free(results);
    assert_every_order(paths, 2, 0, 3, 2);
}

/* ---- logs ---- */

static assay_name named(const char *text)
{
    return text ? (assay_name){ text, strlen(text) } : (assay_name){ NULL, 0 };
}

static size_t put(assay_results *results, int format, const char *model, const char *task,
                  const char *item, const char *content, const char *text, const char *template_id)
{
    const assay_read_options options = defaults();
    char mapping[ASSAY_TABLE_NOTE_SIZE] = "";
    assay_table table = {
        .results = results, .options = &options, .path = "log", .format = format, .mapping = mapping
    };
    const assay_log_cell cell = { .model = named(model),
                                  .task = named(task),
                                  .item = named(item),
                                  .content = named(content),
                                  .text = named(text),
                                  .template_id = named(template_id),
                                  .score = 1.0,
                                  .state = ASSAY_SCORED,
                                  .line = 3 };

    assay_identity_begin(results);
    if (assay_log_put(&table, &cell) != ASSAY_OK) return SIZE_MAX;
    assert_int_equal(assay_identity_end(results, "log"), ASSAY_OK);
    return assay_results_n_items(results);
}

static void digests_of_a_tool_join_within_a_task(void **state)
{
    const int a_tool = ASSAY_FORMAT_LM_EVAL, another = ASSAY_FORMAT_EVERY_EVAL_EVER;
    assay_results *results;

    (void)state;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(put(results, a_tool, "x", "t", "0", "h0", NULL, NULL), 1);
    assert_int_equal(put(results, a_tool, "y", "t", "5", "h0", NULL, NULL), 1);
    assert_int_equal(put(results, a_tool, "y", "u", "5", "h0", NULL, NULL), 2); /* another task */
    /* what two tools write cannot be compared: the id decides */
    assert_int_equal(put(results, another, "z", "t", "0", "e0", NULL, NULL), 2);
    assert_int_equal(put(results, another, "z", "t", "8", "e8", NULL, NULL), 3);
    /* nor a digest with a text */
    assert_int_equal(put(results, another, "w", "t", "8", NULL, "what?", NULL), 3);
    /* and a prompt that a template made says nothing */
    assert_int_equal(put(results, another, "v", "t", "8", NULL, "Q: what?", "a"), 3);
    assert_string_equal(assay_results_item(results, 0), "t/0");
    assay_results_free(results);
}

static void t18_a_wrong_doc_id_is_found_by_its_doc_hash(void **state)
{
    assay_results *results;

    (void)state;
    assert_int_equal(assay_results_new(0, &results), ASSAY_OK);
    assert_int_equal(put(results, ASSAY_FORMAT_LM_EVAL, "x", "t", "0", "h0", NULL, NULL), 1);
    assert_int_equal(put(results, ASSAY_FORMAT_LM_EVAL, "x", "t", "5", "h5", NULL, NULL), 2);
    assert_int_equal(put(results, ASSAY_FORMAT_LM_EVAL, "y", "t", "0", "h5", NULL, NULL), SIZE_MAX);
    assert_memory_equal(assay_last_error(), "log:3: item \"t/0\" asks something else than in", 45);
    assay_results_free(results);
    assert_int_equal(assay_results_new(1, &results), ASSAY_OK);
    assert_int_equal(put(results, ASSAY_FORMAT_LM_EVAL, "x", "t", "0", "h0", NULL, NULL), 1);
    assert_int_equal(put(results, ASSAY_FORMAT_LM_EVAL, "x", "t", "5", "h5", NULL, NULL), 2);
    assert_int_equal(put(results, ASSAY_FORMAT_LM_EVAL, "y", "t", "0", "h5", NULL, NULL), 2);
    assert_true(score_of(results, "y", "", "", "t/5") == 1.0);
    assay_results_free(results);
}

/* ---- against what it means ---- */

enum { N_FILES = 4, N_CONTENTS = 3, N_VARIANTS = 3, N_TRIALS = 150 };

/* A content has ids of several variants, of which a file uses at most one; a file says what its items
   ask, or not. */
typedef struct world {
    int says[N_FILES];
    int variant[N_FILES][N_CONTENTS]; /* -1: not asked */
} world;

static world draw_world(assay_random *random)
{
    world w;

    for (int f = 0; f < N_FILES; f++) {
        w.says[f] = (int)assay_random_below(random, 2);
        for (int c = 0; c < N_CONTENTS; c++)
            w.variant[f][c] = (int)assay_random_below(random, N_VARIANTS + 1) - 1;
    }
    return w;
}

/* Ids that some file tells the content of are one item a content; each other id is one of its own. */
static size_t count_items(const world *w)
{
    size_t n = 0;

    for (int c = 0; c < N_CONTENTS; c++) {
        int known[N_VARIANTS] = { 0 }, used[N_VARIANTS] = { 0 }, any = 0;

        for (int f = 0; f < N_FILES; f++) {
            if (w->variant[f][c] < 0) continue;
            used[w->variant[f][c]] = 1;
            known[w->variant[f][c]] |= w->says[f];
            any |= w->says[f];
        }
        n += (size_t)any;
        for (int v = 0; v < N_VARIANTS; v++) n += (size_t)(used[v] && !known[v]);
    }
    return n;
}

static uint64_t write_world(const world *w)
{
    static const char *const names[N_FILES] = { "a.csv", "b.csv", "c.csv", "d.csv" };
    uint64_t rows = 0;

    for (int f = 0; f < N_FILES; f++) {
        char text[400];
        size_t n = (size_t)sprintf(text, "model,id,%sscore\nm%d,filler,%s1\n",
                                   w->says[f] ? "prompt," : "", f, w->says[f] ? "nothing," : "");

        rows++;
        for (int c = 0; c < N_CONTENTS; c++) {
            if (w->variant[f][c] < 0) continue;
            n += (size_t)sprintf(text + n, "m%d,c%dv%d,", f, c, w->variant[f][c]);
            if (w->says[f]) n += (size_t)sprintf(text + n, "ask %d,", c);
            n += (size_t)sprintf(text + n, "%d\n", (f + c) % 2);
            rows++;
        }
        write_text(names[f], text);
    }
    return rows;
}

static void every_order_gives_the_items_there_are(void **state)
{
    static const char *const paths[N_FILES] = { "a.csv", "b.csv", "c.csv", "d.csv" };
    assay_random random;

    (void)state;
    assay_random_start(&random, 7, ASSAY_PURPOSE_FOLDS, 0);
    for (int t = 0; t < N_TRIALS; t++) {
        const world w = draw_world(&random);
        uint64_t rows = write_world(&w);

        assert_every_order(paths, N_FILES, 0, count_items(&w) + 1, rows);
        empty_folder(NULL);
    }
}

/* ---- cost and memory ---- */

/* All rows of both files ask the same: 40,000 of them took minutes if each tried all others. */
static void rows_that_all_ask_the_same_take_linear_time(void **state)
{
    enum { N = 40000 };
    char *text = malloc(40 * N);
    assay_results *results = NULL;

    (void)state;
    assert_non_null(text);
    for (int file = 0; file < 3; file++) {
        size_t length = (size_t)sprintf(text, "model,id,prompt,score\n");

        for (int i = 0; i < N; i++)
            length += (size_t)sprintf(text + length, "m%d,%c%d,same,1\n", file,
                                      file == 1 ? 'b' : 'a', file == 2 ? N - i : i);
        write_bytes(file == 0 ? "a.csv" : file == 1 ? "b.csv" : "c.csv", text, length);
    }
    free(text);
    results = read_ok("a.csv", NULL);
    assert_int_equal(assay_read(results, "b.csv", NULL), ASSAY_OK);
    assert_int_equal(assay_results_n_items(results), N);
    assert_int_equal(assay_read(results, "c.csv", NULL), ASSAY_OK);
    assert_int_equal(assay_results_n_items(results), N);
    assay_results_free(results);
}

static assay_status read_three(void *context)
{
    static const char *const paths[] = { "b.csv", "a.csv", "c.csv" };
    assay_results *results = NULL;
    assay_status status = assay_results_new(1, &results);

    (void)context;
    for (size_t k = 0; k < 3 && status == ASSAY_OK; k++)
        status = assay_read(results, paths[k], NULL);
    assay_results_free(results);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    write_text("a.csv", "model,id,prompt,score\nx,1,h\xc3\xa9,1\nx,2,ho,0.5\n");
    write_text("b.csv", "model,id,score\ny,7,1\ny,8,0.25\n");
    write_text("c.csv", "model,id,prompt,score\nz,7,h\xc3\xa9,1\nz,1,other,1\n");
    assert_true(fail_every_allocation(read_three, NULL) > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(equal_texts_are_one_item_whatever_their_ids, empty_folder),
        cmocka_unit_test_teardown(t47_t48_t49_duplicates_of_one_file_stay_items_of_their_own,
                                  empty_folder),
        cmocka_unit_test_teardown(duplicates_of_two_files_of_one_model_are_not_one_item,
                                  empty_folder),
        cmocka_unit_test_teardown(prompts_that_a_template_made_are_not_compared, empty_folder),
        cmocka_unit_test_teardown(the_id_decides_where_one_side_says_no_content, empty_folder),
        cmocka_unit_test_teardown(what_a_later_file_tells_of_an_id_holds_for_earlier_ones,
                                  empty_folder),
        cmocka_unit_test_teardown(ids_that_one_file_tells_apart_stay_apart, empty_folder),
        cmocka_unit_test_teardown(numbers_and_texts_are_one_id, empty_folder),
        cmocka_unit_test_teardown(t18_one_id_with_two_contents_is_a_conflict, empty_folder),
        cmocka_unit_test_teardown(t18_with_force_the_content_decides, empty_folder),
        cmocka_unit_test_teardown(an_alias_may_not_change_its_content_either, empty_folder),
        cmocka_unit_test_teardown(join_id_trusts_the_ids, empty_folder),
        cmocka_unit_test_teardown(t19_the_order_of_rows_does_not_matter, empty_folder),
        cmocka_unit_test_teardown(t72_a_file_given_twice_counts_once, empty_folder),
        cmocka_unit_test_teardown(t72_a_log_in_two_forms_counts_once, empty_folder),
        cmocka_unit_test_teardown(every_order_gives_the_items_there_are, empty_folder),
        cmocka_unit_test(digests_of_a_tool_join_within_a_task),
        cmocka_unit_test(t18_a_wrong_doc_id_is_found_by_its_doc_hash),
        cmocka_unit_test_teardown(rows_that_all_ask_the_same_take_linear_time, empty_folder),
        cmocka_unit_test_teardown(every_allocation_may_fail, empty_folder),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
