/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/error.h"
#include "core/random.h"
#include "core/utf8.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- the sentence ---- */

static void a_failure_returns_its_status_and_keeps_its_sentence(void **state)
{
    (void)state;
    assert_int_equal(assay_fail(ASSAY_E_VALUE, "k is %d, expected %s", 7, "less"), ASSAY_E_VALUE);
    assert_string_equal(assay_last_error(), "k is 7, expected less");
    assert_int_equal(assay_fail(ASSAY_E_SHAPE, "next"), ASSAY_E_SHAPE);
    assert_string_equal(assay_last_error(), "next");
}

static void a_fault_in_an_input_begins_with_path_and_line(void **state)
{
    (void)state;
    assert_int_equal(assay_fail_at(ASSAY_E_FORMAT, "a.csv", 12, "has %d", 3), ASSAY_E_FORMAT);
    assert_string_equal(assay_last_error(), "a.csv:12: has 3");
    assert_int_equal(assay_fail_at(ASSAY_E_READ, "a.csv", 0, "is missing"), ASSAY_E_READ);
    assert_string_equal(assay_last_error(), "a.csv: is missing");
}

static void a_sentence_shows_controls_as_escapes(void **state)
{
    (void)state;
    assay_fail(ASSAY_E_VALUE, "item \"%s\"", "a\x1b[31m\n\xff");
    assert_string_equal(assay_last_error(), "item \"a\\x1b[31m\\x0a\\xff\"");
    assay_fail_at(ASSAY_E_VALUE, "\x1b]0;x\a", 1, "bad");
    assert_string_equal(assay_last_error(), "\\x1b]0;x\\x07:1: bad");
}

static void a_sentence_too_long_to_keep_ends_in_an_ellipsis(void **state)
{
    char text[5000];

    (void)state;
    for (size_t length = 900; length < sizeof text; length++) {
        const char *kept;
        size_t n;

        memset(text, 'y', length);
        text[length] = '\0';
        assay_fail(ASSAY_E_VALUE, "%s", text);
        kept = assay_last_error();
        n = strlen(kept);
        if (n == length) {
            assert_string_equal(kept, text);
        } else {
            assert_true(n < length);
            assert_string_equal(kept + n - 3, "...");
            assert_memory_equal(kept, text, n - 3);
        }
        if (length > 1100) length += 97;
    }
    assay_fail_at(ASSAY_E_VALUE, text, 3, "the %s", "end");
    assert_non_null(strstr(assay_last_error(), ":3: the end"));
}

struct errand {
    const char *word;
    pthread_barrier_t *both_failed;
    int kept_its_own, began_empty;
};

static void *fail_in_a_thread(void *user)
{
    struct errand *errand = user;

    errand->began_empty = *assay_last_error() == '\0';
    assay_fail(ASSAY_E_VALUE, "this is %s", errand->word);
    pthread_barrier_wait(errand->both_failed);
    errand->kept_its_own = strcmp(assay_last_error() + strlen("this is "), errand->word) == 0;
    return NULL;
}

static void each_thread_has_its_own_last_error(void **state)
{
    pthread_barrier_t barrier;
    struct errand errands[] = { { "one", &barrier, 0, 0 }, { "the other", &barrier, 0, 0 } };
    pthread_t threads[2];

    (void)state;
    assay_fail(ASSAY_E_VALUE, "main");
    assert_int_equal(pthread_barrier_init(&barrier, NULL, 2), 0);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, fail_in_a_thread, &errands[i]), 0);
    for (size_t i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
    for (size_t i = 0; i < 2; i++) {
        assert_true(errands[i].began_empty);
        assert_true(errands[i].kept_its_own);
    }
    assert_string_equal(assay_last_error(), "main");
}

/* ---- statuses and version ---- */

static void every_status_has_a_text_of_its_own(void **state)
{
    (void)state;
    assert_string_equal(assay_status_text(ASSAY_OK), "ok");
    assert_string_equal(assay_status_text(ASSAY_E_NOMEM), "out of memory");
    assert_string_equal(assay_status_text(ASSAY_E_SHAPE), "bad shape");
    assert_string_equal(assay_status_text(ASSAY_E_VALUE), "bad value");
    assert_string_equal(assay_status_text(ASSAY_E_DEGENERATE), "undefined for this input");
    assert_string_equal(assay_status_text(ASSAY_E_CANCELLED), "cancelled");
    assert_string_equal(assay_status_text(ASSAY_E_READ), "cannot be read");
    assert_string_equal(assay_status_text(ASSAY_E_FORMAT), "malformed input");
    assert_string_equal(assay_status_text(ASSAY_E_CONFLICT), "conflicting observations");
    assert_string_equal(assay_status_text(ASSAY_E_WRITE), "cannot be written");
    assert_string_equal(assay_status_text((assay_status)-10), "unknown status");
    assert_string_equal(assay_status_text((assay_status)1), "unknown status");
}

/* The numbers are part of the ABI. */
static void status_numbers_are_frozen(void **state)
{
    (void)state;
    assert_int_equal(ASSAY_OK, 0);
    assert_int_equal(ASSAY_E_NOMEM, -1);
    assert_int_equal(ASSAY_E_SHAPE, -2);
    assert_int_equal(ASSAY_E_VALUE, -3);
    assert_int_equal(ASSAY_E_DEGENERATE, -4);
    assert_int_equal(ASSAY_E_CANCELLED, -5);
    assert_int_equal(ASSAY_E_READ, -6);
    assert_int_equal(ASSAY_E_FORMAT, -7);
    assert_int_equal(ASSAY_E_CONFLICT, -8);
    assert_int_equal(ASSAY_E_WRITE, -9);
}

static void the_version_is_three_numbers(void **state)
{
    const char *at = assay_version();

    (void)state;
    for (int part = 0; part < 3; part++) {
        size_t digits = strspn(at, "0123456789");

        assert_true(digits > 0);
        at += digits;
        if (part < 2) assert_int_equal(*at++, '.');
    }
    assert_int_equal(*at, '\0');
}

/* ---- printable text ---- */

static void assert_printable(const char *text, size_t length, const char *want)
{
    char out[128];

    assert_ptr_equal(assay_printable(out, sizeof out, text, length), out);
    assert_string_equal(out, want);
}

static void what_a_terminal_may_act_on_becomes_escapes(void **state)
{
    (void)state;
    assert_printable("a\0b\t\n\r\x1b\x7f", 8, "a\\x00b\\x09\\x0a\\x0d\\x1b\\x7f");
    assert_printable("\xc2\x80", 2, "\\xc2\\x80");
    assert_printable("\xc2\x9b", 2, "\\xc2\\x9b"); /* the one-character CSI */
    assert_printable("\xc2\x9f", 2, "\\xc2\\x9f");
    assert_printable("\xd8\x9c", 2, "\\xd8\\x9c");                   /* U+061C */
    assert_printable("\xe2\x80\x8e", 3, "\\xe2\\x80\\x8e");          /* U+200E */
    assert_printable("\xe2\x80\xae", 3, "\\xe2\\x80\\xae");          /* U+202E */
    assert_printable("\xe2\x81\xa6x", 4, "\\xe2\\x81\\xa6x");        /* U+2066 */
    assert_printable("\xe2\x81\xa9", 3, "\\xe2\\x81\\xa9");          /* U+2069 */
    assert_printable("\xef\xbb\xbf.", 4, "\\xef\\xbb\\xbf.");        /* U+FEFF */
    assert_printable("\xc0\xaf", 2, "\\xc0\\xaf");                   /* overlong */
    assert_printable("\xe0\x80\xaf", 3, "\\xe0\\x80\\xaf");          /* overlong */
    assert_printable("\xed\xa0\x80", 3, "\\xed\\xa0\\x80");          /* a surrogate */
    assert_printable("\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80"); /* above U+10FFFF */
    assert_printable("\xe2\x82", 2, "\\xe2\\x82");                   /* cut short */
    assert_printable("\xff\x80", 2, "\\xff\\x80");
}

static void other_text_stays_as_it_is(void **state)
{
    static const char text[] = " ~\"\\\xc2\xa0\xc3\xa9\xe2\x80\xa7\xe2\x80\xaf\xe4\xb8\xad"
                               "\xef\xbf\xbd\xf0\x9f\x98\x80";

    (void)state;
    assert_printable(text, sizeof text - 1, text);
    assert_printable("", 0, "");
}

static void text_is_cut_only_when_it_does_not_fit(void **state)
{
    char out[8];

    (void)state;
    assert_string_equal(assay_printable(out, 8, "1234567", 7), "1234567");
    assert_string_equal(assay_printable(out, 8, "12345678", 8), "1234...");
    assert_string_equal(assay_printable(out, 8, "123\n", 4), "123\\x0a");
    assert_string_equal(assay_printable(out, 8, "1234\n", 5), "1234...");
    assert_string_equal(assay_printable(out, 8, "\n\n", 2), "\\x0a...");
    assert_string_equal(assay_printable(out, 8, "\xe2\x80\xae", 3), "...");
    assert_string_equal(assay_printable(out, 8, "12\xe4\xb8\xad\xe4\xb8\xad", 8), "12...");
}

/* One piece of printable output: an escape "\xNN" or a whole code point; 0 when it is neither. */
static size_t piece_length(const char *at, size_t left)
{
    uint32_t c;

    if (left >= 4 && at[0] == '\\' && at[1] == 'x') return 4;
    return assay_utf8_decode(at, left, &c);
}

/* Random bytes without a backslash, so that every backslash of the output begins an escape. */
static void random_text_is_cut_at_whole_pieces_that_the_full_output_begins_with(void **state)
{
    assay_random random;

    (void)state;
    assay_random_start(&random, 1, ASSAY_PURPOSE_SIMULATE_TEXT, 0);
    for (int trial = 0; trial < 20000; trial++) {
        char text[24], full[128], out[64];
        size_t length = (size_t)assay_random_below(&random, sizeof text + 1), n = 0;
        size_t size = 8 + (size_t)assay_random_below(&random, sizeof out - 7);
        int cut;

        while (n < length) {
            uint32_t c = (uint32_t)assay_random_below(&random, n % 2 ? 0x3000 : 0x100);
            char bytes[4];
            size_t k = assay_utf8_encode(c, bytes);

            if (n % 3 == 0) bytes[0] = (char)c; /* often ill-formed */
            for (size_t i = 0; i < k && n < length; i++)
                if (bytes[i] != '\\') text[n++] = bytes[i];
        }
        assay_printable(full, sizeof full, text, length);
        assay_printable(out, size, text, length);
        cut = strlen(full) >= size;
        n = strlen(out);
        assert_true(n < size);
        if (!cut) {
            assert_string_equal(out, full);
            continue;
        }
        assert_string_equal(out + n - 3, "...");
        assert_memory_equal(out, full, n - 3);
        for (size_t i = 0; i < n - 3;) {
            size_t piece = piece_length(out + i, n - 3 - i);

            assert_true(piece > 0);
            i += piece;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_returns_its_status_and_keeps_its_sentence),
        cmocka_unit_test(a_fault_in_an_input_begins_with_path_and_line),
        cmocka_unit_test(a_sentence_shows_controls_as_escapes),
        cmocka_unit_test(a_sentence_too_long_to_keep_ends_in_an_ellipsis),
        cmocka_unit_test(each_thread_has_its_own_last_error),
        cmocka_unit_test(every_status_has_a_text_of_its_own),
        cmocka_unit_test(status_numbers_are_frozen),
        cmocka_unit_test(the_version_is_three_numbers),
        cmocka_unit_test(what_a_terminal_may_act_on_becomes_escapes),
        cmocka_unit_test(other_text_stays_as_it_is),
        cmocka_unit_test(text_is_cut_only_when_it_does_not_fit),
        cmocka_unit_test(random_text_is_cut_at_whole_pieces_that_the_full_output_begins_with),
    };

    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
