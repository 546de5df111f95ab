/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/covariates.h"
#include "failing_memory.h"
#include "prompteval_golden.h"

#include <math.h>

static void assert_near(double got, double want, double tolerance)
{
    if (!(fabs(got - want) <= tolerance))
        fail_msg("%.17g is not %.17g +- %g", got, want, tolerance);
}

static void factors_by_hand(void **state)
{
    const size_t codes[] = { 7, 0, 3, 0, 7, 5 };
    const double want[] = { 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 1 };
    double *x;
    size_t d;

    (void)state;
    assert_int_equal(assay_covariates_one_hot(codes, 3, 2, &x, &d), ASSAY_OK);
    assert_int_equal(d, 4);
    for (size_t k = 0; k < 12; k++) assert_near(x[k], want[k], 0.0);
    free(x);
}

/* Along one line, with a constant column: one component is kept, the distance from the mean. */
static void a_line_has_one_component(void **state)
{
    const double x[] = { 1, 2, 9, 4, 6, 9, 7, 10, 9 };
    double *rotated, sign;
    size_t m;

    (void)state;
    assert_int_equal(assay_covariates_rotate(x, 3, 3, &rotated, &m), ASSAY_OK);
    assert_int_equal(m, 1);
    sign = rotated[2] > 0.0 ? 1.0 : -1.0;
    assert_near(sign * rotated[0], -5.0, 1e-14);
    assert_near(sign * rotated[1], 0.0, 1e-14);
    assert_near(sign * rotated[2], 5.0, 1e-14);
    free(rotated);
}

/* Components with 1, 1e-4 and 1e-6 of the variance: the last is let go. */
static void small_components_are_let_go(void **state)
{
    static const double sign[] = { 1, 1, 1, -1, 1, -1, 1, -1, -1, -1, -1, 1 };
    double x[12], *rotated;
    size_t m;

    (void)state;
    for (size_t k = 0; k < 12; k++) x[k] = sign[k] * (k % 3 == 0 ? 1.0 : k % 3 == 1 ? 1e-2 : 1e-3);
    assert_int_equal(assay_covariates_rotate(x, 4, 3, &rotated, &m), ASSAY_OK);
    assert_int_equal(m, 2);
    assert_near(fabs(rotated[0]), 1.0, 1e-14);
    assert_near(fabs(rotated[1]), 1e-2, 1e-14);
    free(rotated);
}

/* Components are without correlation, and have the distances between rows of what they come from. */
static void rotation_keeps_distances(void **state)
{
    double x[20 * 4], *r, cross = 0.0;
    size_t m;

    (void)state;
    for (size_t k = 0; k < 80; k++) x[k] = sin((double)(k * k));
    assert_int_equal(assay_covariates_rotate(x, 20, 4, &r, &m), ASSAY_OK);
    assert_int_equal(m, 4);
    for (size_t i = 1; i < 20; i++) {
        double before = 0.0, after = 0.0;

        for (size_t k = 0; k < 4; k++) {
            before += (x[4 * i + k] - x[k]) * (x[4 * i + k] - x[k]);
            after += (r[4 * i + k] - r[k]) * (r[4 * i + k] - r[k]);
        }
        assert_near(after, before, 1e-13);
    }
    for (size_t i = 0; i < 20; i++) cross += r[4 * i] * r[4 * i + 2];
    assert_near(cross, 0.0, 1e-13);
    free(r);
}

/* ---- surface counts ---- */

static void surface_by_hand(void **state)
{
    const char *const texts[] = { "QUESTION: what?\nAnswer: A || b",
                                  "plain Words 1: \"\303\234ber\"" };
    /* upper, lower, title; \n; : - || <sep> :: "" ( ) " ?; spaces; QUESTION: Answer: 1: */
    const double want[] = { 2, 2, 2, 1, 2, 0, 1, 0, 0, 31, 0, 0, 0, 1, 4, 1, 1, 0,
                            0, 1, 2, 0, 1, 0, 0, 0, 0, 22, 0, 0, 2, 0, 3, 0, 0, 1 };
    double *x;
    size_t d;

    (void)state;
    assert_int_equal(assay_covariates_surface(texts, 2, &x, &d), ASSAY_OK);
    assert_int_equal(d, ASSAY_SURFACE_COUNTS + 3);
    for (size_t k = 0; k < 2 * d; k++)
        if (fabs(x[k] - want[k]) > 0.0) fail_msg("count %zu is %g, not %g", k, x[k], want[k]);
    free(x);
}

static void odd_texts_are_counted(void **state)
{
    const char *const texts[] = { "", "  \n", "\377\303", "a\342\200\203b" };
    double *x;
    size_t d;

    (void)state;
    assert_int_equal(assay_covariates_surface(texts, 4, &x, &d), ASSAY_OK);
    assert_int_equal(d, ASSAY_SURFACE_COUNTS);
    assert_near(x[9], 1.0, 0.0);
    assert_near(x[d + 3], 1.0, 0.0);
    assert_near(x[2 * d + 9], 3.0, 0.0);
    assert_near(x[3 * d + 1], 2.0, 0.0); /* an em space parts words */
    free(x);
}

/* A JSON string within a CSV field to text: enough escapes for the file of templates. */
static const char *unescape(const char *at, char *out)
{
    at += 2; /* field quote; then the JSON quote, doubled */
    for (at++; !(at[0] == '"' && at[1] == '"' && at[2] == '"'); at++) {
        if (at[0] == '\\' && at[1] == '"' && at[2] == '"') {
            *out++ = '"';
            at += 2;
        } else if (at[0] == '\\' && at[1] == 'u') {
            return NULL; /* beyond ASCII: passed over */
        } else if (at[0] == '\\') {
            at++;
            *out++ = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at;
        } else {
            *out++ = *at;
        }
    }
    *out = '\0';
    return at + 3;
}

/* The 14 stored counts of thousands of templates: upper, lower, title, \n, :, -, ||, <sep>, ::, (, ),
   ", ?, space. */
static void counts_of_real_templates_are_the_stored_ones(void **state)
{
    static const size_t column[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14 };
    gzFile file = open_golden("data/templates/slab_templates.csv.gz");
    static char line[1 << 14], text[1 << 14];
    size_t n = 0, passed_over = 0;

    (void)state;
    assert_non_null(gzgets(file, line, sizeof line));
    while (gzgets(file, line, sizeof line)) {
        const char *const one = text;
        const char *after;
        char *at = line;
        double *x;
        size_t d;

        for (int k = 0; k < 5; k++) at = strchr(at, ',') + 1;
        if (strncmp(at, "\"\"\"", 3) != 0 || !(after = unescape(at, text))) {
            passed_over++;
            continue;
        }
        assert_int_equal(assay_covariates_surface(&one, 1, &x, &d), ASSAY_OK);
        for (size_t k = 0; k < 14; k++) {
            double want = strtod(after + 1, &at);

            after = at;
            if (fabs(x[column[k]] - want) > 0.0)
                fail_msg("count %zu of '%s' is %g, not %g", k, text, x[column[k]], want);
        }
        free(x);
        n++;
    }
    gzclose(file);
    print_message("%zu templates, %zu passed over\n", n, passed_over);
    assert_true(n > 4000);
}

/* ---- faults ---- */

static void faults_are_named(void **state)
{
    const double same[] = { 1, 2, 1, 2 };
    double *x;
    size_t d;

    (void)state;
    assert_int_equal(assay_covariates_one_hot(NULL, 0, 2, &x, &d), ASSAY_E_SHAPE);
    assert_null(x);
    assert_int_equal(assay_covariates_rotate(same, 0, 2, &x, &d), ASSAY_E_SHAPE);
    assert_int_equal(assay_covariates_rotate(same, 2, 2, &x, &d), ASSAY_E_DEGENERATE);
    assert_string_equal(assay_last_error(), "all 2 rows have the same covariates");
    assert_int_equal(assay_covariates_surface(NULL, 0, &x, &d), ASSAY_E_SHAPE);
}

static assay_status make_all(void *context)
{
    const char *const texts[] = { "Question: a", "Answer: b" };
    const size_t codes[] = { 0, 1, 0, 2, 1, 3 };
    double *x = NULL, *y = NULL, *z = NULL;
    size_t d, m;
    assay_status status = assay_covariates_one_hot(codes, 3, 2, &x, &d);

    (void)context;
    if (status == ASSAY_OK) status = assay_covariates_rotate(x, 3, d, &y, &m);
    if (status == ASSAY_OK) status = assay_covariates_surface(texts, 2, &z, &d);
    free(x);
    free(y);
    free(z);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(fail_every_allocation(make_all, NULL) >= 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors_by_hand),
        cmocka_unit_test(a_line_has_one_component),
        cmocka_unit_test(small_components_are_let_go),
        cmocka_unit_test(rotation_keeps_distances),
        cmocka_unit_test(surface_by_hand),
        cmocka_unit_test(odd_texts_are_counted),
        cmocka_unit_test(counts_of_real_templates_are_the_stored_ones),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
