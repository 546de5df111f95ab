/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/plot.h"
#include "svg_checks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static char *draw(const assay_plot_benchmark *rows, size_t n, const char *title)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);

    assay_plot_atlas(rows, n, title, to);
    fclose(to);
    assert_sound(text);
    return text;
}

static assay_plot_benchmark row(const char *name, double ed, double low, double high, double noise)
{
    return (assay_plot_benchmark){ name, ed, low, high, noise, 0 };
}

/* By hand: the scale goes from log10 = -.02 to 2.02 over 236 to 690, so that 10 is at 463. */
static void marks_stand_where_their_logarithms_are(void **state)
{
    const assay_plot_benchmark rows[] = { row("one", 10.0, 1.0, 100.0, 10.0) };
    char *svg = draw(rows, 1, "atlas");

    (void)state;
    assert_int_equal(count(svg, "class=\"dot\" r=\"4\" cx=\"463\""), 1);
    assert_int_equal(count(svg, "class=\"branch\" r=\"4.5\" cx=\"463\""), 1);
    assert_int_equal(count(svg, "class=\"line\" d=\"M240.5 92H685.5\""), 1);
    assert_int_equal(count(svg, ">10.00</text>"), 1);
    assert_int_equal(count(svg, "class=\"rule\""), 7); /* 1, 2, 5, ... 100 */
    assert_non_null(strstr(svg, ">100</text>"));
    free(svg);
}

static void what_is_not_known_is_not_drawn(void **state)
{
    const assay_plot_benchmark rows[] = {
        row("no interval", 3.0, NAN, NAN, 0.75), /* noise below 1 stands at 1 */
        row("nothing", NAN, NAN, NAN, NAN),
        row("without end", 2.0, 1.0, INFINITY, 4.0),
    };
    char *svg = draw(rows, 3, NULL), *none = draw(rows, 0, "none");

    (void)state;
    assert_int_equal(count(svg, "class=\"dot\""), 2);
    assert_int_equal(count(svg, "class=\"branch\""), 2);
    assert_int_equal(count(svg, "class=\"line\""), 0);
    assert_non_null(strstr(svg, ">nothing</text>"));
    free(svg);
    free(none);
}

/* Forty rows, the last two of them small: all are there, within the figure, and those two apart. */
static void rows_do_not_overlap(void **state)
{
    assay_plot_benchmark rows[40];
    char names[40][16], bottom[32], *svg;

    (void)state;
    for (size_t k = 0; k < 40; k++) {
        snprintf(names[k], sizeof *names, "board %zu", k);
        rows[k] = row(names[k], 40.0 - (double)k, 1.0, 50.0, 300.0);
        rows[k].is_small = k >= 38;
    }
    svg = draw(rows, 40, "many");
    assert_int_equal(count(svg, "class=\"dot\""), 40);
    assert_int_equal(count(svg, "too small to be compared"), 1);
    for (size_t k = 0; k < 40; k++) { /* one row is 24 down from the last, and 30 where they part */
        snprintf(bottom, sizeof bottom, "cy=\"%zu\"", 92 + 24 * k + (k >= 38 ? 30 : 0));
        assert_int_equal(count(svg, bottom), 2); /* the dot and the ring */
    }
    assert_non_null(strstr(svg, "height=\"1122\"")); /* 80 + 40 * 24 + 30 + 52 */
    free(svg);
}

static void hostile_names_are_text(void **state)
{
    const assay_plot_benchmark rows[] = {
        row("</text><script>alert(1)</script>\x1b[31m \"&\" \xe2\x80\xae", 2.0, 1.5, 3.0, 4.0),
        row("a name of more characters than a row has room for", 2.0, 1.5, 3.0, 4.0),
    };
    char *svg = draw(rows, 2, "<b>\x07");

    (void)state;
    assert_non_null(strstr(svg, "&lt;/text&gt;&lt;script&gt;"));
    assert_null(strstr(svg, "\xe2\x80\xae")); /* a mark that would turn the text around */
    assert_non_null(strstr(svg, "a name of more characters than\xe2\x80\xa6</text>"));
    assert_non_null(strstr(svg, "&lt;b&gt;"));
    free(svg);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_stand_where_their_logarithms_are),
        cmocka_unit_test(what_is_not_known_is_not_drawn),
        cmocka_unit_test(rows_do_not_overlap),
        cmocka_unit_test(hostile_names_are_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
