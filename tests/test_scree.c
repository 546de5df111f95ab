/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/plot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static assay_signals *fit_identity(size_t n, int64_t permutations)
{
    double *scores = calloc(n * n, sizeof *scores);
    assay_signals_options options;
    assay_matrix *matrix;
    assay_signals *fit;

    for (size_t i = 0; i < n; i++) scores[i * n + i] = 1.0;
    assay_signals_options_init(&options, sizeof options);
    options.permutations = permutations;
    assert_int_equal(assay_matrix_from_scores(scores, n, n, &matrix), ASSAY_OK);
    assert_int_equal(assay_signals_fit(matrix, &options, &fit), ASSAY_OK);
    assay_matrix_free(matrix);
    free(scores);
    return fit;
}

static char *draw(size_t n, int64_t permutations, const char *title)
{
    assay_signals *fit = fit_identity(n, permutations);
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);

    assay_plot_scree(fit, title, to);
    fclose(to);
    assay_signals_free(fit);
    return text;
}

static size_t count(const char *text, const char *what)
{
    size_t n = 0;

    while ((text = strstr(text, what)) != NULL) {
        n++;
        text += strlen(what);
    }
    return n;
}

/* Every < that opens a tag or ends one has its >, and every tag that opens is closed. */
static void assert_balanced(const char *svg)
{
    size_t opened = 0, closed = 0;

    for (const char *at = svg; (at = strchr(at, '<')) != NULL;) {
        const char *end = strchr(at, '>');

        assert_non_null(end);
        assert_null(memchr(at + 1, '<', (size_t)(end - at - 1)));
        if (at[1] == '/')
            closed++;
        else if (end[-1] != '/')
            opened++;
        at = end;
    }
    assert_int_equal(opened, closed);
}

static void a_dot_a_component_and_a_band_where_there_is_a_null(void **state)
{
    char *with = draw(9, 20, "board"), *without = draw(9, 0, "board");

    (void)state;
    assert_int_equal(strncmp(with, "<svg ", 5), 0);
    assert_balanced(with);
    assert_balanced(without);
    assert_int_equal(count(with, "<circle"), 8); /* the ninth eigenvalue is 0 */
    assert_int_equal(count(with, "class=\"band\""), 1);
    assert_int_equal(count(without, "class=\"band\""), 0);
    assert_non_null(strstr(with, "ED 8.0"));
    free(with);
    free(without);
}

/* Eight equal components: all dots stand at one height, 12.5 %. */
static void equal_components_stand_at_one_height(void **state)
{
    char *svg = draw(9, 0, NULL), *first = strstr(svg, "cy=\""), *end = strchr(first + 4, '"');
    char height[32] = "";

    (void)state;
    memcpy(height, first, (size_t)(end - first) + 1);
    assert_int_equal(count(svg, height), 8);
    assert_int_equal(count(svg, "12.5 % of the variance"), 8);
    free(svg);
}

static void one_component_is_drawn_too(void **state)
{
    char *svg = draw(2, 0, "two models");

    (void)state;
    assert_balanced(svg);
    assert_int_equal(count(svg, "<circle"), 1);
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "inf"));
    free(svg);
}

static void a_hostile_title_is_text(void **state)
{
    char *svg = draw(4, 0, "</text><script>alert(1)</script>\x1b[31m \"&\" \xe2\x80\xae");
    char longest[4000];

    (void)state;
    assert_balanced(svg);
    assert_null(strstr(svg, "<script"));
    assert_non_null(strstr(svg, "&lt;script&gt;"));
    assert_non_null(strstr(svg, "&quot;&amp;&quot;"));
    assert_null(strchr(svg, '\x1b'));
    assert_null(strstr(svg, "\xe2\x80\xae")); /* a mark that would turn the text around */
    free(svg);

    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    svg = draw(4, 0, longest);
    assert_non_null(strstr(svg, "xxx\xe2\x80\xa6</text>"));
    assert_null(strstr(svg, longest));
    free(svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dot_a_component_and_a_band_where_there_is_a_null),
        cmocka_unit_test(equal_components_stand_at_one_height),
        cmocka_unit_test(one_component_is_drawn_too),
        cmocka_unit_test(a_hostile_title_is_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
