/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/covariates.h"
#include "assay/features.h"
#include "failing_memory.h"
#include "reading.h"

#include <math.h>

static const char *const ids[] = { "b", "a", "c" };

static assay_status read_features(const char *text, const char *columns, const char *task,
                                  assay_features **out)
{
    assay_features_options options;
    assay_status status;

    assay_features_options_init(&options, sizeof options);
    options.columns = columns;
    options.task = task;
    status = assay_features_read(write_text("f.csv", text), ids, 3, "template", &options, out);
    empty_folder(NULL);
    return status;
}

static double *covariates(const assay_features *features, assay_features_rule rule, size_t most,
                          size_t *d)
{
    double *x;

    assert_int_equal(assay_features_covariates(features, rule, most, &x, d), ASSAY_OK);
    return x;
}

/* The inner products of centred rows: what a fit knows of covariates, whatever their rotation. */
static void gram(const double *x, size_t n, size_t d, double *out)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            out[i * n + j] = 0.0;
            for (size_t k = 0; k < d; k++) out[i * n + j] += x[i * d + k] * x[j * d + k];
        }
}

/* By hand: the levels of a, b, c centred: squared distances 2 a factor in which two differ, and the
   number's own. Rotation keeps distances; the tolerance is that of an eigenvector's rounding. */
static void text_becomes_levels(void **state)
{
    assay_features *features;
    double g[9], *x;
    size_t d;

    (void)state;
    assert_int_equal(
        read_features("template,sep,n\na,:,1\nother,?,9\nb,:,3\nc,-,1\n", NULL, NULL, &features),
        ASSAY_OK);
    assert_int_equal(assay_features_n(features), 2);
    assert_true(assay_features_is_text(features, 0) && !assay_features_is_text(features, 1));
    assert_string_equal(assay_features_name(features, 0), "sep");
    x = covariates(features, ASSAY_FEATURES_AUTO, 0, &d);
    gram(x, 3, d, g);
    assert_true(fabs(g[0] + g[4] - 2 * g[1] - 4.0) < 1e-12); /* b, a: the number, 2 apart */
    assert_true(fabs(g[4] + g[8] - 2 * g[5] - 2.0) < 1e-12); /* a, c: the factor */
    assert_true(fabs(g[0] + g[8] - 2 * g[2] - 6.0) < 1e-12);
    free(x);
    x = covariates(features, ASSAY_FEATURES_LEVELS, 0, &d);
    gram(x, 3, d, g);
    assert_true(fabs(g[0] + g[4] - 2 * g[1] - 2.0) < 1e-12);
    free(x);
    x = covariates(features, ASSAY_FEATURES_ROTATED, 1, &d);
    assert_int_equal(d, 1);
    free(x);
    assert_int_equal(assay_features_covariates(features, ASSAY_FEATURES_AS_IS, 0, &x, &d),
                     ASSAY_E_FORMAT);
    assert_int_equal(assay_features_covariates(features, (assay_features_rule)4, 0, &x, &d),
                     ASSAY_E_VALUE);
    assay_features_free(features);
}

/* Each way in which rows find their ids, by a column u that tells which row was taken. */
static void rows_find_their_ids(void **state)
{
    static const struct {
        const char *text, *columns, *task;
        double want[3];
    } cases[] = {
        { "u,id\n1,a\n2,b\n3,c\n", NULL, NULL, { 2, 1, 3 } },
        { "name,u\na,1\nb,2\nc,3\n", NULL, NULL, { 2, 1, 3 } }, /* its first column holds ids */
        { "u\n1\n2\n3\n", NULL, NULL, { 1, 2, 3 } },            /* a header, and no ids */
        { "name,u,v\na,1,0\nb,2,0\nc,3,0\n",
          "u",
          NULL,
          { 2, 1, 3 } }, /* also when some are chosen */
        { "1\n2\n3\n", NULL, NULL, { 1, 2, 3 } },
        { "task,template,v,u\nx,a,0,1\ny,a,0,9\nx,b,0,2\nx,c,0,3\n", "u", "x", { 2, 1, 3 } },
        { "\"u\"\ttemplate\n\"1\"\ta\n2\tb\n3\tc\n", NULL, NULL, { 2, 1, 3 } },
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assay_features *features;
        size_t d;
        double *x;

        assert_int_equal(read_features(cases[k].text, cases[k].columns, cases[k].task, &features),
                         ASSAY_OK);
        x = covariates(features, ASSAY_FEATURES_AUTO, 0, &d);
        assert_int_equal(d, 1);
        for (int i = 0; i < 3; i++) assert_true(x[i] == cases[k].want[i]);
        free(x);
        assay_features_free(features);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    static const struct {
        const char *text, *columns;
        assay_status want;
        const char *says;
    } cases[] = {
        { "id,u\nx,1\ny,2\nz,3\n", NULL, ASSAY_E_SHAPE, "none of its ids" },
        { "id,u\na,1\ny,2\nz,3\n", NULL, ASSAY_E_SHAPE, "no row for the template \"b\"" },
        { "id,u\na,1\nb,2\na,3\n", NULL, ASSAY_E_CONFLICT, "second row" },
        { "name,u\na,1\nb,2\nd,3\n", NULL, ASSAY_E_SHAPE, "\"c\"" },
        { "name,u\na,1\nb,2\na,3\n", NULL, ASSAY_E_CONFLICT, "second row" },
        { "u,v\n1,:\n2,:\n", NULL, ASSAY_E_SHAPE, "2 rows without ids" },
        { "id\na\nb\nc\n", NULL, ASSAY_E_FORMAT, "no column of features" },
        { "name\na\nb\nc\n", NULL, ASSAY_E_FORMAT, "no column of features" },
        { "id,u\na,1\nb,2\nc,3\n", "v", ASSAY_E_VALUE, "no column \"v\"" },
        { "1\n2\n3\n", "v", ASSAY_E_VALUE, "no header" },
        { "id,u\na,1,2\n", NULL, ASSAY_E_FORMAT, "expected 2" },
    };
    assay_features *features;
    size_t d;
    double *x;

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(read_features(cases[k].text, cases[k].columns, NULL, &features),
                         cases[k].want);
        assert_null(features);
        assert_non_null(strstr(assay_last_error(), cases[k].says));
    }
    assert_int_equal(read_features("id,u\na,1\nb,few\nc,3\n", NULL, NULL, &features), ASSAY_OK);
    assert_int_equal(assay_features_covariates(features, ASSAY_FEATURES_AUTO, 0, &x, &d),
                     ASSAY_E_FORMAT);
    assert_non_null(strstr(assay_last_error(), "f.csv:3: \"few\" is no number"));
    assert_int_equal(assay_features_covariates(features, ASSAY_FEATURES_LEVELS, 0, &x, &d),
                     ASSAY_OK);
    free(x);
    assay_features_free(features);
}

/* Ids that are numbers: a first column of numbers that repeat is a factor, in order; of others, ids. */
static void numbers_may_be_ids(void **state)
{
    static const char *const numbers[] = { "0", "1", "2" };
    static const char *const files[] = { "tone,u\n1,5\n0,6\n1,7\n", "name,u\n1,5\n0,6\n2,7\n" };
    static const double want[2][3] = { { 5, 6, 7 }, { 6, 5, 7 } };

    (void)state;
    for (int k = 0; k < 2; k++) {
        assay_features *features;
        size_t d;
        double *x;

        assert_int_equal(assay_features_read(write_text("f.csv", files[k]), numbers, 3, "template",
                                             NULL, &features),
                         ASSAY_OK);
        x = covariates(features, ASSAY_FEATURES_AS_IS, 0, &d);
        assert_int_equal(d, k ? 1 : 2);
        for (size_t i = 0; i < 3; i++) assert_true(x[i * d + d - 1] == want[k][i]);
        free(x);
        assay_features_free(features);
        empty_folder(NULL);
    }
}

/* Twelve texts for twelve rows are no factor. */
static void texts_are_no_factor(void **state)
{
    char text[200] = "u\n";
    const char *names[12];
    assay_features *features;
    size_t d;
    double *x;

    (void)state;
    for (int k = 0; k < 12; k++) {
        names[k] = "x";
        snprintf(text + strlen(text), sizeof text - strlen(text), "text %c\n", 'a' + k);
    }
    assert_int_equal(
        assay_features_read(write_text("f.csv", text), names, 12, "template", NULL, &features),
        ASSAY_OK);
    assert_int_equal(assay_features_covariates(features, ASSAY_FEATURES_AUTO, 0, &x, &d),
                     ASSAY_E_DEGENERATE);
    assert_non_null(strstr(assay_last_error(), "no factor"));
    assay_features_free(features);
}

/* An array of 3 x 2 with ids in another order. */
static const char *write_array(const char *beside)
{
    enum { HEADER = 128 };
    static const double values[6] = { 1, 10, 2, 20, 3, 30 };
    char bytes[HEADER + sizeof values];

    memset(bytes, ' ', sizeof bytes);
    memcpy(bytes, "\x93NUMPY\x01\x00\x76\x00", 10);
    memcpy(bytes + 10, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }", 59);
    bytes[HEADER - 1] = '\n';
    memcpy(bytes + HEADER, values, sizeof values);
    if (beside) write_text("v.ids.csv", beside);
    return write_bytes("v.npy", bytes, sizeof bytes);
}

static void arrays_have_ids_beside_them(void **state)
{
    assay_features *features;
    size_t d;
    double *x;

    (void)state;
    assert_int_equal(assay_features_read(write_array("id,too_long\nc,0\nb,0\na,0\n"), ids, 3,
                                         "template", NULL, &features),
                     ASSAY_OK);
    x = covariates(features, ASSAY_FEATURES_AS_IS, 0, &d);
    assert_true(d == 2 && x[0] == 2 && x[1] == 20 && x[2] == 3 && x[4] == 1);
    free(x);
    x = covariates(features, ASSAY_FEATURES_AUTO, 0, &d);
    assert_int_equal(d, 1); /* rotated: the second column is ten times the first */
    free(x);
    assay_features_free(features);
    empty_folder(NULL);
    assert_int_equal(
        assay_features_read(write_array("id\nc\nb\n"), ids, 3, "template", NULL, &features),
        ASSAY_E_SHAPE);
    empty_folder(NULL);
    assert_int_equal(
        assay_features_read(write_array("id\nx\ny\nz\n"), ids, 3, "template", NULL, &features),
        ASSAY_E_SHAPE);
    empty_folder(NULL);
    assert_int_equal(assay_features_read(write_array(NULL), ids, 2, "template", NULL, &features),
                     ASSAY_E_SHAPE);
}

static assay_status read_texts(const char *text, const char *task, assay_features **out)
{
    assay_features_options options;
    assay_status status;

    assay_features_options_init(&options, sizeof options);
    options.task = task;
    status = assay_features_read_texts(write_text("t", text), ids, 3, "template", &options, out);
    empty_folder(NULL);
    return status;
}

/* A CSV file, JSON strings in it, and JSON rows say the same; the counts are the library's. */
static void texts_are_counted(void **state)
{
    static const char *const texts[] = { "Q: {q}\nA:", "x (y)", "Say \"no\"?" }; /* b, a, c */
    static const char *const files[] = {
        "template,text\na,x (y)\nb,\"Q: {q}\nA:\"\nc,\"Say \"\"no\"\"?\"\n",
        "text,id\n\"\"\"x (y)\"\"\",a\n\"\"\"Q: {q}\\nA:\"\"\",b\n\"\"\"Say "
        "\\\"\"no\\\"\"?\"\"\",c\n",
        "{\"id\":\"a\",\"prompt\":\"x (y)\"}\n{\"id\":\"b\",\"prompt\":\"Q: {q}\\nA:\"}\n"
        "{\"id\":\"d\",\"prompt\":\"\",\"more\":[1]}\n{\"id\":\"c\",\"prompt\":\"Say "
        "\\\"no\\\"?\"}",
        "[{\"template\":\"a\",\"task\":\"u\",\"text\":\"no\"},{\"template\":\"a\",\"task\":\"t\","
        "\"text\":\"x (y)\"},{\"template\":\"b\",\"text\":\"Q: {q}\\nA:\"},"
        "{\"template\":\"c\",\"text\":\"Say \\\"no\\\"?\"}]",
    };
    double *want;
    size_t n_want;

    (void)state;
    assert_int_equal(assay_covariates_surface(texts, 3, &want, &n_want), ASSAY_OK);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        assay_features *features;
        size_t d;
        double *x;

        assert_int_equal(read_texts(files[k], "t", &features), ASSAY_OK);
        x = covariates(features, ASSAY_FEATURES_AS_IS, 0, &d);
        assert_int_equal(d, n_want);
        for (size_t c = 0; c < 3 * d; c++) assert_true(x[c] == want[c]);
        free(x);
        assay_features_free(features);
    }
    free(want);
}

static void what_is_no_text_is_refused(void **state)
{
    static const struct {
        const char *text;
        assay_status want;
    } cases[] = {
        { "template,u\na,x\n", ASSAY_E_FORMAT },
        { "u,text\na,x\n", ASSAY_E_FORMAT },
        { "id,text\na,x\nb,y\n", ASSAY_E_SHAPE },
        { "id,text\nx,x\ny,y\n", ASSAY_E_SHAPE },
        { "id,text\na,x\na,y\n", ASSAY_E_CONFLICT },
        { "id,text\na,\"\"\"x\"\"\"\nb,\"\"\"y\"\"\"\nc,\"\"\"z\"\"z\"\"\"\n", ASSAY_E_FORMAT },
        { "{\"id\":\"a\"}", ASSAY_E_FORMAT },
        { "{\"text\":\"a\"}", ASSAY_E_FORMAT },
        { "{\"id\":\"a\",\"text\":[1]}", ASSAY_E_FORMAT },
        { "[1]", ASSAY_E_FORMAT },
        { "{\"id\":\"a\",", ASSAY_E_FORMAT },
    };
    assay_features *features;

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(read_texts(cases[k].text, NULL, &features), cases[k].want);
        assert_null(features);
    }
    assert_int_equal(assay_features_read_texts("nowhere", ids, 3, "template", NULL, &features),
                     ASSAY_E_READ);
}

static assay_status read_and_rotate(void *context)
{
    assay_features *features;
    double *x = NULL;
    size_t d;
    assay_status status = assay_features_read(context, ids, 3, "template", NULL, &features);

    if (status == ASSAY_OK)
        status = assay_features_covariates(features, ASSAY_FEATURES_AUTO, 0, &x, &d);
    free(x);
    assay_features_free(features);
    return status;
}

static assay_status read_and_count(void *context)
{
    assay_features *features;
    assay_status status = assay_features_read_texts(context, ids, 3, "template", NULL, &features);

    assay_features_free(features);
    return status;
}

static void memory_may_run_out(void **state)
{
    const char *table = write_text("f.csv", "template,sep,n\na,:,1\nb,:,3\nc,-,1\n");
    const char *texts =
        write_text("t.csv", "id,text\na,\"\"\"x\"\"\"\nb,\"\"\"y\"\"\"\nc,\"\"\"z\"\"\"\n");
    const char *rows =
        write_text("t.jsonl", "{\"id\":\"a\",\"text\":\"x\"}{\"id\":\"b\",\"text\":\"\"}"
                              "{\"id\":\"c\",\"text\":\"z\"}");

    (void)state;
    assert_true(fail_every_allocation(read_and_rotate, (void *)table) > 20);
    assert_true(fail_every_allocation(read_and_rotate, (void *)write_array("id\na\nb\nc\n")) > 10);
    assert_true(fail_every_allocation(read_and_count, (void *)texts) > 15);
    assert_true(fail_every_allocation(read_and_count, (void *)rows) > 10);
}

/* ---- the paper's own covariates, where they are at hand ---- */

/* The published file of PE-discrete is made of sep, space and op: its rows have the same inner products,
   to the rounding of two eigenvector solvers. */
static void mmlu_factors_are_the_published_ones(void **state)
{
    const char *table = ASSAY_SHARED_FOLDER "/data/templates/mmlu_templates_100.csv";
    const char *published = ASSAY_SHARED_FOLDER "/data/templates/mmlu_templates_X_disc.csv";
    enum { N = 100 };
    static double mine[N * N], theirs[N * N];
    const char *names[N];
    char text[N][16];
    assay_features_options options;
    assay_features *features;
    size_t d, d_published;
    double *x;

    (void)state;
    if (access(table, R_OK) != 0) {
        print_message("skipped: there is no %s\n", table);
        skip();
    }
    for (int k = 0; k < N; k++) names[k] = NULL;
    assert_int_equal(assay_features_read(published, names, N, "template", NULL, &features),
                     ASSAY_OK);
    x = covariates(features, ASSAY_FEATURES_AUTO, 0, &d_published);
    gram(x, N, d_published, theirs);
    free(x);
    assay_features_free(features);
    {
        FILE *from = fopen(table, "r");
        char line[2000];
        int n = 0;

        assert_non_null(from);
        assert_non_null(fgets(line, sizeof line, from));
        while (n < N && fgets(line, sizeof line, from)) {
            snprintf(text[n], sizeof text[n], "%.*s", (int)strcspn(line, ","), line);
            names[n] = text[n];
            n++;
        }
        fclose(from);
        assert_int_equal(n, N);
    }
    assay_features_options_init(&options, sizeof options);
    options.columns = "sep,space,op";
    assert_int_equal(assay_features_read(table, names, N, "template", &options, &features),
                     ASSAY_OK);
    x = covariates(features, ASSAY_FEATURES_AUTO, 0, &d);
    assert_int_equal(d, d_published);
    gram(x, N, d, mine);
    for (int k = 0; k < N * N; k++) assert_true(fabs(mine[k] - theirs[k]) < 1e-10);
    free(x);
    assay_features_free(features);
}

/* The published counts of a task's templates, of which ours have one more: the characters. */
static void surface_counts_are_the_published_ones(void **state)
{
    const char *table = ASSAY_SHARED_FOLDER "/data/templates/slab_templates.csv.gz";
    static const size_t ours[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14 };
    enum { N = 50, N_COUNTS = sizeof ours / sizeof *ours };
    const char *names[N];
    char text[N][8];
    assay_features_options options;
    assay_features *published, *counted;
    double *x, *y;
    size_t d, d_published;

    (void)state;
    if (access(table, R_OK) != 0) {
        print_message("skipped: there is no %s\n", table);
        skip();
    }
    for (int k = 0; k < N; k++) {
        snprintf(text[k], sizeof text[k], "%d", k + 1);
        names[k] = text[k];
    }
    assay_features_options_init(&options, sizeof options);
    options.task = "causal_judgement";
    assert_int_equal(assay_features_read_texts(table, names, N, "template", &options, &counted),
                     ASSAY_OK);
    options.columns =
        "n_upper,n_lower,n_title,n_newline,n_colon,n_dash,n_pipe2,n_sep,n_colon2,n_lpar,"
        "n_rpar,n_quote,n_qmark,n_space";
    assert_int_equal(assay_features_read(table, names, N, "template", &options, &published),
                     ASSAY_OK);
    x = covariates(counted, ASSAY_FEATURES_AS_IS, 0, &d);
    y = covariates(published, ASSAY_FEATURES_AS_IS, 0, &d_published);
    assert_int_equal(d_published, N_COUNTS);
    for (size_t i = 0; i < N; i++)
        for (size_t c = 0; c < N_COUNTS; c++)
            assert_true(x[i * d + ours[c]] == y[i * N_COUNTS + c]);
    free(x);
    free(y);
    assay_features_free(counted);
    assay_features_free(published);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(text_becomes_levels, empty_folder),
        cmocka_unit_test_teardown(rows_find_their_ids, empty_folder),
        cmocka_unit_test_teardown(what_does_not_fit_is_refused, empty_folder),
        cmocka_unit_test_teardown(numbers_may_be_ids, empty_folder),
        cmocka_unit_test_teardown(texts_are_no_factor, empty_folder),
        cmocka_unit_test_teardown(arrays_have_ids_beside_them, empty_folder),
        cmocka_unit_test_teardown(texts_are_counted, empty_folder),
        cmocka_unit_test_teardown(what_is_no_text_is_refused, empty_folder),
        cmocka_unit_test_teardown(memory_may_run_out, empty_folder),
        cmocka_unit_test(mmlu_factors_are_the_published_ones),
        cmocka_unit_test(surface_counts_are_the_published_ones),
    };

    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
