/* SPDX-License-Identifier: Apache-2.0 */
/* What holds of every figure. Include it after cmocka.h. */
#ifndef TESTS_SVG_CHECKS_H
#define TESTS_SVG_CHECKS_H

#include <string.h>

static inline size_t count(const char *text, const char *what)
{
    size_t n = 0;

    while ((text = strstr(text, what)) != NULL) {
        n++;
        text += strlen(what);
    }
    return n;
}

/* The end of a tag: its >, outside quotes. */
static inline const char *tag_end(const char *at)
{
    for (char quote = '\0'; *at && (quote || *at != '>'); at++) {
        if (*at == '"') quote = quote ? '\0' : '"';
        assert_true(*at != '<' || !quote); /* not allowed in an attribute */
    }
    assert_int_equal(*at, '>');
    return at;
}

/* Tags close in the order in which they opened, the last one first. */
static inline void assert_well_formed(const char *svg)
{
    enum { DEEPEST = 16, NAME = 16 };
    char open[DEEPEST][NAME];
    size_t depth = 0;

    assert_int_equal(strncmp(svg, "<svg ", 5), 0);
    for (const char *at = svg; (at = strchr(at, '<')) != NULL;) {
        const char *end = tag_end(at + 1);
        int closes = at[1] == '/';
        size_t length = strcspn(at + 1 + closes, " />");

        assert_true(length > 0 && length < NAME && depth < DEEPEST);
        if (closes) {
            assert_true(depth > 0);
            depth--;
            assert_int_equal(strlen(open[depth]), length);
            assert_memory_equal(open[depth], at + 2, length);
            if (depth == 0) assert_string_equal(end, ">\n");
        } else if (end[-1] != '/') {
            memcpy(open[depth], at + 1, length);
            open[depth++][length] = '\0';
        }
        at = end;
    }
    assert_int_equal(depth, 0);
}

/* No number is missing, no entity is unknown, and no control character is there. */
static inline void assert_sound(const char *svg)
{
    assert_well_formed(svg);
    assert_null(strstr(svg, "nan"));
    assert_null(strstr(svg, "=\"inf"));
    assert_null(strstr(svg, "922337203685477")); /* what lround() may make of an infinity */
    assert_null(strstr(svg, "<script"));
    for (const char *at = svg; *at; at++) assert_true((unsigned char)*at >= 0x20 || *at == '\n');
    assert_int_equal(count(svg, "&"), count(svg, "&lt;") + count(svg, "&gt;") +
                                          count(svg, "&amp;") + count(svg, "&quot;"));
}

#endif
