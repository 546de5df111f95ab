/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "embed/bert_kernels.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 5, WIDEST = 70, STRIDE = 80, N = ROWS * STRIDE };

static uint64_t seed = 1;

/* Of [-1, 1), by Knuth's linear congruence. */
static float random_number(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (float)((double)(seed >> 40) * 0x1p-23 - 1.0);
}

static void fill(float *x, size_t n, float scale)
{
    for (size_t k = 0; k < n; k++) x[k] = scale * random_number();
}

static assay_bert_kernels plain(void)
{
    assay_bert_kernels choices[ASSAY_MOST_BERT_KERNELS];

    return choices[assay_bert_kernels_choices(choices) - 1];
}

static void test_the_plain_kernels_are_always_there(void **state)
{
    assay_bert_kernels choices[ASSAY_MOST_BERT_KERNELS];
    const size_t n = assay_bert_kernels_choices(choices);

    (void)state;
    assert_in_range(n, 1, ASSAY_MOST_BERT_KERNELS);
    assert_string_equal(choices[n - 1].name, "plain");
    for (size_t k = 0; k < n; k++) print_message("kernels: %s\n", choices[k].name);
}

/* ---- all choices give the same bits ---- */

typedef struct operands {
    float x[N], y[N], bias[WIDEST], gain[WIDEST], shift[WIDEST];
} operands;

enum { N_KERNELS = 5 };

static void call(const assay_bert_kernels *kernels, size_t which, operands *o, size_t width)
{
    if (which == 0) kernels->add_bias(o->x, ROWS, width, STRIDE, o->bias);
    if (which == 1) kernels->gelu(o->x, ROWS, width, o->bias);
    if (which == 2)
        kernels->layer_norm(o->x, o->y, o->bias, ROWS, width, 1e-12f, o->gain, o->shift);
    if (which == 3) kernels->softmax(o->x, ROWS, width);
    if (which == 4) kernels->mean_row(o->x, ROWS, width, o->y);
}

/* To the bit, and nothing is written beyond what is theirs: the softmax fills up its rows. */
static void compare(const assay_bert_kernels *kernels, size_t which, size_t width, float scale)
{
    const assay_bert_kernels reference = plain();
    static operands given, a, b;

    fill(given.x, N, scale);
    fill(given.y, N, scale);
    fill(given.bias, WIDEST, scale);
    fill(given.gain, WIDEST, 1.0f);
    fill(given.shift, WIDEST, 1.0f);
    a = b = given;
    call(&reference, which, &a, width);
    call(kernels, which, &b, width);
    if (memcmp(&a, &b, sizeof a) != 0)
        fail_msg("kernel %zu of %s differs at width %zu", which, kernels->name, width);
    if (which == 0 || which == 4) return;
    const size_t used = ROWS * (which == 3 ? assay_softmax_stride(width) : width);
    assert_memory_equal(a.x + used, given.x + used, (N - used) * sizeof *a.x);
}

static void test_every_choice_gives_the_same_bits(void **state)
{
    assay_bert_kernels choices[ASSAY_MOST_BERT_KERNELS];
    const size_t n = assay_bert_kernels_choices(choices);
    const float scales[] = { 1.0f, 30.0f, 1e-20f, 1e15f };

    (void)state;
    for (size_t c = 0; c + 1 < n; c++)
        for (size_t which = 0; which < N_KERNELS; which++)
            for (size_t width = 1; width <= WIDEST; width++)
                for (size_t s = 0; s < 4; s++) compare(&choices[c], which, width, scales[s]);
}

/* ---- the plain ones are right ---- */

static void test_add_bias_by_hand(void **state)
{
    float x[] = { 1, 2, 100, 3, 4, 100 };
    const float bias[] = { 10, 20 }, expected[] = { 11, 22, 100, 13, 24, 100 };

    (void)state;
    plain().add_bias(x, 2, 2, 3, bias);
    assert_memory_equal(x, expected, sizeof x);
}

/* erf is right to 1.5e-7, and |t| / 2 times that is gelu's error; single precision's roundings, of
   1 + erf near 2 and of the products, add 4 half units of it. */
static void test_gelu_against_libm(void **state)
{
    const float none[1] = { 0 };

    (void)state;
    for (int k = -40000; k <= 40000; k++) {
        float x = (float)k * 0.00031f;
        const double t = (double)x, want = t * 0.5 * (1.0 + erf(t * sqrt(0.5)));

        plain().gelu(&x, 1, 1, none);
        if (!(fabs((double)x - want) <= fabs(t) * (0.5 * 1.5e-7 + 4 * FLT_EPSILON / 2)))
            fail_msg("gelu(%.9g) is %.9g, not %.9g", t, (double)x, want);
    }
}

static void test_gelu_far_out(void **state)
{
    float x[] = { 1e30f, -1e30f, 0.0f, 20.0f, 1.0f, NAN };
    const float bias[] = { 0, 0, 0, 0, -1.0f, 0 };

    (void)state;
    plain().gelu(x, 1, 6, bias);
    assert_true(x[0] == 1e30f && x[1] == 0.0f && x[2] == 0.0f && x[3] == 20.0f && x[4] == 0.0f);
    assert_true(isnan(x[5]));
}

/* The bound on a number's error: its row's mean and variance are sums of width numbers, each rounded
   (width half units of the largest), and three products are rounded. */
static void test_layer_norm_against_double(void **state)
{
    (void)state;
    for (size_t width = 2; width <= WIDEST; width++) {
        float x[WIDEST], y[WIDEST], bias[WIDEST], gain[WIDEST], shift[WIDEST];
        double sum[WIDEST], mean = 0, variance = 0;

        fill(x, width, 3.0f);
        fill(y, width, 1.0f);
        fill(bias, width, 1.0f);
        fill(gain, width, 1.0f);
        fill(shift, width, 1.0f);
        for (size_t k = 0; k < width; k++) {
            sum[k] = (double)x[k] + (double)y[k] + (double)bias[k];
            mean += sum[k] / (double)width;
        }
        for (size_t k = 0; k < width; k++)
            variance += (sum[k] - mean) * (sum[k] - mean) / (double)width;
        plain().layer_norm(x, y, bias, 1, width, 1e-5f, gain, shift);
        for (size_t k = 0; k < width; k++) {
            const double want = (sum[k] - mean) / sqrt(variance + 1e-5) * (double)gain[k];

            assert_true(fabs((double)x[k] - (want + (double)shift[k])) <=
                        (double)width * FLT_EPSILON * 5 / fmin(1.0, sqrt(variance)));
        }
    }
}

static void test_layer_norm_of_a_constant_row_is_the_shift(void **state)
{
    float x[20], zero[20] = { 0 }, gain[20], shift[20];

    (void)state;
    for (size_t k = 0; k < 20; k++) x[k] = 2.5f;
    fill(gain, 20, 1.0f);
    fill(shift, 20, 1.0f);
    plain().layer_norm(x, zero, zero, 1, 20, 1e-12f, gain, shift);
    assert_memory_equal(x, shift, sizeof x);
}

/* Each of width numbers is right to 3 roundings and the polynomial's 5e-9, their sum to width
   roundings of numbers below 1; exp(-87) = 1.6e-38 is for all that is smaller. */
static void test_softmax_against_double(void **state)
{
    (void)state;
    for (size_t width = 1; width <= WIDEST; width++) {
        float scores[STRIDE];
        double e[WIDEST], sum = 0, total = 0;

        fill(scores, STRIDE, 40.0f);
        for (size_t k = 0; k < width; k++) sum += e[k] = exp((double)scores[k]);
        plain().softmax(scores, 1, width);
        for (size_t k = 0; k < width; k++) {
            const double want = e[k] / sum;

            /* the argument itself, up to 80, is a difference that is rounded */
            assert_true(fabs((double)scores[k] - want) <=
                        want * ((double)width + 6 + 80) * FLT_EPSILON);
            total += (double)scores[k];
        }
        assert_true(fabs(total - 1.0) <= (double)width * FLT_EPSILON);
        for (size_t k = width; k < assay_softmax_stride(width); k++)
            assert_true(scores[k] >= 0.0f && scores[k] < 1e-37f);
    }
}

static void test_softmax_of_huge_scores(void **state)
{
    float one[STRIDE] = { 3e38f, -3e38f, 3e38f, -INFINITY }, two[STRIDE] = { -3e38f, -3e38f };

    (void)state;
    plain().softmax(one, 1, 4);
    assert_true(one[0] == 0.5f && one[2] == 0.5f && one[1] < 1e-37f && one[3] < 1e-37f);
    plain().softmax(two, 1, 2);
    assert_true(two[0] == 0.5f && two[1] == 0.5f);
}

/* Weights that are no numbers must not come out as if they were. */
static void test_softmax_keeps_what_is_not_a_number(void **state)
{
    assay_bert_kernels choices[ASSAY_MOST_BERT_KERNELS];
    const size_t n = assay_bert_kernels_choices(choices);

    (void)state;
    for (size_t c = 0; c < n; c++)
        for (size_t k = 0; k < 40; k++) {
            float some[STRIDE] = { 0 }, all[STRIDE], none[STRIDE], most[STRIDE] = { 0 };

            some[k] = NAN;
            most[k] = INFINITY;
            for (size_t j = 0; j < STRIDE; j++) {
                all[j] = NAN;
                none[j] = -INFINITY;
            }
            choices[c].softmax(some, 1, 40);
            choices[c].softmax(all, 1, k + 1);
            choices[c].softmax(none, 1, k + 1);
            choices[c].softmax(most, 1, 40);
            for (size_t j = 0; j < 40; j++) assert_true(isnan(some[j]));
            for (size_t j = 0; j <= k; j++) assert_true(isnan(all[j]) && isnan(none[j]));
            assert_true(isnan(most[k]));
        }
}

static void test_mean_row_by_hand(void **state)
{
    const float x[] = { 1, 2, 3, 5, 8, 2 };
    float out[2];

    (void)state;
    plain().mean_row(x, 3, 2, out);
    assert_true(out[0] == 4.0f && out[1] == 3.0f);
    plain().mean_row(x, 1, 2, out);
    assert_true(out[0] == 1.0f && out[1] == 2.0f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_plain_kernels_are_always_there),
        cmocka_unit_test(test_every_choice_gives_the_same_bits),
        cmocka_unit_test(test_add_bias_by_hand),
        cmocka_unit_test(test_gelu_against_libm),
        cmocka_unit_test(test_gelu_far_out),
        cmocka_unit_test(test_layer_norm_against_double),
        cmocka_unit_test(test_layer_norm_of_a_constant_row_is_the_shift),
        cmocka_unit_test(test_softmax_against_double),
        cmocka_unit_test(test_softmax_of_huge_scores),
        cmocka_unit_test(test_softmax_keeps_what_is_not_a_number),
        cmocka_unit_test(test_mean_row_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
