/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/utf8.h"

static void assert_decodes(const char *text, size_t length, size_t want_bytes, uint32_t want)
{
    uint32_t c = 0xffffffff;

    assert_int_equal(assay_utf8_decode(text, length, &c), want_bytes);
    if (want_bytes) assert_int_equal(c, want);
}

static void a_code_point_of_each_length_has_the_bytes_of_the_standard(void **state)
{
    char out[4];

    (void)state;
    assert_int_equal(assay_utf8_encode(0x24, out), 1);
    assert_memory_equal(out, "\x24", 1);
    assert_int_equal(assay_utf8_encode(0xa2, out), 2);
    assert_memory_equal(out, "\xc2\xa2", 2);
    assert_int_equal(assay_utf8_encode(0x20ac, out), 3);
    assert_memory_equal(out, "\xe2\x82\xac", 3);
    assert_int_equal(assay_utf8_encode(0x10348, out), 4);
    assert_memory_equal(out, "\xf0\x90\x8d\x88", 4);
}

static void every_scalar_value_round_trips_and_is_refused_when_cut(void **state)
{
    uint32_t n_values = 0;

    (void)state;
    for (uint32_t c = 0; c <= 0x10ffff; c++) {
        size_t want = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4, n;
        uint32_t back = 0xffffffff;
        char text[4];

        if (c >= 0xd800 && c <= 0xdfff) continue;
        n_values++;
        n = assay_utf8_encode(c, text);
        if (n != want || assay_utf8_decode(text, n, &back) != n || back != c)
            fail_msg("U+%04X comes back as U+%04X in %zu bytes", c, back, n);
        for (size_t cut = 0; cut < n; cut++)
            if (assay_utf8_decode(text, cut, &back) != 0) fail_msg("U+%04X cut to %zu", c, cut);
    }
    assert_int_equal(n_values, 1112064);
}

/* The table of well-formed byte sequences (Unicode 15, table 3-7): what may follow a first byte. */
static void second_byte_range(unsigned first, unsigned *low, unsigned *high)
{
    *low = 0x80;
    *high = 0xbf;
    if (first < 0xc2 || first > 0xf4) *low = 1, *high = 0;
    if (first == 0xe0) *low = 0xa0;
    if (first == 0xed) *high = 0x9f;
    if (first == 0xf0) *low = 0x90;
    if (first == 0xf4) *high = 0x8f;
}

static void every_pair_of_first_bytes_is_taken_or_refused_as_the_standard_says(void **state)
{
    (void)state;
    for (unsigned first = 0x80; first < 0x100; first++) {
        unsigned low, high;

        second_byte_range(first, &low, &high);
        for (unsigned second = 0; second < 0x100; second++) {
            const char text[] = { (char)first, (char)second, '\x80', '\x80' };
            size_t n = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
            size_t want = second >= low && second <= high ? n : 0;
            uint32_t c;

            if (assay_utf8_decode(text, sizeof text, &c) != want)
                fail_msg("%02x %02x 80 80 is not %zu bytes", first, second, want);
        }
    }
}

static void later_bytes_must_be_continuations(void **state)
{
    (void)state;
    for (unsigned byte = 0; byte < 0x100; byte++) {
        const char three[] = { '\xe2', '\x82', (char)byte };
        const char four[] = { '\xf0', '\x9f', '\x98', (char)byte };
        const char middle[] = { '\xf0', '\x9f', (char)byte, '\x80' };
        int good = byte >= 0x80 && byte <= 0xbf;

        assert_decodes(three, 3, good ? 3 : 0, 0x2080 | (byte & 0x3f));
        assert_decodes(four, 4, good ? 4 : 0, 0x1f600 | (byte & 0x3f));
        assert_decodes(middle, 4, good ? 4 : 0, 0x1f000 | (byte & 0x3f) << 6);
    }
}

static void ill_formed_text_of_each_kind_is_refused(void **state)
{
    (void)state;
    assert_decodes("\xc0\x80", 2, 0, 0);         /* overlong U+0000 */
    assert_decodes("\xc1\xbf", 2, 0, 0);         /* overlong U+007F */
    assert_decodes("\xe0\x9f\xbf", 3, 0, 0);     /* overlong U+07FF */
    assert_decodes("\xf0\x8f\xbf\xbf", 4, 0, 0); /* overlong U+FFFF */
    assert_decodes("\xed\xa0\x80", 3, 0, 0);     /* U+D800 */
    assert_decodes("\xed\xbf\xbf", 3, 0, 0);     /* U+DFFF */
    assert_decodes("\xf4\x90\x80\x80", 4, 0, 0); /* U+110000 */
    assert_decodes("\xf5\x80\x80\x80", 4, 0, 0);
    assert_decodes("\xf8\x88\x80\x80\x80", 5, 0, 0);
    assert_decodes("\x80", 1, 0, 0);
    assert_decodes("\xff", 1, 0, 0);
    assert_decodes("", 0, 0, 0);
}

static void only_the_first_code_point_is_taken(void **state)
{
    (void)state;
    assert_decodes("a\xff", 2, 1, 'a');
    assert_decodes("\0z", 2, 1, 0);
    assert_decodes("\xc3\xa9\xff", 3, 2, 0xe9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_code_point_of_each_length_has_the_bytes_of_the_standard),
        cmocka_unit_test(every_scalar_value_round_trips_and_is_refused_when_cut),
        cmocka_unit_test(every_pair_of_first_bytes_is_taken_or_refused_as_the_standard_says),
        cmocka_unit_test(later_bytes_must_be_continuations),
        cmocka_unit_test(ill_formed_text_of_each_kind_is_refused),
        cmocka_unit_test(only_the_first_code_point_is_taken),
    };

    return cmocka_run_group_tests_name("utf8", tests, NULL, NULL);
}
