/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "assay/plot.h"
#include "core/memory.h"
#include "core/random.h"
#include "failing_memory.h"
#include "text/vectors.h"

#include "svg_checks.h"

#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_FIGURES = 5, SIMILARITY = 0, TOGETHER, TREE, MAP, SCORES };

static const char hostile[] =
    "</text><script>alert(1)</script>\x1b[31m \"&\" \xe2\x80\xae' --> ]]> \xff";

/* Everything that figures show, for n prompts and some models. */
struct shown {
    size_t n, n_models;
    assay_vectors *vectors;
    assay_dendrogram *tree;
    assay_score *fit;
    size_t *labels;
    const char *title;
    const char **names;
};

/* Prompts around n / 3 points, d = 4, some exact copies and zero vectors among them. */
static assay_vectors *make_vectors(size_t n, assay_random *random)
{
    enum { D = 4 };
    double *dense = assay_alloc_aligned(n * D, sizeof *dense);
    assay_vectors *vectors;

    assert_non_null(dense);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < D; k++)
            dense[i * D + k] = i % 7 == 6   ? 0.0
                               : i % 3 == 2 ? dense[(i - 1) * D + k]
                                            : assay_random_normal(random);
    assert_int_equal(assay_vectors_from_dense(dense, n, D, &vectors), ASSAY_OK);
    return vectors;
}

static struct shown *make_shown(size_t n, size_t n_models, const char *title)
{
    struct shown *s = calloc(1, sizeof *s);
    double *x = malloc(n * n_models * sizeof *x), *m = malloc(n * n_models * sizeof *m);
    size_t map;
    assay_score_options options;
    assay_random random;

    assay_random_start(&random, 11, ASSAY_PURPOSE_SIMULATE_OUTCOME, n);
    s->n = n;
    s->n_models = n_models;
    s->title = title;
    s->vectors = make_vectors(n, &random);
    s->names = calloc(n_models, sizeof *s->names);
    s->labels = malloc(n * sizeof *s->labels);
    for (size_t k = 0; k < n_models; k++) s->names[k] = title ? title : "a model";
    for (size_t k = 0; k < n * n_models; k++) {
        m[k] = 5.0;
        x[k] = (double)assay_random_below(&random, 6);
    }
    assert_int_equal(assay_dendrogram_fit(s->vectors, NULL, &s->tree), ASSAY_OK);
    assay_score_options_init(&options, sizeof options);
    options.hyper = 0;
    assert_int_equal(assay_score_fit(s->tree, n_models, x, m, &options, &s->fit), ASSAY_OK);
    map = (size_t)assay_score_joint(s->fit, ASSAY_SCORE_JOINT_TOPICS_MAP);
    assert_int_equal(assay_dendrogram_labels(s->tree, map, s->labels), ASSAY_OK);
    free(x);
    free(m);
    return s;
}

static void free_shown(struct shown *s)
{
    assay_score_free(s->fit);
    assay_dendrogram_free(s->tree);
    assay_vectors_free(s->vectors);
    free(s->labels);
    free(s->names);
    free(s);
}

static assay_status draw_to(const struct shown *s, int figure, FILE *to)
{
    size_t n;
    const double *post = assay_score_topics(s->fit, SIZE_MAX, &n);

    switch (figure) {
    case SIMILARITY: return assay_plot_similarity(s->vectors, s->tree, s->title, to);
    case TOGETHER: return assay_plot_together(s->tree, post, s->title, to);
    case TREE: return assay_plot_tree(s->tree, post, s->title, to);
    case MAP: return assay_plot_map(s->vectors, s->labels, s->title, to);
    default: assay_plot_scores(s->fit, s->names, s->title, to); return ASSAY_OK;
    }
}

static char *draw(const struct shown *s, int figure)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);

    assert_non_null(to);
    assert_int_equal(draw_to(s, figure, to), ASSAY_OK);
    assert_int_equal(fclose(to), 0);
    assert_int_equal(strlen(text), length);
    return text;
}

/* ---- all figures ---- */

static void figures_are_sound_for_any_number_of_prompts(void **state)
{
    static const size_t sizes[] = { 1, 2, 3, 7, 40, 600 };

    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        struct shown *s = make_shown(sizes[k], 3, "A title");

        for (int figure = 0; figure < N_FIGURES; figure++) {
            char *svg = draw(s, figure);

            assert_sound(svg);
            assert_int_equal(count(svg, ">A title</text>"), figure == SCORES ? 4 : 1);
            free(svg);
        }
        free_shown(s);
    }
}

static void hostile_titles_and_names_are_text(void **state)
{
    struct shown *s = make_shown(5, 2, hostile), *untitled = make_shown(5, 2, NULL);

    (void)state;
    for (int figure = 0; figure < N_FIGURES; figure++) {
        char *svg = draw(s, figure), *plain = draw(untitled, figure);

        assert_sound(svg);
        assert_sound(plain);
        assert_non_null(strstr(svg, "&lt;/text&gt;&lt;script&gt;"));
        assert_int_equal(count(svg, "<"), count(plain, "<")); /* not a tag more */
        free(svg);
        free(plain);
    }
    free_shown(s);
    free_shown(untitled);
}

static void the_same_figure_comes_out_twice(void **state)
{
    struct shown *s = make_shown(30, 2, "x");

    (void)state;
    for (int figure = 0; figure < N_FIGURES; figure++) {
        char *one = draw(s, figure), *two = draw(s, figure);

        assert_string_equal(one, two);
        free(one);
        free(two);
    }
    free_shown(s);
}

/* ---- pictures ---- */

static unsigned value_of(char digit)
{
    if (digit >= 'A' && digit <= 'Z') return (unsigned)(digit - 'A');
    if (digit >= 'a' && digit <= 'z') return (unsigned)(digit - 'a') + 26;
    if (digit >= '0' && digit <= '9') return (unsigned)(digit - '0') + 52;
    return digit == '+' ? 62 : 63;
}

/* The PNG within a figure. */
static unsigned char *decode_base64(const char *svg, size_t *size)
{
    static const char before[] = "href=\"data:image/png;base64,";
    const char *at = strstr(svg, before);
    size_t length, n = 0;
    unsigned char *bytes;

    assert_non_null(at);
    at += strlen(before);
    length = strcspn(at, "\"");
    assert_int_equal(length % 4, 0);
    bytes = malloc(length + 1);
    for (size_t i = 0; i < length; i += 4) {
        unsigned group = 0;

        for (size_t k = 0; k < 4; k++)
            group = group << 6 | (at[i + k] == '=' ? 0 : value_of(at[i + k]));
        for (int k = 2; k >= 0; k--) bytes[n++] = (unsigned char)(group >> (8 * k));
    }
    *size = n - (at[length - 1] == '=') - (at[length - 2] == '=');
    return bytes;
}

/* Its pixels as grey levels; NULL unless it is a PNG of side x side. */
static unsigned char *pixels_of(const char *svg, size_t side)
{
    size_t size;
    unsigned char *file = decode_base64(svg, &size), *pixels;
    png_image image;

    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    assert_true(png_image_begin_read_from_memory(&image, file, size));
    assert_int_equal(image.width, side);
    assert_int_equal(image.height, side);
    image.format = PNG_FORMAT_RGB;
    pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(pixels);
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    free(file);
    return pixels;
}

static void pictures_have_a_pixel_a_prompt_up_to_512(void **state)
{
    static const struct {
        size_t n, side;
    } sizes[] = { { 1, 1 }, { 2, 2 }, { 3, 3 }, { 40, 40 }, { 600, 512 } };

    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        struct shown *s = make_shown(sizes[k].n, 1, "x");
        size_t side = sizes[k].side;

        for (int figure = SIMILARITY; figure <= TOGETHER; figure++) {
            char *svg = draw(s, figure);
            unsigned char *pixels = pixels_of(svg, side);

            for (size_t i = 0; i < side; i++)
                for (size_t j = 0; j < i; j++) /* a matrix of pairs */
                    assert_memory_equal(pixels + 3 * (i * side + j), pixels + 3 * (j * side + i),
                                        3);
            if (sizes[k].n <= 512) /* each prompt is like itself: the deepest blue */
                for (size_t i = 0; i < side; i++)
                    assert_memory_equal(pixels + 3 * (i * side + i),
                                        ((unsigned char[]){ 8, 48, 107 }), 3);
            free(pixels);
            free(svg);
        }
        free_shown(s);
    }
}

/* By hand: two equal vectors and one across: similarity 1 and 0, white where 0. */
static void pixels_are_similarities(void **state)
{
    static const unsigned char white[] = { 255, 255, 255 }, blue[] = { 8, 48, 107 };
    struct shown *s = make_shown(3, 1, "x");
    double *dense = assay_alloc_aligned(6, sizeof *dense);
    unsigned char *pixels;
    char *svg;

    (void)state;
    memcpy(dense, ((double[]){ 1, 0, 0, 1, 1, 0 }), 6 * sizeof *dense);
    assay_vectors_free(s->vectors);
    assay_dendrogram_free(s->tree);
    assert_int_equal(assay_vectors_from_dense(dense, 3, 2, &s->vectors), ASSAY_OK);
    assert_int_equal(assay_dendrogram_fit(s->vectors, NULL, &s->tree), ASSAY_OK);
    svg = draw(s, SIMILARITY);
    pixels = pixels_of(svg, 3); /* in the order 0, 2, 1 of the tree */
    assert_memory_equal(pixels + 3 * 1, blue, 3);
    assert_memory_equal(pixels + 3 * 2, white, 3);
    assert_memory_equal(pixels + 3 * 5, white, 3);
    free(pixels);
    free(svg);
    free_shown(s);
}

/* With S = 2 for certain the picture is the cut into two topics; a fifth of blue is a fifth. */
static void pixels_are_probabilities_of_one_topic(void **state)
{
    struct shown *s = make_shown(3, 1, "x");
    static const double post[] = { 0.2, 0.8, 0.0 };
    double expected[3];
    unsigned char *pixels;
    char *svg = NULL;
    size_t length, n_full = 0, n_fifth = 0;
    FILE *to = open_memstream(&svg, &length);

    (void)state;
    assert_int_equal(assay_plot_together(s->tree, post, NULL, to), ASSAY_OK);
    fclose(to);
    pixels = pixels_of(svg, 3);
    for (size_t c = 0; c < 3; c++)
        expected[c] = 255.0 + (((double[]){ 8, 48, 107 })[c] - 255.0) * 0.2;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            const unsigned char *p = pixels + 3 * (3 * i + j);

            if (i == j) continue;
            n_full += p[0] == 8 && p[1] == 48 && p[2] == 107;
            n_fifth += fabs(p[0] - expected[0]) <= 1 && fabs(p[1] - expected[1]) <= 1 &&
                       fabs(p[2] - expected[2]) <= 1; /* a level and its rounding */
        }
    assert_int_equal(n_full, 2);
    assert_int_equal(n_fifth, 4);
    free(pixels);
    free(svg);
    free_shown(s);
}

/* ---- tree, map, scores ---- */

static void a_tree_has_a_branch_a_merge_and_the_probable_cuts(void **state)
{
    struct shown *s = make_shown(9, 1, "x");
    size_t n, n_cuts = 0;
    const double *post = assay_score_topics(s->fit, SIZE_MAX, &n);
    double most = 0.0;
    char *svg = draw(s, TREE);

    (void)state;
    for (size_t k = 0; k < n; k++) most = post[k] > most ? post[k] : most;
    for (size_t k = 0; k < n; k++) n_cuts += post[k] > 1e-3 * most;
    assert_int_equal(count(svg, "class=\"branch\""), 8);
    assert_int_equal(count(svg, "topics: probability "), n_cuts);
    free(svg);
    free_shown(s);
}

static void a_map_has_a_point_a_prompt(void **state)
{
    struct shown *s = make_shown(40, 1, "x");
    char *svg = draw(s, MAP);

    (void)state;
    assert_int_equal(count(svg, "<circle"), 40);
    free(svg);
    free_shown(s);
}

/* Sparse vectors give the map that the same vectors give when dense, to a tenth of a unit. */
static void a_map_of_sparse_vectors_is_that_of_dense_ones(void **state)
{
    static const char *const texts[] = { "red sky", "red sea", "blue sky", "blue blue sea",
                                         "green" };
    static const size_t labels[] = { 0, 0, 1, 1, 2 };
    assay_vectors *sparse, *full;
    char *svg[2] = { NULL, NULL };
    double *dense;
    size_t d;

    (void)state;
    assert_int_equal(assay_vectors_tfidf(texts, 5, NULL, &sparse), ASSAY_OK);
    d = assay_vectors_dimensions(sparse);
    dense = assay_alloc_aligned(5 * d, sizeof *dense);
    for (size_t i = 0; i < 5; i++)
        for (size_t e = sparse->start[i]; e < sparse->start[i + 1]; e++)
            dense[i * d + sparse->column[e]] = sparse->value[e];
    assert_int_equal(assay_vectors_from_dense(dense, 5, d, &full), ASSAY_OK);
    for (size_t k = 0; k < 2; k++) {
        size_t length;
        FILE *to = open_memstream(&svg[k], &length);

        assert_int_equal(assay_plot_map(k ? full : sparse, labels, "x", to), ASSAY_OK);
        fclose(to);
        assert_sound(svg[k]);
    }
    assert_string_equal(svg[0], svg[1]);
    free(svg[0]);
    free(svg[1]);
    assay_vectors_free(sparse);
    assay_vectors_free(full);
}

/* The first component carries the most: points on a line lie level. */
static void points_on_a_line_lie_level(void **state)
{
    enum { N = 5 };
    double *dense = assay_alloc_aligned(2 * N, sizeof *dense);
    size_t labels[N] = { 0 };
    assay_vectors *vectors;
    char *svg = NULL;
    size_t length;
    FILE *to = open_memstream(&svg, &length);

    (void)state;
    for (size_t i = 0; i < N; i++) dense[2 * i] = i % 2 ? 1.0 : -1.0;
    assert_int_equal(assay_vectors_from_dense(dense, N, 2, &vectors), ASSAY_OK);
    assert_int_equal(assay_plot_map(vectors, labels, "x", to), ASSAY_OK);
    fclose(to);
    assert_int_equal(count(svg, " cy=\"300\""), N); /* the middle between 64 and 536 */
    free(svg);
    assay_vectors_free(vectors);
}

static void at_most_twenty_models_are_drawn(void **state)
{
    struct shown *s = make_shown(6, 23, "m");
    char *svg = draw(s, SCORES);

    (void)state;
    assert_sound(svg);
    assert_int_equal(count(svg, "class=\"band\""), 20);
    assert_int_equal(count(svg, "label end"), 21); /* the models, and that they are the first */
    free(svg);
    free_shown(s);
}

/* ---- memory ---- */

struct drawn {
    const struct shown *shown;
    int figure;
};

static assay_status draw_nowhere(void *context)
{
    const struct drawn *d = context;
    FILE *to = fopen("/dev/null", "w");
    assay_status status;

    assert_non_null(to);
    status = draw_to(d->shown, d->figure, to);
    fclose(to);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    static const size_t least[] = { 6, 7, 6, 4 };
    struct shown *s = make_shown(9, 1, "x");

    (void)state;
    for (int figure = SIMILARITY; figure <= MAP; figure++) {
        struct drawn d = { s, figure };

        assert_true(fail_every_allocation(draw_nowhere, &d) >= least[figure]);
    }
    free_shown(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_sound_for_any_number_of_prompts),
        cmocka_unit_test(hostile_titles_and_names_are_text),
        cmocka_unit_test(the_same_figure_comes_out_twice),
        cmocka_unit_test(pictures_have_a_pixel_a_prompt_up_to_512),
        cmocka_unit_test(pixels_are_similarities),
        cmocka_unit_test(pixels_are_probabilities_of_one_topic),
        cmocka_unit_test(a_tree_has_a_branch_a_merge_and_the_probable_cuts),
        cmocka_unit_test(a_map_has_a_point_a_prompt),
        cmocka_unit_test(a_map_of_sparse_vectors_is_that_of_dense_ones),
        cmocka_unit_test(points_on_a_line_lie_level),
        cmocka_unit_test(at_most_twenty_models_are_drawn),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
